import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runBounded } from '../../../../src/files/transfers/runBounded';

describe('bounded work', () => {
  it('processes every item', async () => {
    const seen: number[] = [];
    const work = (item: number) => Promise.resolve(void seen.push(item));
    await runBounded([1, 2, 3, 4, 5], 2, new AbortController().signal, work);
    assert.deepEqual(seen.sort(), [1, 2, 3, 4, 5]);
  });
});
