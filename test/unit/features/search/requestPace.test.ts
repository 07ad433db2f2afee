import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { beforeEach, describe, it } from 'mocha';
import { RequestPace } from '../../../../src/features/search/requestPace';

/** A clock that only moves when the test says so. */
class Clock {
  private time = 0;
  private timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.time + milliseconds, run };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((one) => one !== timer));
  }

  get pending(): number {
    return this.timers.length;
  }

  async move(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    this.timers.filter(({ at }) => at <= this.time).forEach(({ run }) => run());
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the pace of requests', () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  let clock: Clock;
  let sent: number[];

  beforeEach(() => {
    clock = new Clock();
    sent = [];
  });

  const send = (pace: RequestPace, count: number, until = signal) =>
    Array.from({ length: count }, () => pace.turn(until).then(() => sent.push(clock.now())));

  it('lets a few go at once, and then one after the other', async () => {
    const all = send(new RequestPace(() => 100, 3, clock), 6);
    await settled();
    assert.deepEqual(sent, [0, 0, 0]);
    await clock.move(10);
    await clock.move(10);
    await clock.move(10);
    assert.deepEqual(sent, [0, 0, 0, 10, 20, 30]);
    await Promise.all(all);
  });

  it('saves up no more than that during a pause', async () => {
    const pace = new RequestPace(() => 100, 3, clock);
    await Promise.all(send(pace, 1));
    await clock.move(60_000);
    sent = [];
    const all = send(pace, 5);
    await settled();
    assert.equal(sent.length, 3);
    await clock.move(10);
    await clock.move(10);
    await Promise.all(all);
    assert.deepEqual(
      sent.map((at) => at - 60_000),
      [0, 0, 0, 10, 20],
    );
  });

  it('is never exceeded over a longer time', async () => {
    const all = send(new RequestPace(() => 40, 1, clock), 100);
    for (let n = 0; n < 1_000 && sent.length < 100; n += 1) await clock.move(7);
    await Promise.all(all);
    const inSecond = (from: number) => sent.filter((at) => at >= from && at < from + 1_000).length;
    assert.ok(sent.every((at) => inSecond(at) <= 41));
    assert.ok((sent.at(-1) ?? 0) <= 2_482);
  });

  it('ends all waiting at once when they are canceled', async () => {
    const canceling = new AbortController();
    const all = send(new RequestPace(() => 1, 1, clock), 5, canceling.signal);
    await settled();
    assert.deepEqual([sent.length, clock.pending], [1, 4]);
    canceling.abort();
    await Promise.all(all);
    assert.equal(clock.pending, 0);
  });

  it('gives no turn to those who were canceled before', async () => {
    const pace = new RequestPace(() => 1, 1, clock);
    await Promise.all(send(pace, 5, AbortSignal.abort()));
    await Promise.all(send(pace, 1));
    assert.equal(clock.pending, 0);
  });
});
