import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Listing } from '../../../../src/containers/listingCache';
import type { FilePlace } from '../../../../src/containers/place';
import type { FileEntry } from '../../../../src/platform/wire/fileEntry';
import { walkFolder } from '../../../../src/features/search/folderWalk';
import { PathFilter } from '../../../../src/containers/pathFilter';

const root: FilePlace = {
  ...{ kind: 'file', account: 'a', environment: 'shop', path: '/srv' },
  target: { nodeGroup: 'cp', nodeId: 1 },
};

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
