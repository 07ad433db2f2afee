import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../../host/limits';
import { type FileEntry, isProvenSame, isSameEntry, readFileEntry } from '../../../../src/platform/wire/fileEntry';

const entry = (details: Partial<FileEntry>): FileEntry => ({
  absolutePath: '/srv/a',
  name: 'a',
  isDir: false,
  length: 3,
  lastModified: 'then',
  ...details,
});

describe('an entry in two listings', () => {
  const full = entry({});
  const [timeless, unmeasured] = [entry({ lastModified: undefined }), entry({ length: undefined })];
  const table: readonly (readonly [what: string, FileEntry, FileEntry, looksSame: boolean, isProven: boolean])[] = [
    ['the same length and time', full, entry({}), true, true],
    ['another length', full, entry({ length: 4 }), false, false],
    ['another time', full, entry({ lastModified: 'now' }), false, false],
    ['a time only once', full, timeless, false, false],
    ['a length only once', full, unmeasured, false, false],
    ['no time in either', timeless, timeless, true, false],
    ['no length in either', unmeasured, unmeasured, true, false],
    ['an empty file without a time', entry({ length: 0, lastModified: undefined }), timeless, false, false],
    ['an empty file', entry({ length: 0 }), entry({ length: 0 }), true, true],
    ['another permission', full, entry({ permission: 'rw' }), true, true],
  ];
  for (const [what, one, other, looksSame, isProven] of table) {
    it(`with ${what} looks ${looksSame ? 'the same' : 'different'}, and ${isProven ? 'is' : "isn't"} proven unchanged`, () => {
      for (const [left, right] of [[one, other] as const, [other, one] as const]) {
        assert.deepEqual([isSameEntry(left, right), isProvenSame(left, right)], [looksSame, isProven]);
      }
    });
  }

  it('looks different if it is in only one of them, even without length and time', () => {
    const bare = entry({ length: undefined, lastModified: undefined });
    assert.deepEqual([isSameEntry(undefined, bare), isSameEntry(bare, undefined)], [false, false]);
    assert.equal(isSameEntry(undefined, undefined), true);
  });
});

describe('the path of an entry', () => {
  it('of a folder is read in no time, however many slashes it ends with', () => {
    const started = process.cpuUsage();
    const path = `${'/'.repeat(1_000_000)}a`;
    assert.equal(readFileEntry({ absolutePath: `${path}//` }, '/')?.absolutePath, path);
    assert.ok(process.cpuUsage(started).user < limit(2_000_000));
  });
});
