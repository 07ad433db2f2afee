import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { digestOfText } from '../../../../../src/files/journal/journalFiles';
import { type NodeEditKind, mergeNodeEdits } from '../../../../../src/features/deployments/nodeEdits/nodeEdit';

describe('several edits of one file', () => {
  const changed: NodeEditKind = { what: 'changed', before: 'first\n', digest: '1' };
  const added: NodeEditKind = { what: 'added', before: undefined };
  const removed: NodeEditKind = { what: 'removed', before: undefined };

  it('count as the first one if the file is edited again', () => {
    assert.equal(mergeNodeEdits(changed, { what: 'changed', before: 'second\n' }), changed);
    assert.equal(mergeNodeEdits(added, changed), added);
    assert.equal(mergeNodeEdits(removed, removed), removed);
  });

  it('cancel out if the file has its text from before again', () => {
    const edited = { ...changed, digest: digestOfText('first\n') };
    assert.equal(mergeNodeEdits(edited, { what: 'changed', before: 'second\n', after: 'first\n' }), 'nothing');
    assert.equal(mergeNodeEdits(edited, { what: 'changed', before: 'second\n', after: 'third\n' }), edited);
    assert.equal(
      mergeNodeEdits({ ...edited, what: 'removed' }, { what: 'added', before: '', after: 'first\n' }),
      'nothing',
    );
    const unpacked = { ...edited, what: 'unpacked' } as const;
    assert.equal(mergeNodeEdits(unpacked, { what: 'changed', after: 'first\n' }), unpacked);
  });

  it('cancel out if a new file is deleted again', () => {
    assert.equal(mergeNodeEdits(added, removed), 'nothing');
  });

  it('keep the original text through deleting and re-creating the file', () => {
    const gone = mergeNodeEdits(changed, removed);
    assert.deepEqual(gone, { what: 'removed', before: 'first\n', digest: '1' });
    assert.ok(gone !== 'nothing');
    assert.deepEqual(mergeNodeEdits(gone, added), { what: 'changed', before: 'first\n', digest: '1' });
  });

  it('start with the first one', () => {
    assert.deepEqual(mergeNodeEdits(undefined, removed), removed);
  });
});
