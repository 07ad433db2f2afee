import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimeSource } from '../../../../../src/async/waiting';
import { LiveDeployLog } from '../../../../../src/features/deployments/history/deployLog';

/** A clock that runs only in tests. */
class Clock implements TimeSource {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async pass(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    for (let next = this.#first(until); next !== undefined; next = this.#first(until)) {
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#now = until;
  }

  #first(until: number) {
    return [...this.#timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
  }
}

const update = '/var/log/nginx/vcs_update.log';
const hooks = '/var/log/nginx/hooks.log';

/** Logs on nodes, and the reads of them. */
function setUp(lengths: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const clock = new Clock();
  const logs = new Map<string, string>();
  const reads: { readonly at: number; readonly node: string; readonly path: string }[] = [];
  let changes = 0;
  const live = new LiveDeployLog(
    { startedAt: 0, logLengths: lengths },
    (node, path) => {
      reads.push({ at: clock.now(), node, path });
      return Promise.resolve(logs.get(`${node} ${path}`));
    },
    () => (changes += 1),
    clock,
  );
  const texts = () => live.sections.map(({ node, path, text }) => [node, path, text]);
  return { clock, logs, reads, live, texts, changes: () => changes };
}

describe('the live log of a redeploy', () => {
  it('sends one read at a time for each node, and no other within three seconds', async () => {
    const { clock, logs, reads, live } = setUp({ one: { [update]: 4, [hooks]: 0 }, two: { [update]: 4, [hooks]: 0 } });
    logs.set(`one ${update}`, 'old\n');
    live.show();
    for (let turn = 0; turn < 50; turn++) {
      await clock.pass(700);
      live.hide();
      live.show();
    }
    for (const node of ['one', 'two']) {
      const times = reads.flatMap((read) => (read.node === node ? [read.at] : []));
      assert.ok(times.length >= 10);
      assert.ok(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) >= 3_000));
    }
  });

  it('reads nothing while it is hidden', async () => {
    const { clock, reads, live } = setUp({ one: { [update]: 0 } });
    await clock.pass(10_000);
    assert.equal(reads.length, 0);
    live.show();
    await clock.pass(0);
    live.hide();
    await clock.pass(60_000);
    assert.equal(reads.length, 1);
  });

  it('shows the new lines of both logs without logins, and stays with the one that grows', async () => {
    const { clock, logs, reads, live, texts, changes } = setUp({ one: { [update]: 4, [hooks]: 0 } });
    logs.set(`one ${update}`, 'old\n');
    live.show();
    await clock.pass(0);
    assert.deepEqual([texts(), changes()], [[], 0]);
    logs.set(`one ${hooks}`, 'begun\n');
    await clock.pass(3_000);
    assert.deepEqual(texts(), [['one', hooks, 'begun\n']]);
    logs.set(`one ${hooks}`, 'begun\nmore\n');
    await clock.pass(3_000);
    assert.deepEqual(texts(), [['one', hooks, 'begun\nmore\n']]);
    logs.set(`one ${update}`, 'old\nspawn git clone https://marit:cold-tea@example.com/x\r\n');
    await clock.pass(6_000);
    assert.deepEqual(texts(), [
      ['one', update, 'spawn git clone https://•••@example.com/x\r\n'],
      ['one', hooks, 'begun\nmore\n'],
    ]);
    assert.deepEqual(
      reads.map(({ path }) => path),
      [update, hooks, hooks, hooks, update],
    );
    assert.equal(changes(), 3);
  });

  it('shows no password in a line that is still being written', async () => {
    const { clock, logs, live, texts } = setUp({ one: { [update]: 0 } });
    logs.set(`one ${update}`, 'begun\nspawn git clone https://marit:cold-t');
    live.show();
    await clock.pass(0);
    assert.deepEqual(texts(), [['one', update, 'begun\nspawn git clone https://•••']]);
    logs.set(`one ${update}`, 'begun\nspawn git clone https://marit:cold-tea@example.com/x\n');
    await clock.pass(3_000);
    assert.deepEqual(texts(), [['one', update, 'begun\nspawn git clone https://•••@example.com/x\n']]);
  });

  it('looks into each folder that may have the log, as long as none had one before', async () => {
    const common = '/var/log/jelastic/vcs/vcs_update.log';
    const { clock, logs, live, texts } = setUp({ one: { [update]: 0, [common]: 0 } });
    logs.set(`one ${common}`, 'cloning\n');
    live.show();
    await clock.pass(3_000);
    assert.deepEqual(texts(), [['one', common, 'cloning\n']]);
  });

  it('keeps what it shows when a read fails, and reads the other log next', async () => {
    const { clock, logs, reads, live, texts } = setUp({ one: { [update]: 0, [hooks]: 0 } });
    logs.set(`one ${update}`, 'begun\n');
    live.show();
    await clock.pass(0);
    logs.delete(`one ${update}`);
    await clock.pass(6_000);
    assert.deepEqual(texts(), [['one', update, 'begun\n']]);
    assert.deepEqual(
      reads.map(({ path }) => path),
      [update, update, hooks],
    );
  });

  it("doesn't read logs that are too long to be read again and again", async () => {
    const { clock, logs, reads, live } = setUp({ one: { [update]: 5_000_000, [hooks]: 0 } });
    logs.set(`one ${hooks}`, 'x'.repeat(2_000_000));
    live.show();
    await clock.pass(60_000);
    assert.deepEqual(
      reads.map(({ path }) => path),
      [hooks],
    );
  });
});
