import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { PendingWork } from '../../../src/async/sharedCalls';

describe('pending work', () => {
  it('is counted by key until it settles', async () => {
    const pending = new PendingWork();
    const quick = pending.add('a', nextTurn('done'));
    const slow = pending.add(
      'a',
      quick.then(() => nextTurn()),
    );
    assert.deepEqual([pending.has('a'), pending.has('b'), pending.isEmpty], [true, false, false]);
    assert.equal(await quick, 'done');
    assert.equal(pending.in('a').length, 1);
    await slow;
    await Promise.all(pending.in('a'));
    assert.deepEqual([pending.has('a'), pending.in('a'), pending.isEmpty], [false, [], true]);
  });

  it('can be waited for even if it fails', async () => {
    const pending = new PendingWork();
    const failed = assert.rejects(pending.add('a', Promise.reject(new Error('failed'))));
    await Promise.all([failed, ...pending.in('a')]);
    assert.ok(pending.isEmpty);
  });
});
