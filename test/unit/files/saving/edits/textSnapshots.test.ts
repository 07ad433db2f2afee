import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { BaseCandidates, TextSnapshots } from '../../../../../src/files/saving/edits/textSnapshots';
import type { BaseVersion, TextVersion } from '../../../../../src/files/saving/serverFiles';
import { fileAt } from '../../../../scene/fileAt';

const place = (n: number) => fileAt(`/srv/${n}`);

describe('the texts returned to VS Code', () => {
  it('are evicted even if they are empty', () => {
    const versions = new TextSnapshots({ each: 3, characters: 10_000 });
    for (let n = 0; n < 1_000; n += 1) versions.add({ text: '', place: place(n) });
    assert.equal(versions.showing(place(0), ''), undefined);
    assert.equal(versions.showing(place(999), '')?.text, '');
  });
});

const read = (text: string): TextVersion => ({ text, place: place(1) });
const version = (text: string): BaseVersion => ({ kind: 'version', version: read(text) });
const unknown: BaseVersion = { kind: 'unknown' };

describe('the base version of an editor that does not expose its text', () => {
  let now: number;
  let candidates: BaseCandidates;

  const begin = () => candidates.begin(version('earlier'));

  beforeEach(() => {
    now = 100_000;
    candidates = new BaseCandidates(read('old'), undefined, () => now);
  });

  it('is the text read when it opened', () => {
    assert.deepEqual(begin(), version('old'));
  });

  it('is unknown after different texts were read', () => {
    candidates.read(read('theirs'));
    assert.deepEqual(begin(), unknown);
  });

  it('is what was saved last', () => {
    candidates.read(read('theirs'));
    candidates.saved(read('mine'));
    assert.deepEqual(begin(), version('mine'));
  });

  it('is the text that a revert has just read', () => {
    void begin();
    candidates.read(read('theirs'));
    candidates.end(version('old'));
    assert.deepEqual(begin(), version('theirs'));
  });

  it('stays the same when the edit is undone', () => {
    void begin();
    candidates.end(version('old'));
    assert.deepEqual(begin(), version('old'));
  });

  it('is unknown when the edit is undone after another extension has read something else', () => {
    void begin();
    candidates.read(read('theirs'));
    now += 5_000;
    candidates.end(version('old'));
    assert.deepEqual(begin(), unknown);
  });
});
