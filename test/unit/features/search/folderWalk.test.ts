import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { beforeEach, describe, it } from 'mocha';
import { PlatformError, type PlatformErrorKind } from '../../../../src/platform/errors';
import { FailureStreak, RequestPace, walkFolder } from '../../../../src/features/search/folderWalk';
import type { Listing } from '../../../../src/containers/listingCache';
import type { FilePlace } from '../../../../src/containers/place';
import type { FileEntry } from '../../../../src/platform/wire/fileEntry';
import { PathFilter } from '../../../../src/containers/pathFilter';
import { fileAt } from '../../../scene/fileAt';

const root = fileAt('/srv');

type Details = Partial<FileEntry>;

/** Folders by path, with the names of their entries; a folder's name ends with a slash. */
type Tree = Readonly<Record<string, Readonly<Record<string, Details>>>>;

const entryOf = (name: string, details: Details): FileEntry => {
  const isDir = name.endsWith('/');
  const plain = name.replace('/', '');
  const usual = { absolutePath: plain, name: plain, isDir, length: 1, lastModified: 'then' };
  return { ...usual, fileType: isDir ? 'directory' : 'regular file', ...details };
};

interface WalkOptions {
  readonly include?: string;
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal;
  /** Waits for this before each listing. */
  readonly pause?: (path: string) => Promise<void>;
  readonly onFailure?: (folder: FilePlace, error: unknown) => void;
}

/** Walks through a tree, and returns what was listed, found, skipped and failed, in that order. */
async function walk(tree: Tree, options: WalkOptions = {}) {
  const seen = { listed: [] as string[], found: [] as string[], skipped: [] as string[], failed: [] as string[] };
  const { include = '', exclude = [], signal = new AbortController().signal } = options;
  let running = 0;
  let most = 0;
  await walkFolder(root, {
    list: async ({ path }): Promise<Listing> => {
      seen.listed.push(path);
      running += 1;
      most = Math.max(most, running);
      await (options.pause?.(path) ?? turn());
      running -= 1;
      const names = tree[path];
      if (names === undefined) throw new Error(`${path} is forbidden`);
      const entries = Object.entries(names).map(([name, details]) => entryOf(name, details));
      return new Map(entries.map((entry) => [entry.name, entry]));
    },
    filter: new PathFilter(root, { include, excludeSetting: exclude }),
    signal,
    onFile: ({ path }) => seen.found.push(path),
    onSkipped: ({ place, isFolder, reason }) => seen.skipped.push(`${place.path}${isFolder ? '/' : ''} ${reason}`),
    onFailure: options.onFailure ?? ((_, error) => seen.failed.push(error instanceof Error ? error.message : '')),
  });
  return { ...seen, most };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a walk through folders', () => {
  it('finds files in the order of their names, those near to its start first', async () => {
    const { listed, found } = await walk({
      '/srv': { 'b/': {}, 'a.txt': {}, 'a/': {}, 'B.txt': {} },
      '/srv/a': { 'deep/': {}, '1': {} },
      '/srv/a/deep': { '2': {} },
      '/srv/b': { '3': {} },
    });
    assert.deepEqual(listed, ['/srv', '/srv/a', '/srv/b', '/srv/a/deep']);
    assert.deepEqual(found, ['/srv/B.txt', '/srv/a.txt', '/srv/a/1', '/srv/b/3', '/srv/a/deep/2']);
  });

  it('lists no more than four folders at a time', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `folder-${n}`);
    const tree = Object.fromEntries(names.map((name) => [`/srv/${name}`, {}]));
    const { listed, most } = await walk({ ...tree, '/srv': Object.fromEntries(names.map((name) => [`${name}/`, {}])) });
    assert.equal(listed.length, 31);
    assert.equal(most, 4);
  });

  it("doesn't list excluded folders, and names them and excluded files", async () => {
    const tree = { '/srv': { '.git/': {}, 'a.log': {}, 'a/': {} }, '/srv/a': { 'vendor/': {}, 'b.log': {}, b: {} } };
    const seen = await walk(tree, { exclude: ['.git', 'vendor', '*.log'] });
    assert.deepEqual(seen.listed, ['/srv', '/srv/a']);
    assert.deepEqual(seen.found, ['/srv/a/b']);
    assert.deepEqual(seen.skipped, [
      '/srv/.git/ excluded',
      '/srv/a.log excluded',
      '/srv/a/b.log excluded',
      '/srv/a/vendor/ excluded',
    ]);
    assert.deepEqual((await walk(tree, { include: './a', exclude: ['.git', 'vendor', '*.log'] })).skipped, [
      '/srv/a/b.log excluded',
      '/srv/a/vendor/ excluded',
    ]);
  });

  it('lists only folders that may contain included files', async () => {
    const tree = { '/srv': { 'a/': {}, 'b/': {}, 'c.php': {} }, '/srv/b': { 'd.php': {}, 'e/': {} } };
    const seen = await walk(tree, { include: './b/*.php' });
    assert.deepEqual([seen.listed, seen.found], [['/srv', '/srv/b'], ['/srv/b/d.php']]);
  });

  it('follows no links, and names those that it would have searched', async () => {
    const link = { fileType: 'symbolic link' } as const;
    const tree = { '/srv': { 'file.php': link, 'folder/': link, 'other.txt': link } };
    const all = await walk(tree);
    assert.deepEqual(all.skipped, ['/srv/file.php link', '/srv/folder/ link', '/srv/other.txt link']);
    const some = await walk(tree, { include: '*.php' });
    assert.deepEqual(some.skipped, ['/srv/file.php link', '/srv/folder/ link']);
    assert.deepEqual((await walk(tree, { include: './file.php' })).skipped, ['/srv/file.php link']);
    assert.deepEqual([all.listed, all.found], [['/srv'], []]);
  });

  it('notices a link that leads back up, even if it is listed as a folder', async () => {
    const app = { 'up/': {}, file: {} };
    const top = { 'app/': {}, 'other/': {} };
    const { listed, found, skipped } = await walk({
      '/srv': top,
      '/srv/app': app,
      '/srv/app/up': top,
      '/srv/other': { 'self/': {}, 'a.txt': {} },
      '/srv/other/self': { 'self/': {}, 'a.txt': {} },
    });
    assert.deepEqual(listed, ['/srv', '/srv/app', '/srv/other', '/srv/app/up', '/srv/other/self']);
    assert.deepEqual(found, ['/srv/app/file', '/srv/other/a.txt']);
    assert.deepEqual(skipped, ['/srv/app/up/ link', '/srv/other/self/ link']);
  });

  it('notices it, too, if a file changed between the two listings', async () => {
    const { listed, found, skipped } = await walk({
      '/srv': { 'self/': {}, 'app.log': { length: 10 } },
      '/srv/self': { 'self/': {}, 'app.log': { length: 20, lastModified: 'now' } },
    });
    assert.deepEqual([listed, found, skipped], [['/srv', '/srv/self'], ['/srv/app.log'], ['/srv/self/ link']]);
  });

  it('enters folders that only look alike', async () => {
    const { found, skipped } = await walk({
      '/srv': { 'a/': {} },
      '/srv/a': { 'a/': {} },
      '/srv/a/a': { 'a/': {}, '1.txt': {} },
      '/srv/a/a/a': { 'a/': { lastModified: 'now' }, '1.txt': {} },
      '/srv/a/a/a/a': { 'a/': {}, '1.txt': { permission: 'rw-------' } },
      '/srv/a/a/a/a/a': {},
    });
    assert.deepEqual(found, ['/srv/a/a/1.txt', '/srv/a/a/a/1.txt', '/srv/a/a/a/a/1.txt']);
    assert.deepEqual(skipped, []);
  });

  it('goes on after a folder that could not be listed', async () => {
    const { found, failed } = await walk({ '/srv': { 'a/': {}, 'b/': {} }, '/srv/b': { '1': {} } });
    assert.deepEqual([found, failed], [['/srv/b/1'], ['/srv/a is forbidden']]);
  });

  it('ends if the failure is not accepted', async () => {
    const onFailure = (_: FilePlace, error: unknown) => {
      throw error;
    };
    await assert.rejects(walk({}, { onFailure }), /forbidden/);
  });

  it('finds and reports nothing after it was canceled', async () => {
    const canceling = new AbortController();
    const tree = { '/srv': { 'a/': {}, 'b/': {} }, '/srv/a': { '1': {} } };
    const pause = (path: string) => {
      if (path === '/srv/b') canceling.abort();
      return turn();
    };
    const { listed, found, failed } = await walk(tree, { signal: canceling.signal, pause });
    assert.deepEqual([listed, found, failed], [['/srv', '/srv/a', '/srv/b'], [], []]);
  });
});

