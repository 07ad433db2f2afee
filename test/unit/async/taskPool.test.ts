import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { TaskPool, workOnAll } from '../../../src/async/taskPool';

/** A task that ends when the test says so. */
function task() {
  const state = { isStarted: false };
  let settle: (failure?: Error) => void = () => undefined;
  const settled = new Promise<void>((resolve, reject) => {
    settle = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  const run = () => {
    state.isStarted = true;
    return settled;
  };
  return { run, state, end: () => settle(), fail: (failure: Error) => settle(failure) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a task pool', () => {
  let canceling: AbortController;
  let pool: TaskPool;

  beforeEach(() => {
    canceling = new AbortController();
    pool = new TaskPool(2, canceling.signal);
  });

  it('is finished if there is none', async () => {
    await pool.finished();
  });

  it('starts tasks in the order they were added, and never more at a time than its limit', async () => {
    const tasks = [task(), task(), task(), task()];
    tasks.forEach(({ run }) => pool.add(run));
    const started = () => tasks.map(({ state }) => state.isStarted);
    assert.deepEqual(started(), [true, true, false, false]);
    tasks[1]?.end();
    await turn();
    assert.deepEqual(started(), [true, true, true, false]);
    tasks[0]?.end();
    await turn();
    assert.deepEqual(started(), [true, true, true, true]);
    tasks.forEach(({ end }) => end());
    await pool.finished();
  });

  it('also waits for tasks that others add, even after a pause', async () => {
    const seen: string[] = [];
    const visit = (name: string, depth: number) =>
      pool.add(async () => {
        await turn();
        seen.push(name);
        if (depth > 0) {
          visit(`${name}a`, depth - 1);
          visit(`${name}b`, depth - 1);
        }
      });
    visit('', 2);
    await pool.finished();
    assert.deepEqual(seen, ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb']);
    visit('next', 0);
    await pool.finished();
    assert.equal(seen.at(-1), 'next');
  });

  it('starts no more tasks after one failed, waits for those that run, and fails like the first', async () => {
    const [bad, other, never] = [task(), task(), task()];
    [bad, other, never].forEach(({ run }) => pool.add(run));
    let isFinished = false;
    const finished = pool.finished().finally(() => (isFinished = true));
    bad.fail(new Error('first'));
    await turn();
    assert.equal(isFinished, false);
    other.fail(new Error('second'));
    await assert.rejects(finished, /first/);
    assert.equal(never.state.isStarted, false);
  });

  it('starts no more tasks after an abort, and is finished when those that run have ended', async () => {
    const [running, waiting] = [task(), task()];
    const one = new TaskPool(1, canceling.signal);
    [running, waiting].forEach(({ run }) => one.add(run));
    canceling.abort();
    one.add(waiting.run);
    running.end();
    await one.finished();
    assert.equal(waiting.state.isStarted, false);
  });
});

describe('work on a list', () => {
  it('processes every item, a limited number at a time', async () => {
    const seen: number[] = [];
    let most = 0;
    let running = 0;
    await workOnAll([1, 2, 3, 4, 5], 2, new AbortController().signal, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      seen.push(item);
    });
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
    assert.equal(most, 2);
  });

  it('starts nothing after an abort', async () => {
    await workOnAll([1, 2], 2, AbortSignal.abort(), () => assert.fail('started'));
  });
});
