import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, it } from 'mocha';
import { limit } from '../../../host/limits';
import type { TimeSource } from '../../../../src/async/waiting';
import { FollowedLog, type FollowedSource } from '../../../../src/features/logs/followedLog';
import { parseFilter } from '../../../../src/features/logs/logText';
import { maxCompared } from '../../../../src/features/logs/shownLog';
import { PlatformError } from '../../../../src/platform/errors';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A clock that runs only in tests, with the timers of one log. */
class Clock implements TimeSource {
  #now = Date.UTC(2026, 10, 24);
  #timer: { at: number; run: () => void } | undefined;

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  get isIdle(): boolean {
    return this.#timer === undefined;
  }

  /** Runs the next timer, and what it starts. */
  async tick(): Promise<void> {
    const timer = this.#timer ?? assert.fail('nothing is planned');
    this.#timer = undefined;
    this.#now = timer.at;
    timer.run();
    await settled();
  }
}

const lost = new PlatformError({ kind: 'unreachable', operation: 'ReadLog', message: 'lost' });
/** What a request and its response have besides a log's text, in bytes, at most. */
const perRequest = 800;

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A log that grows. Forgets what was written long ago, so that only the product's memory counts. */
class Growing implements FollowedSource {
  wholeBytes = 0;
  reads = 0;
  transferred = 0;
  checks = 0;
  failure: Error | undefined;
  /** Which read fails. */
  failAt = 0;
  /** Called when a read begins. */
  onRead: () => void = () => undefined;
  #forgotten = 0;
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > 800_000) {
      this.#forgotten += this.#text.length - 400_000;
      this.#text = this.#text.slice(-400_000);
    }
  }

  replace(text: string): void {
    this.#text = text;
    this.#forgotten = 0;
  }

  ensureRunning(): Promise<void> {
    this.checks += 1;
    return this.failure === undefined ? Promise.resolve() : Promise.reject(this.failure);
  }

  length(): Promise<number> {
    return Promise.resolve(this.#forgotten + this.#text.length);
  }

  read(from: number, count: number): Promise<string> {
    this.reads += 1;
    this.onRead();
    if (this.reads === this.failAt) return Promise.reject(lost);
    const start = from - this.#forgotten;
    const read = start < 0 ? 'forgotten\n'.slice(0, count) : this.#text.slice(start, start + count);
    this.transferred += read.length;
    // A text of its own, as from the wire. A part of a long text would keep all of it in memory.
    return Promise.resolve(Buffer.from(read).toString());
  }
}

/** A log that can only be read whole, after its folder is listed. */
class Whole extends Growing {
  #known = -1;

  constructor(private readonly listingBytes: number) {
    super();
  }

