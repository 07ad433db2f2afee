import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nodesNow } from '../../../../../src/features/deployments/deployedState/deployedState';

describe('what the nodes run', () => {
  const [one, other] = [{ after: 'a' }, { after: 'b' }];
  const [none, unreadable] = [{}, { unreadable: 'denied' }];

  it('is one commit only if every node has it', () => {
    assert.deepEqual(nodesNow([one, one]), { kind: 'same', commit: 'a' });
    for (const nodes of [
      [one, other],
      [one, none],
      [none, one],
    ]) {
      assert.deepEqual(nodesNow(nodes), { kind: 'differ' });
    }
  });

  it("isn't known if a node can't be read, whatever the others have", () => {
    for (const nodes of [[unreadable], [one, unreadable], [one, other, unreadable], [none, unreadable]]) {
      assert.deepEqual(nodesNow(nodes), { kind: 'unreadable', why: 'denied' });
    }
  });

  it('is nothing if no node has a clone', () => {
    assert.deepEqual([[], [none, none]].map(nodesNow), [{ kind: 'absent' }, { kind: 'absent' }]);
  });

  it('is the revision that the logs show, although a checkout cannot be read', () => {
    assert.deepEqual(nodesNow([{ after: 'r5', unreadable: 'denied' }, { after: 'r5' }]), {
      kind: 'same',
      commit: 'r5',
    });
  });
});
