import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { PendingWork } from '../../../src/async/pendingWork';

describe('pending work', () => {
  it('is counted by key until it settles', async () => {
    const underway = new PendingWork();
    const quick = underway.add('a', nextTurn('done'));
    const slow = underway.add(
      'a',
      quick.then(() => nextTurn()),
    );
    assert.deepEqual([underway.has('a'), underway.has('b'), underway.isEmpty], [true, false, false]);
    assert.equal(await quick, 'done');
    assert.equal(underway.in('a').length, 1);
    await slow;
    await Promise.all(underway.in('a'));
    assert.deepEqual([underway.has('a'), underway.in('a'), underway.isEmpty], [false, [], true]);
  });

  it('can be waited for even if it fails', async () => {
    const underway = new PendingWork();
    const failed = assert.rejects(underway.add('a', Promise.reject(new Error('failed'))));
    await Promise.all([failed, ...underway.in('a')]);
    assert.ok(underway.isEmpty);
  });
});