type Result = PlatformErrorKind | 'read';

/** After how many results the streak ends, if it does. */
function endOf(results: readonly Result[]): number | undefined {
  const streak = new FailureStreak();
  const end = results.findIndex((kind) => {
    if (kind !== 'read') return streak.endsWith(new PlatformError({ kind, operation: 'GetList', message: kind }));
    streak.broken();
    return false;
  });
  return end < 0 ? undefined : end + 1;
}

const times = (count: number, kind: Result) => Array.from({ length: count }, () => kind);

describe('failures in a row', () => {
  const table: readonly (readonly [what: string, results: readonly Result[], end: number | undefined])[] = [
    ['three requests without a response', ['timeout', 'unreachable', 'protocol'], 3],
    ['no response, but in between something was read', ['timeout', 'timeout', 'read', 'timeout', 'timeout'], undefined],
    ['no response, but in between the platform failed', ['timeout', 'timeout', 'platform', 'timeout'], undefined],
    ['a missing response after two failures of the platform', ['platform', 'platform', 'timeout'], undefined],
    ['19 failures of the platform', times(19, 'platform'), undefined],
    ['20 failures of the platform', times(30, 'platform'), 20],
    ['20 of both kinds', [...times(19, 'platform'), 'timeout', 'read'], 20],
    ['failures that concern one file', times(30, 'forbidden'), undefined],
    ['a failure that concerns one file in between', [...times(19, 'platform'), 'notFound', 'platform'], undefined],
    ['a session that ended', ['forbidden', 'unauthenticated'], 2],
  ];
  for (const [what, results, end] of table) {
    it(`${what}: ${end === undefined ? 'goes on' : `ends after ${end}`}`, () => assert.equal(endOf(results), end));
  }

  it('ends with an error that is not the platform’s', () => {
    assert.equal(new FailureStreak().endsWith(new TypeError('x is undefined')), true);
  });
});

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
