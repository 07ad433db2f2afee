import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { BaseCandidates } from '../../../../../src/files/saving/edits/opaqueEdits';
import type { BaseVersion, TextVersion } from '../../../../../src/files/saving/serverFiles';

const place = {
  kind: 'file',
  account: 'a',
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId: 1 },
  path: '/a',
} as const;
const read = (text: string): TextVersion => ({ text, place });
const version = (text: string): BaseVersion => ({ kind: 'version', version: read(text) });
const unknown: BaseVersion = { kind: 'unknown' };

describe('the base version of an editor that does not expose its text', () => {
  let now: number;
  let candidates: BaseCandidates;

  beforeEach(() => {
    now = 100_000;
    candidates = new BaseCandidates(read('old'), () => now);
  });

  it('is the text read when it opened', () => {
    assert.deepEqual(candidates.begin(), version('old'));
  });

  it('is unknown after different texts were read', () => {
    candidates.read(read('theirs'));
    assert.deepEqual(candidates.begin(), unknown);
  });

  it('is what was saved last', () => {
    candidates.read(read('theirs'));
    candidates.saved(read('mine'));
    assert.deepEqual(candidates.begin(), version('mine'));
  });

  it('is the text that a revert has just read', () => {
    candidates.begin();
    candidates.read(read('theirs'));
    candidates.end(version('old'));
    assert.deepEqual(candidates.begin(), version('theirs'));
  });

  it('stays the same when the edit is undone', () => {
    candidates.begin();
    candidates.end(version('old'));
    assert.deepEqual(candidates.begin(), version('old'));
  });

  it('is unknown when the edit is undone after another extension has read something else', () => {
    candidates.begin();
    candidates.read(read('theirs'));
    now += 5_000;
    candidates.end(version('old'));
    assert.deepEqual(candidates.begin(), unknown);
  });
});
