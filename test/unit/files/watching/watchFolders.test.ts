import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ListingDifference } from '../../../../src/files/watching/listingDifferences';
import type { TimeSource } from '../../../../src/async/waiting';
import { FolderWatcher } from '../../../../src/files/watching/watchFolders';
import type { FileEntry } from '../../../../src/platform/wire/fileEntry';
import type { FilePlace } from '../../../../src/containers/place';
import { fileAt } from '../../../scene/fileAt';

const file = (name: string, length: number, lastModified = '2026-01-01 00:00:00'): FileEntry => ({
  absolutePath: `/etc/${name}`,
  name,
  isDir: false,
  length,
  lastModified,
});

/** A container that the window lists directly, and that watching lists through `look`. */
class Container {
  readonly folders = new Map<string, readonly FileEntry[]>();
  readonly looks: string[] = [];
  readonly told: (readonly ListingDifference[])[] = [];
  visible: readonly FilePlace[] = [];
  clock = 0;
  slowness = 0;

  readonly watching: FolderWatcher = new FolderWatcher(
    {
      look: async (folder) => {
        this.looks.push(folder.path);
        return this.list(folder);
      },
      visible: () => this.visible,
      announce: (_, differences) => void this.told.push(differences),
    },
    { soonest: 10, rarest: 1000, memory: 5000 },
    { now: () => this.clock, after: () => () => undefined },
  );

  /** Lists some time after the last listing. */
  async lookAround(): Promise<void> {
    this.clock += 10;
    await this.watching.lookAround();
  }

  list(folder: FilePlace, use?: 'searched'): Promise<readonly FileEntry[]> {
    const asked = Promise.resolve().then(() => {
      this.clock += this.slowness;
      const entries = this.folders.get(folder.path);
      if (entries === undefined) {
        throw new Error('gone');
      }
      return entries;
    });
    return this.watching.onListing(folder, asked, use);
  }
}

function underway() {
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish: () => finish() };
}

