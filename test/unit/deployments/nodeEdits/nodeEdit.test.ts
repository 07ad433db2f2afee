import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Doing, together } from '../../../../src/deployments/nodeEdits/nodeEdit';

describe('several things done to one file', () => {
  const changed: Doing = { what: 'changed', before: 'first\n' };
  const added: Doing = { what: 'added', before: undefined };
  const removed: Doing = { what: 'removed', before: undefined };

  it('come to what was done first where it is edited again', () => {
    assert.equal(together(changed, { what: 'changed', before: 'second\n' }), changed);
    assert.equal(together(added, changed), added);
    assert.equal(together(removed, removed), removed);
  });

  it('come to nothing where what was made here is deleted again', () => {
    assert.equal(together(added, removed), 'nothing');
  });

  it('keep what the file held at first, through deleting it and making it anew', () => {
    const gone = together(changed, removed);
    assert.deepEqual(gone, { what: 'removed', before: 'first\n' });
    assert.ok(gone !== 'nothing');
    assert.deepEqual(together(gone, added), { what: 'changed', before: 'first\n' });
  });

  it('begin with the first', () => {
    assert.deepEqual(together(undefined, removed), removed);
  });
});
