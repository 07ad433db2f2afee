import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileQueue } from '../../../src/files/saving/saves';
import { WindowPresence, FileLocks } from '../../../src/storage/windows';

function signal() {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => (fire = resolve));
  return { fired, fire: () => fire() };
}

describe('the locks of a window', () => {
  let folder: string;
  let failures: unknown[];
  let presence: WindowPresence;
  let locks: FileLocks;
  let other: WindowPresence;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-locks-'));
    failures = [];
    presence = new WindowPresence(join(folder, 'windows'));
    other = new WindowPresence(join(folder, 'windows'));
    const onDidFail = (error: unknown) => void failures.push(error);
    locks = new FileLocks({ folder: join(folder, 'locks'), presence, inUse: () => new Error('in use'), onDidFail });
  });

  afterEach(async () => {
    await Promise.all([presence.dispose(), other.dispose()]);
    await rm(folder, { recursive: true });
  });

  it('settle when the work that holds them ends', async () => {
    const [work, taken] = [signal(), signal()];
    let isDone = false;
    const held = locks.hold(['site.conf'], async () => {
      taken.fire();
      await work.fired;
      isDone = true;
    });
    const settled = locks.settled().then(() => isDone);
    await taken.fired;
    work.fire();
    assert.equal(await settled, true);
    await held;
  });

  it('are held until the work ends', async () => {
    const left = await locks.hold(['site.conf'], async () => {
      await sleep(20);
      return readdir(join(folder, 'locks'));
    });
    assert.equal(left.length, 1);
    assert.deepEqual(await readdir(join(folder, 'locks')), []);
  });

  it('are visible again once the window can announce itself', async () => {
    // Block both places for its socket.
    const name = createHash('sha256').update(presence.owner.window).digest('hex').slice(0, 24);
    const blocked = [join(folder, 'windows'), `/tmp/gantry-${name}.sock`] as const;
    await writeFile(blocked[0], '');
    await mkdir(blocked[1]);
    try {
      await locks.hold(['site.conf'], () => Promise.resolve());
      assert.equal(failures.length, 1);
    } finally {
      await Promise.all(blocked.map((path) => rm(path, { recursive: true })));
    }
    await locks.hold(['site.conf'], async () => assert.equal(await other.isAlive(presence.owner), true));
    assert.equal(failures.length, 1);
  });

  const many = Array.from({ length: 100 }, (_, n) => `site-${n}.conf`);

  it('on a hundred files at once take few file operations each, and leave nothing behind', async () => {
    await locks.hold(['first.conf'], () => Promise.resolve());
    let operations = 0;
    const counting = createHook({ init: (_, type) => (operations += type.startsWith('FSREQ') ? 1 : 0) }).enable();
    try {
      await Promise.all(many.map((name) => locks.hold([name], () => Promise.resolve())));
    } finally {
      counting.disable();
    }
    // One to create each, one to remove it, and a few to list all of them.
    assert.ok(operations <= 2.5 * many.length, `${operations} operations`);
    assert.deepEqual(await readdir(join(folder, 'locks')), []);
    assert.deepEqual(failures, []);
  });

  it('on many files are never held by two windows at once', async () => {
    const inUse = () => new Error('in use');
    const others = new FileLocks({ folder: join(folder, 'locks'), presence: other, inUse, onDidFail: assert.ifError });
    const held = new Map<string, number>();
    const most = new Map<string, number>();
    const work = (name: string) => async () => {
      held.set(name, (held.get(name) ?? 0) + 1);
      most.set(name, Math.max(most.get(name) ?? 0, held.get(name) ?? 0));
      // Long enough for others to try.
      await readdir(folder);
      held.set(name, (held.get(name) ?? 0) - 1);
    };
    const names = many.slice(0, 20);
    await Promise.all([locks, others].flatMap((one) => names.map((name) => one.hold([name], work(name)))));
    assert.deepEqual([...most.values()], Array(names.length).fill(1));
  });

  it('are visible if the window continues after all', async () => {
    await presence.announce();
    await presence.dispose();
    await locks.hold(['site.conf'], async () => assert.equal(await other.isAlive(presence.owner), true));
  });
});

describe('the queue of changes to a file', () => {
  it('lets a change on one node wait for one on the whole layer, and the other way around', async () => {
    const queue = new FileQueue({ hold: (_, work) => work() });
    const placeOn = (target: { readonly nodeGroup: string; readonly nodeId?: number }) =>
      ({ kind: 'file', account: 'anna', environment: 'shop', target, path: '/etc/site.conf' }) as const;
    const [layer, node] = [placeOn({ nodeGroup: 'cp' }), placeOn({ nodeGroup: 'cp', nodeId: 7 })];
    for (const [one, other] of [
      [layer, node],
      [node, layer],
    ] as const) {
      const ended = signal();
      const events: string[] = [];
      const first = queue.take([one], async () => {
        await ended.fired;
        events.push('first');
      });
      const second = queue.take([other], () => Promise.resolve(events.push('second')));
      ended.fire();
      await Promise.all([first, second]);
      assert.deepEqual(events, ['first', 'second']);
    }
  });
});
