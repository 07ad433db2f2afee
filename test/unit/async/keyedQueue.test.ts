import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KeyedQueue } from '../../../src/async/waiting';

describe('a keyed queue', () => {
  const pause = () => new Promise((resolve) => setImmediate(resolve));

  it('runs work on one key in turn, even after a failure, and work on others at once', async () => {
    const queue = new KeyedQueue();
    const done: string[] = [];
    const work = (name: string) => async () => {
      done.push(`${name} begins`);
      await pause();
      done.push(`${name} ends`);
    };
    const failing = queue.take('a', async () => {
      await work('first')();
      throw new Error('It failed.');
    });
    const all = [queue.take('a', work('second')), queue.take('b', work('other'))];
    await assert.rejects(failing, /It failed/);
    await Promise.all(all);
    assert.deepEqual(
      done.filter((step) => !step.startsWith('other')),
      ['first begins', 'first ends', 'second begins', 'second ends'],
    );
    assert.ok(done.indexOf('other begins') < done.indexOf('first ends'));
  });

  it('settles once all that was taken is done, however it ended', async () => {
    const queue = new KeyedQueue();
    let ended = 0;
    const work = async () => {
      await pause();
      ended += 1;
    };
    void queue.take(['a', 'b'], work);
    void queue.take('b', work);
    await queue.settled();
    assert.equal(ended, 2);
    queue.take('a', () => Promise.reject(new Error('It failed.'))).catch(() => undefined);
    await queue.settled();
  });
});
