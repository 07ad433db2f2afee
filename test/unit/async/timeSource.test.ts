import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pause, type TimeSource } from '../../../src/async/waiting';

describe('a pause', () => {
  const timers = new Map<() => void, number>();
  const time: TimeSource = {
    now: () => 0,
    after: (milliseconds, run) => {
      timers.set(run, milliseconds);
      return () => void timers.delete(run);
    },
  };

  it('ends after its time', async () => {
    const over = pause(5_000, new AbortController().signal, time);
    const [[run, milliseconds] = []] = timers;
    assert.equal(milliseconds, 5_000);
    run?.();
    await over;
    assert.equal(timers.size, 0);
  });

  it('ends when it is canceled, and leaves no timer behind', async () => {
    const canceling = new AbortController();
    const over = pause(5_000, canceling.signal, time);
    canceling.abort();
    await over;
    await pause(5_000, canceling.signal, time);
    assert.equal(timers.size, 0);
  });
});
