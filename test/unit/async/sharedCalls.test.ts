import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { SharedCalls } from '../../../src/async/sharedCalls';

describe('shared calls', () => {
  let calls: SharedCalls<number>;
  let count: number;
  const next = () => Promise.resolve((count += 1));

  beforeEach(() => {
    calls = new SharedCalls();
    count = 0;
  });

  it('share one call by all who ask before it settles, and call again after that', async () => {
    assert.deepEqual(
      await Promise.all([calls.share('a', next), calls.share('a', next), calls.share('b', next)]),
      [1, 1, 2],
    );
    assert.deepEqual(calls.keys, []);
    assert.equal(await calls.share('a', next), 3);
  });

  it('keep a result until it is forgotten, if asked to, but never a failure', async () => {
    calls = new SharedCalls('untilForgotten');
    await assert.rejects(
      calls.share('a', () => Promise.reject(new Error('It failed.'))),
      /It failed/,
    );
    assert.equal(await calls.share('a', next), 1);
    assert.equal(await calls.share('a', next), 1);
    calls.forget('a');
    assert.equal(await calls.share('a', next), 2);
  });

  it('tell a call whether its result still counts', async () => {
    const results: boolean[] = [];
    const note = async (isCurrent: () => boolean) => {
      await Promise.resolve();
      results.push(isCurrent());
      return next();
    };
    const first = calls.start('a', note);
    const second = calls.start('a', note);
    assert.equal(calls.get('a'), second);
    await Promise.all([first, second]);
    assert.deepEqual(results, [false, true]);
    const forgotten = calls.share('a', note);
    calls.forgetAll();
    await forgotten;
    assert.deepEqual(results, [false, true, false]);
  });

  it('leave alone a newer call when an older one fails', async () => {
    const first = calls.start('a', () => Promise.reject(new Error('It failed.')));
    const second = calls.start('a', () => new Promise((resolve) => setImmediate(resolve, 7)));
    await assert.rejects(first);
    assert.equal(calls.get('a'), second);
    assert.equal(await second, 7);
  });

  it('count as current from the beginning, and reject if they throw', async () => {
    assert.equal(await calls.share('a', (isCurrent) => Promise.resolve(isCurrent() ? 1 : 0)), 1);
    const thrown = calls.share('b', () => {
      throw new Error('It failed.');
    });
    await assert.rejects(thrown, /It failed/);
  });
});