describe('watching', () => {
  let container: Container;
  const etc = fileAt('/etc');

  describe('remembers no more than its limit', () => {
    const bound = 100_000;
    const files = (count: number) => Array.from({ length: count }, (_, n) => file(`file-${n}`, 1));
    const listed = async (path: string, count: number) => {
      container.folders.set(path, files(count));
      container.clock += 1;
      await container.list(fileAt(path));
    };

    it('if many small folders were listed before a large one', async () => {
      for (let n = 0; n < 50; n += 1) await listed(`/small/${n}`, 9);
      for (let n = 0; n < 30; n += 1) await listed(`/large/${n}`, 10_000);
      assert.ok(container.watching.size <= bound, String(container.watching.size));
    });

    it('if folders grow after they were listed', async () => {
      for (let n = 0; n < 30; n += 1) await listed(`/growing/${n}`, 1);
      for (let n = 0; n < 30; n += 1) await listed(`/growing/${n}`, 10_000);
      assert.ok(container.watching.size <= bound, String(container.watching.size));
    });

    it('if folders are empty, and drops a folder that outgrew it', async () => {
      const before = container.watching.size;
      for (let n = 0; n < 1_000; n += 1) await listed(`/empty/${n}`, 0);
      assert.equal(container.watching.size, before + 1_000);
      await listed('/empty/0', 10_001);
      assert.equal(container.watching.size, before + 999);
    });
  });

  beforeEach(async () => {
    container = new Container();
    container.folders.set('/etc', [file('a', 1), file('b', 2)]);
    await container.list(etc);
  });

  it('reports new, changed, and deleted files in a recently listed folder', async () => {
    container.folders.set('/etc', [file('a', 1, '2026-01-01 00:00:09'), file('c', 3)]);
    await container.lookAround();
    assert.deepEqual(container.told, [
      [
        { name: 'a', kind: 'changed' },
        { name: 'c', kind: 'created' },
        { name: 'b', kind: 'deleted' },
      ],
    ]);
  });

  it('reports nothing without a change, and nothing twice', async () => {
    await container.lookAround();
    container.folders.set('/etc', [file('a', 9), file('b', 2)]);
    await container.lookAround();
    await container.lookAround();
    assert.deepEqual(container.told, [[{ name: 'a', kind: 'changed' }]]);
  });

  it('detects changes in any listing, for whatever reason it was requested', async () => {
    container.folders.set('/etc', [file('a', 1)]);
    await container.list(etc);
    assert.deepEqual(container.told, [[{ name: 'b', kind: 'deleted' }]]);
  });

  /** Requests a listing whose response arrives only later. */
  const slowListing = (entries: readonly FileEntry[]) => {
    const { done, finish } = underway();
    const listed = container.watching.onListing(
      etc,
      done.then(() => entries),
    );
    return () => (finish(), listed);
  };

  it("doesn't take an earlier listing that arrives later for a change by others", async () => {
    const arrive = slowListing([file('a', 1), file('b', 2)]);
    container.folders.set('/etc', [file('a', 1), file('b', 2), file('c', 3)]);
    await container.list(etc);
    await arrive();
    await container.lookAround();
    assert.deepEqual(container.told, [[{ name: 'c', kind: 'created' }]]);
  });

  it("doesn't report the window's own change after a listing that was requested before it", async () => {
    const arrive = slowListing([file('a', 1), file('b', 2)]);
    container.watching.recordOwnChange(etc, 'a', 'there');
    await arrive();
    container.folders.set('/etc', [file('a', 5), file('b', 2)]);
    await container.lookAround();
    assert.deepEqual(container.told, []);
  });

  it("doesn't check a folder that only a search has listed", async () => {
    container.folders.set('/var', [file('a', 1)]);
    await container.list(fileAt('/var'), 'searched');
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc']);
  });

  it("detects changes in a search's listing of a checked folder, which isn't checked longer for it", async () => {
    container.clock += 4000;
    container.folders.set('/etc', [file('a', 1)]);
    await container.list(etc, 'searched');
    assert.deepEqual(container.told, [[{ name: 'b', kind: 'deleted' }]]);
    container.clock += 2000;
    await container.lookAround();
    assert.deepEqual(container.looks, []);
  });

  it("doesn't report the window's own change, but reports the next one", async () => {
    container.watching.recordOwnChange(etc, 'a', 'there');
    container.folders.set('/etc', [file('a', 5), file('b', 2)]);
    await container.lookAround();
    assert.deepEqual(container.told, []);
    container.folders.set('/etc', [file('a', 6), file('b', 2)]);
    await container.lookAround();
    assert.deepEqual(container.told, [[{ name: 'a', kind: 'changed' }]]);
  });

  it("doesn't attribute this window's running change to others", async () => {
    const { done, finish } = underway();
    const onAnyNode = { ...fileAt('/etc/a'), target: { nodeGroup: 'cp' } };
    container.watching.changing(onAnyNode, done);
    container.folders.set('/etc', [file('a', 9), file('b', 7)]);
    await container.list(etc);
    const others = container.told.flat().map(({ name }) => name);
    assert.ok(!others.includes('a'));

    container.watching.recordOwnChange(etc, 'a', 'there');
    finish();
    await done;
    await container.lookAround();
    assert.deepEqual(
      container.told.flat().filter(({ name }) => name === 'a'),
      [],
    );
    container.folders.set('/etc', [file('a', 10), file('b', 7)]);
    await container.lookAround();
    assert.deepEqual(container.told.at(-1), [{ name: 'a', kind: 'changed' }]);
  });

  it('reports a change made between a save and the next check', async () => {
    const { done, finish } = underway();
    container.watching.changing(fileAt('/etc/a'), done);
    container.folders.set('/etc', [file('a', 9, 'saved'), file('b', 2)]);
    await container.list(etc);
    container.watching.recordOwnChange(etc, 'a', 'there');
    finish();
    await done;
    assert.deepEqual(container.told, []);
    container.folders.set('/etc', [file('a', 9, 'by a colleague'), file('b', 2)]);
    await container.lookAround();
    assert.deepEqual(container.told, [[{ name: 'a', kind: 'changed' }]]);
  });

  describe('of a large folder, where a save is verified by its name only,', () => {
    const save = async (entry: FileEntry, { isSaved = true } = {}) => {
      const { done, finish } = underway();
      container.watching.changing(fileAt('/etc/a'), done);
      container.watching.onEntriesListed(etc, [entry]);
      if (isSaved) container.watching.recordOwnChange(etc, 'a', 'there');
      finish();
      await done;
    };

    it('reports a change made between the save and the next check', async () => {
      await save(file('a', 9, 'saved'));
      container.folders.set('/etc', [file('a', 9, 'by a colleague'), file('b', 2)]);
      await container.lookAround();
      assert.deepEqual(container.told, [[{ name: 'a', kind: 'changed' }]]);
    });

    it('does not report the save', async () => {
      await save(file('a', 9, 'saved'));
      container.folders.set('/etc', [file('a', 9, 'saved'), file('b', 2)]);
      await container.lookAround();
      assert.deepEqual(container.told, []);
    });

    it('reports a change that the check before the next save found', async () => {
      await save(file('a', 9, 'saved'));
      await save(file('a', 9, 'by a colleague'), { isSaved: false });
      container.folders.set('/etc', [file('a', 9, 'by a colleague'), file('b', 2)]);
      await container.lookAround();
      assert.deepEqual(container.told, [[{ name: 'a', kind: 'changed' }]]);
    });

    it("does not report a later change by this window that wasn't verified", async () => {
      await save(file('a', 1), { isSaved: false });
      container.watching.recordOwnChange(etc, 'a', 'there');
      container.folders.set('/etc', [file('a', 20, 'appended'), file('b', 2)]);
      await container.lookAround();
      assert.deepEqual(container.told, []);
    });
  });

  it('reports a file that someone else re-created after Gantry deleted it', async () => {
    container.watching.recordOwnChange(etc, 'a', 'gone');
    await container.lookAround();
    assert.deepEqual(container.told, [[{ name: 'a', kind: 'created' }]]);
  });

  it('reports a file that someone else deleted after Gantry changed it', async () => {
    container.watching.recordOwnChange(etc, 'a', 'there');
    container.folders.set('/etc', [file('b', 2)]);
    await container.lookAround();
    assert.deepEqual(container.told, [[{ name: 'a', kind: 'deleted' }]]);
  });

  it('reports what a failed change by this window has left behind', async () => {
    let fail: (error: Error) => void = () => undefined;
    const failed = new Promise<void>((_, reject) => (fail = reject));
    container.watching.changing(fileAt('/etc/a'), failed);
    container.folders.set('/etc', [file('a', 9)]);
    await container.list(etc);
    assert.ok(!container.told.flat().some(({ name }) => name === 'a'));
    fail(new Error('the connection broke'));
    await assert.rejects(failed);
    await container.lookAround();
    assert.deepEqual(container.told.at(-1), [{ name: 'a', kind: 'changed' }]);
  });

  it("forgets a folder that wasn't listed for long, and keeps visible folders", async () => {
    container.clock = 6000;
    await container.lookAround();
    assert.deepEqual(container.looks, []);
    container.visible = [etc];
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc']);
    container.folders.set('/etc', []);
    await container.lookAround();
    assert.equal(container.told.length, 1);
  });

  it("doesn't count its own listings as user interest", async () => {
    container.clock = 4000;
    await container.lookAround();
    container.clock = 6000;
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc']);
  });

  it('checks less often the longer a check takes', async () => {
    container.slowness = 100;
    await container.lookAround();
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc']);
    container.clock += 2000;
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc', '/etc']);
  });

  it("doesn't check a folder that can't be listed for a while", async () => {
    container.folders.clear();
    await container.lookAround();
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc']);
  });

  it("doesn't keep huge folders", async () => {
    container.folders.set(
      '/huge',
      Array.from({ length: 10_001 }, (_, n) => file(String(n), n)),
    );
    await container.list(fileAt('/huge'));
    await container.lookAround();
    assert.deepEqual(container.looks, ['/etc']);
  });
});

