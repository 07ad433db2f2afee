import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { TaskPool, workOnAll } from '../../../src/async/taskPool';

/** A piece of work that ends when the test says so. */
function piece() {
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

describe('work that grows', () => {
  let canceling: AbortController;
  let work: TaskPool;

  beforeEach(() => {
    canceling = new AbortController();
    work = new TaskPool(2, canceling.signal);
  });

  it('is finished if there is none', async () => {
    await work.finished();
  });

  it('starts pieces in the order they were added, and never more at a time than its limit', async () => {
    const pieces = [piece(), piece(), piece(), piece()];
    pieces.forEach(({ run }) => work.add(run));
    const started = () => pieces.map(({ state }) => state.isStarted);
    assert.deepEqual(started(), [true, true, false, false]);
    pieces[1]?.end();
    await turn();
    assert.deepEqual(started(), [true, true, true, false]);
    pieces[0]?.end();
    await turn();
    assert.deepEqual(started(), [true, true, true, true]);
    pieces.forEach(({ end }) => end());
    await work.finished();
  });

  it('also waits for pieces that others add, even after a pause', async () => {
    const seen: string[] = [];
    const visit = (name: string, depth: number) =>
      work.add(async () => {
        await turn();
        seen.push(name);
        if (depth > 0) {
          visit(`${name}a`, depth - 1);
          visit(`${name}b`, depth - 1);
        }
      });
    visit('', 2);
    await work.finished();
    assert.deepEqual(seen, ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb']);
    visit('next', 0);
    await work.finished();
    assert.equal(seen.at(-1), 'next');
  });

  it('starts no more pieces after one failed, waits for those that run, and fails like the first', async () => {
    const [bad, other, never] = [piece(), piece(), piece()];
    [bad, other, never].forEach(({ run }) => work.add(run));
    let isFinished = false;
    const finished = work.finished().finally(() => (isFinished = true));
    bad.fail(new Error('first'));
    await turn();
    assert.equal(isFinished, false);
    other.fail(new Error('second'));
    await assert.rejects(finished, /first/);
    assert.equal(never.state.isStarted, false);
  });

  it('starts no more pieces after an abort, and is finished when those that run have ended', async () => {
    const [running, waiting] = [piece(), piece()];
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
