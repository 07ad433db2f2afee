import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { mergeTexts } from '../../../../src/files/saving/mergeTexts';
import { mergeConflicts, middleMarker } from '../../../../src/files/text';

const names = { yours: 'Yours', theirs: 'On the node' };
const merge = (base: string, yours: string, theirs: string) => mergeTexts({ base, yours, theirs }, names);

describe('a three-way merge', () => {
  const base = 'user nginx;\nworkers 2;\n\nhttp {\n  gzip off;\n}\n';

  it('takes over changes from one side', () => {
    const yours = base.replace('workers 2', 'workers 4');
    const theirs = base.replace('gzip off', 'gzip on');
    assert.deepEqual(merge(base, yours, theirs), {
      text: 'user nginx;\nworkers 4;\n\nhttp {\n  gzip on;\n}\n',
      conflicts: 0,
    });
  });

  it('takes over identical changes once', () => {
    const both = base.replace('workers 2', 'workers 8');
    assert.deepEqual(merge(base, both, both), { text: both, conflicts: 0 });
  });

  it('puts conflicting changes between markers', () => {
    const merged = merge(base, base.replace('workers 2', 'workers 4'), base.replace('workers 2', 'workers 16'));
    assert.equal(merged.conflicts, 1);
    assert.equal(
      merged.text,
      'user nginx;\n<<<<<<< Yours\nworkers 4;\n=======\nworkers 16;\n>>>>>>> On the node\n\nhttp {\n  gzip off;\n}\n',
    );
  });

  it('adds a line ending before a marker if a file ends without one', () => {
    const merged = merge('a', 'b', 'c');
    assert.equal(merged.text, '<<<<<<< Yours\nb\n=======\nc\n>>>>>>> On the node\n');
  });

  it('has conflicts whose sides are found again, whatever lines they have', () => {
    const yours = 'Changes\n=======\n>>>>>>> On the node\nmine\n';
    const theirs = 'News\n=======\n>>>>>>> elsewhere\ntheirs\n';
    const merged = mergeTexts({ base: 'a\n', yours, theirs }, names, middleMarker(names.theirs));
    const [conflict, ...others] = mergeConflicts(`before\n${merged.text}`, names.yours);
    assert.deepEqual([conflict, others], [{ start: 1, middle: 6, end: 11, theirs: names.theirs }, []]);
    assert.deepEqual(mergeConflicts('<<<<<<< Yours\nb\n=======\nc\n>>>>>>> On the node\n', names.yours), []);
  });

  it('ignores line endings and byte-order marks, which an editor keeps', () => {
    assert.deepEqual(merge('\uFEFFa\r\nb\r\n', 'a\nB\n', 'a\r\nb\r\n'), { text: 'a\nB\n', conflicts: 0 });
  });

  it('is the changed side if only one side changed, whatever the texts', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'ü\n')).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, (old, changed) => {
        assert.deepEqual(merge(old, changed, old), { text: changed, conflicts: 0 });
        assert.deepEqual(merge(old, old, changed), { text: changed, conflicts: 0 });
      }),
    );
  });
});