  override async read(from: number, count: number): Promise<string> {
    const length = await this.length();
    this.wholeBytes += this.listingBytes + (length === this.#known ? 0 : length);
    this.#known = length;
    return super.read(from, count);
  }
}

const lines = (first: number, count: number, words = 'GET /index.html 200') =>
  Array.from({ length: count }, (_, index) => `${first + index} ${words}\n`).join('');

const opened = async (text: string, source = new Growing(), rest: { added?: (text: string) => void } = {}) => {
  const time = new Clock();
  source.add(text);
  let changes = 0;
  const changed = () => (changes += 1);
  const log = await FollowedLog.open(source, { time, changed, rotationText: () => 'rotated', ...rest });
  return { source, time, log, changes: () => changes };
};

describe('a followed log', () => {
  it('shows new lines while it is visible, and reads nothing while it is hidden or paused', async () => {
    const { source, time, log } = await opened(lines(1, 10));
    assert.ok(time.isIdle);
    log.show();
    await settled();
    source.add(lines(11, 1));
    const added = time.now();
    await time.tick();
    assert.equal(log.text, lines(1, 11));
    assert.ok(time.now() - added < 2000);
    log.hide();
    assert.ok(time.isIdle);
    log.show();
    log.pause();
    await settled();
    assert.ok(time.isIdle);
    source.add(lines(12, 1));
    log.follow();
    await settled();
    assert.equal(log.text, lines(1, 12));
  });

  it('never shows a login of which the end is written later', async () => {
    const { source, time, log } = await opened('started\n');
    log.show();
    await settled();
    const written: string[] = [];
    for (const part of ['clone https://mar', 'it:cold-', 'tea', '@example.com', '/t.git\ndone\n']) {
      source.add(part);
      await time.tick();
      written.push(log.text);
    }
    assert.deepEqual(written, [
      ...Array.from({ length: 3 }, () => 'started\nclone https://•••'),
      // More of the password may still follow.
      'started\nclone https://•••',
      'started\nclone https://•••@example.com/t.git\ndone\n',
    ]);
  });

  it('follows 8 hours within 20 MB of memory, and transfers less than 50 MB', async () => {
    // Each addition copies up to two megabytes of text, which takes a minute where new memory is slow.
    const { source, time, log } = await opened(lines(1, 10));
    log.show();
    await settled();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const end = time.now() + 8 * 60 * 60 * 1000;
    let most = 0;
    let last = 10;
    for (let look = 1; time.now() < end; look++) {
      // Most looks find nothing new.
      if (look % 20 === 0) {
        source.add(lines(last + 1, 100));
        last += 100;
      }
      await time.tick();
      assert.ok(log.text.length <= maxCompared + 3000, `${log.text.length} characters`);
      if (look % 2000 === 0) {
        assert.ok(log.text.endsWith(`\n${last} GET /index.html 200\n`));
        collectGarbage();
        most = Math.max(most, process.memoryUsage().heapUsed - before);
      }
    }
    assert.ok(source.checks >= 8 * 60 - 10, 'the environment is checked every minute');
    const transferred = source.transferred + source.reads * perRequest;
    assert.ok(transferred < 50_000_000, `${transferred} bytes`);
    assert.ok(most < 20_000_000, `${most} bytes`);
  }).timeout(limit(75_000));

  for (const [what, length, listingBytes, growth] of [
    ['is long and grows', 200_000, 2_000, 1],
    ['is short and grows', 100, 2_000, 1],
    ['is one of many and hardly grows', 1_000, 100_000, 1_000],
  ] as const) {
    it(`transfers less than 50 MB in 8 hours where a log that ${what} can only be read whole`, async () => {
      const { source, time, log } = await opened(lines(1, length / 25), new Whole(listingBytes));
      log.show();
      await settled();
      const [start, end] = [time.now(), time.now() + 8 * 60 * 60 * 1000];
      let looks = 0;
      for (let last = length; time.now() < end; looks++) {
        if (looks % growth === 0) {
          source.add(lines(last + 1, 1));
          last += 1;
        }
        await time.tick();
        if (time.now() < start + 60_000) assert.ok(log.text.endsWith(`${last} GET /index.html 200\n`));
      }
      assert.ok(source.wholeBytes < 50_000_000, `${source.wholeBytes} bytes`);
      // It's often looked at again once the person comes back.
      log.hide();
      log.show();
      await settled();
      const again = time.now();
      for (let look = 0; look < 3; look++) await time.tick();
      assert.ok(time.now() - again <= 30_000, `${time.now() - again} ms`);
    }).timeout(limit(30_000));
  }

  it('keeps what is being read as it is, once it is long', async () => {
    const { source, time, log } = await opened(lines(1, 10));
    log.show();
    await settled();
    log.moveTo('above');
    source.add(lines(11, 2000));
    await time.tick();
    assert.equal(log.text, lines(1, 2010));
    for (const first of [2011, 5011, 8011]) {
      source.add(lines(first, 3000));
      await time.tick();
    }
    assert.ok(log.isBehind);
    assert.ok(log.text.startsWith('1 GET'));
    assert.ok(!log.text.includes('\n10000 '));
    log.moveTo('end');
    assert.ok(!log.isBehind);
    assert.ok(log.text.endsWith('\n11010 GET /index.html 200\n'));
    assert.ok(log.text.length <= maxCompared);
  });

  it('loads earlier lines, also of what a filter shows', async () => {
    const { log } = await opened(lines(1, 5, 'POST') + lines(6, 30_000));
    assert.ok(!log.isFromStart);
    const before = log.text;
    await log.loadEarlier();
    assert.ok(log.text.endsWith(before) && log.text.length > before.length);
    const filter = parseFilter('post');
    assert.ok(filter !== undefined && filter !== 'invalid');
    log.filterBy(filter);
    assert.equal(log.text, '');
    await log.loadEarlier();
    assert.equal(log.text, lines(1, 5, 'POST'));
    assert.ok(log.isFromStart);
  });

  it('shows every line if the connection fails in the middle of a look', async () => {
    const { source, time, log } = await opened(lines(1, 10));
    log.show();
    await settled();
    source.add(lines(11, 3500));
    source.failAt = source.reads + 2;
    await time.tick();
    await time.tick();
    await time.tick();
    assert.equal(log.problem, undefined);
    assert.ok(lines(1, 3510).endsWith(log.text), 'lines are missing');
    assert.ok(log.text.endsWith('\n3510 GET /index.html 200\n'));
  });

  it('shows no line twice if it is filtered in the middle of a look', async () => {
    const { source, time, log } = await opened(lines(1, 10));
    log.show();
    await settled();
    source.add(lines(11, 3500));
    const before = source.reads;
    source.onRead = () => {
      if (source.reads === before + 2) log.filterBy(undefined);
    };
    await time.tick();
    assert.ok(lines(1, 3510).endsWith(log.text), 'lines are repeated or missing');
  });

  it('loads each earlier part once, however often it is asked for at once', async () => {
    const { log } = await opened(lines(1, 20_000));
    await Promise.all([log.loadEarlier(), log.loadEarlier(), log.loadEarlier()]);
    assert.ok(lines(1, 20_000).endsWith(log.text), 'lines are repeated or missing');
    assert.ok(log.text.length > 190_000, `${log.text.length} characters`);
  });

  it('keeps a bounded text of a line that never ends', async () => {
    const { source, time, log } = await opened('start\n');
    log.show();
    await settled();
    for (let look = 0; look < 30; look++) {
      source.add('.'.repeat(100_000));
      await time.tick();
    }
    assert.ok(log.text.length <= 2_300_000, `${log.text.length} characters`);
  });

  it('says when a log was rotated, below what was shown before', async () => {
    const { source, time, log } = await opened(lines(1, 100).trimEnd());
    log.show();
    await settled();
    source.replace(lines(1, 3, 'new'));
    await time.tick();
    const first = `${lines(1, 100)}——— rotated ———\n${lines(1, 3, 'new')}`;
    assert.equal(log.text, first);
    assert.equal(log.restartedAt, time.now());
    source.add(lines(4, 1, 'new'));
    await time.tick();
    assert.equal(log.text, first + lines(4, 1, 'new'));
    // It was truncated, and nothing was written since.
    source.replace('');
    await time.tick();
    const second = `${first}${lines(4, 1, 'new')}——— rotated ———\n`;
    assert.equal(log.text, second);
    source.add(lines(1, 2, 'newest'));
    await time.tick();
    assert.equal(log.text, second + lines(1, 2, 'newest'));
  });

  it('loses no line that a look read before the log was rotated in the middle of it', async () => {
    const additions: string[] = [];
    const { source, time, log } = await opened(lines(1, 10), new Growing(), { added: (text) => additions.push(text) });
    log.show();
    await settled();
    source.add(lines(11, 3500));
    const before = source.reads;
    source.onRead = () => {
      if (source.reads === before + 2) source.replace(lines(1, 3, 'new'));
    };
    await time.tick();
    const [old = '', ...since] = additions.join('').split('\n——— rotated ———\n');
    assert.ok(old.length > 60_000, `${old.length} characters`);
    assert.ok(lines(11, 3500).startsWith(old), 'lines are repeated or missing');
    assert.deepEqual(since, [lines(1, 3, 'new')]);
    assert.ok(log.text.endsWith(`${old.slice(-1000).replace(/\n$/, '')}\n——— rotated ———\n${lines(1, 3, 'new')}`));
    source.add(lines(4, 1, 'new'));
    await time.tick();
    assert.equal(additions.at(-1), lines(4, 1, 'new'));
  });

  it('says that a log was rotated whatever is filtered, and filters what was shown before, too', async () => {
    const { source, time, log } = await opened(`${lines(1, 100)}error 1\n`);
    const filter = parseFilter('error');
    assert.ok(filter !== undefined && filter !== 'invalid');
    log.show();
    await settled();
    log.filterBy(filter);
    source.replace(`${lines(1, 3, 'new')}error 2\n`);
    await time.tick();
    assert.equal(log.text, 'error 1\n——— rotated ———\nerror 2\n');
    log.filterBy(undefined);
    assert.equal(log.text, `${lines(1, 100)}error 1\n——— rotated ———\n${lines(1, 3, 'new')}error 2\n`);
  });

  for (const [what, isRotated] of [
    ['a line that is added', false],
    ['the first line after a rotation', true],
  ] as const) {
    it(`shows all lines, also the earlier ones, once its filter takes too long for ${what}`, async () => {
      const read = `${lines(1, 100)}aaa\n`;
      const { source, time, log } = await opened(read);
      const filter = parseFilter('/^(a+)+$/');
      assert.ok(filter !== undefined && filter !== 'invalid');
      log.show();
      await settled();
      log.filterBy(filter);
      assert.equal(log.text, 'aaa\n');
      const slow = `${'a'.repeat(40)}b\n`;
      if (isRotated) source.replace(slow);
      else source.add(slow);
      await time.tick();
      assert.ok(filter.isTooSlow);
      assert.equal(log.text, `${read}${isRotated ? '——— rotated ———\n' : ''}${slow}`);
    });
  }

  it('keeps a bounded text of a log that is rotated often', async () => {
    const { source, time, log } = await opened(lines(1, 100));
    log.show();
    await settled();
    for (let run = 1; run <= 10; run++) {
      source.replace(lines(run * 5000, 3000));
      await time.tick();
    }
    assert.ok(log.text.length <= maxCompared, `${log.text.length} characters`);
    assert.ok(log.text.endsWith('\n52999 GET /index.html 200\n'));
  });

  it('leaves what is being read as it is when the log is rotated', async () => {
    const { source, time, log } = await opened(lines(1, 100));
    log.show();
    await settled();
    log.moveTo('above');
    source.replace(lines(1, 3, 'new'));
    await time.tick();
    assert.equal(log.text, lines(1, 100));
    assert.ok(log.isBehind);
    log.moveTo('end');
    assert.equal(log.text, `${lines(1, 100)}——— rotated ———\n${lines(1, 3, 'new')}`);
  });

  it('tells at once that it is followed again, even if nothing was written', async () => {
    const { log, changes } = await opened(lines(1, 10));
    log.show();
    log.pause();
    await settled();
    const before = changes();
    log.follow();
    assert.ok(changes() > before);
    assert.ok(!log.isPaused);
  });

  it('reads nothing for a command in an environment that may have stopped while nothing was followed', async () => {
    const { source, time, log } = await opened(lines(1, 20_000, '2026-11-24 00:00:00 GET'));
    log.show();
    await settled();
    // Everything that was read is shown.
    await log.loadEarlier();
    log.pause();
    time.pass(10 * 60_000);
    source.failure = new Error('sleeps');
    const [reads, text] = [source.reads, log.text];
    await assert.rejects(log.loadEarlier(), source.failure);
    await assert.rejects(log.showMoment(time.now() - 60 * 60_000), source.failure);
    assert.deepEqual([source.reads, log.text], [reads, text]);
    source.failure = undefined;
    await log.loadEarlier();
    assert.ok(log.text.length > text.length);
  });

  it('stops when the environment no longer runs', async () => {
    const { source, time, log } = await opened(lines(1, 100));
    log.show();
    await settled();
    source.failure = new Error('sleeps');
    while (!log.isPaused) await time.tick();
    assert.equal(log.problem, source.failure);
    assert.ok(time.isIdle);
  });
});
