import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type NodeEditKind, mergeNodeEdits } from '../../../../src/deployments/nodeEdits/nodeEdit';

describe('several things done to one file', () => {
  const changed: NodeEditKind = { what: 'changed', before: 'first\n' };
  const added: NodeEditKind = { what: 'added', before: undefined };
  const removed: NodeEditKind = { what: 'removed', before: undefined };

  it('come to what was done first where it is edited again', () => {
    assert.equal(mergeNodeEdits(changed, { what: 'changed', before: 'second\n' }), changed);
    assert.equal(mergeNodeEdits(added, changed), added);
    assert.equal(mergeNodeEdits(removed, removed), removed);
  });

  it('come to nothing where what was made here is deleted again', () => {
    assert.equal(mergeNodeEdits(added, removed), 'nothing');
  });

  it('keep what the file held at first, through deleting it and making it anew', () => {
    const gone = mergeNodeEdits(changed, removed);
    assert.deepEqual(gone, { what: 'removed', before: 'first\n' });
    assert.ok(gone !== 'nothing');
    assert.deepEqual(mergeNodeEdits(gone, added), { what: 'changed', before: 'first\n' });
  });

  it('begin with the first', () => {
    assert.deepEqual(mergeNodeEdits(undefined, removed), removed);
  });
});