/** Advances only when a test says so. */
class TestClock implements TimeSource {
  private readonly alarms = new Map<() => void, number>();
  time = 0;

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    this.alarms.set(run, this.time + milliseconds);
    return () => void this.alarms.delete(run);
  }

  /** Returns when the next timer fired, or `undefined` if there is none. */
  async next(): Promise<number | undefined> {
    const [first] = [...this.alarms].sort(([, a], [, b]) => a - b);
    if (first === undefined) {
      return undefined;
    }
    const [run, at] = first;
    this.alarms.delete(run);
    this.time = at;
    run();
    await new Promise((resolve) => setImmediate(resolve));
    return at;
  }
}

describe('the interval of watching', () => {
  let clock: TestClock;
  let looks: number;
  let watching: FolderWatcher;

  beforeEach(() => {
    clock = new TestClock();
    looks = 0;
    const look = () => Promise.resolve(void (looks += 1));
    const watched = { look, visible: () => [fileAt('/etc')], announce: () => undefined };
    watching = new FolderWatcher(watched, { soonest: 100, rarest: 400, memory: 1000 }, clock);
  });

  it('starts short, and grows to its maximum if nothing changes', async () => {
    watching.focus(true);
    assert.deepEqual(
      [await clock.next(), await clock.next(), await clock.next(), await clock.next(), await clock.next()],
      [300, 700, 1100, 1500, 1900],
    );
    assert.equal(looks, 5);
  });

  it("becomes short again when the user does something, and isn't delayed by that", async () => {
    watching.focus(true);
    await clock.next();
    clock.time += 50;
    watching.active();
    clock.time += 50;
    watching.active();
    assert.deepEqual([await clock.next(), await clock.next(), await clock.next()], [450, 610, 866]);
  });

  it('stays moderate while the user types', async () => {
    watching.focus(true);
    for (let n = 0; n < 6; n += 1) {
      await clock.next();
    }
    watching.typing();
    await clock.next();
    const before = clock.time;
    assert.ok(((await clock.next()) ?? 0) - before <= 500);
  });

  it('stops while the window has no focus', async () => {
    watching.active();
    assert.equal(await clock.next(), undefined);
    watching.focus(true);
    watching.focus(false);
    watching.active();
    assert.equal(await clock.next(), undefined);
    assert.equal(looks, 0);
  });

  it('stops when watching is disposed of', async () => {
    watching.focus(true);
    watching.dispose();
    watching.active();
    assert.equal(await clock.next(), undefined);
  });
});
