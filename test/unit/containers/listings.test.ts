import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FileEntry } from '../../../src/platform/wire/fileEntry';
import { PlatformError } from '../../../src/platform/errors';
import { Listings } from '../../../src/containers/listings';
import { type FilePlace } from '../../../src/containers/place';

/** A container with folders, and the paths that were listed. */
class Container {
  readonly asked: string[] = [];
  readonly folders = new Map<string, readonly FileEntry[]>();
  readonly forbidden = new Set<string>();

  add(folder: string, files: readonly string[], folders: readonly string[] = []): void {
    const at = (name: string, isDir: boolean) => ({ name, isDir, absolutePath: `${folder}/${name}` });
    this.folders.set(folder, [...files.map((name) => at(name, false)), ...folders.map((name) => at(name, true))]);
  }

  readonly list = (folder: FilePlace): Promise<readonly FileEntry[]> => {
    this.asked.push(folder.path);
    const kind = this.forbidden.has(folder.path) ? 'forbidden' : 'notFound';
    const entries = this.forbidden.has(folder.path) ? undefined : this.folders.get(folder.path);
    return entries === undefined
      ? Promise.reject(new PlatformError({ kind, operation: 'GetList', message: folder.path }))
      : Promise.resolve(entries);
  };
}

const place = (path: string): FilePlace => ({
  kind: 'file',
  account: 'a',
  environment: 'shop',
  target: { nodeGroup: 'cp' },
  path,
});

describe('listings', () => {
  let container: Container;
  let clock: number;
  let listings: Listings;

  beforeEach(() => {
    container = new Container();
    container.add('/', [], ['etc', 'var']);
    container.add('/etc', ['hosts'], ['nginx']);
    container.add('/etc/nginx', ['nginx.conf', 'mime.types']);
    clock = 0;
    listings = new Listings(
      container.list,
      () => [place('/')],
      { lifetime: 1000, absence: 100, entries: 5 },
      () => clock,
    );
  });

  it('are evicted even if the folders are empty', async () => {
    container.add('/empty', []);
    for (let n = 0; n <= 20_000; n += 1) {
      container.add(`/empty/${n}`, []);
      await listings.list(place(`/empty/${n}`));
    }
    container.asked.length = 0;
    await listings.list(place('/empty/20000'));
    assert.deepEqual(container.asked, []);
    await listings.list(place('/empty/0'));
    assert.deepEqual(container.asked, ['/empty/0']);
  });

  it('answer a hundred lookups in one folder with one request', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `/etc/missing-${n}`).concat(
      Array<string>(50).fill('/etc/hosts'),
    );
    await listings.list(place('/'));
    const found = await Promise.all(names.map((path) => listings.entry(place(path))));
    assert.equal(found.filter((entry) => entry !== undefined).length, 50);
    assert.deepEqual(container.asked, ['/', '/etc']);
  });

  it('know from the open folder that a missing folder has no entries', async () => {
    const paths = [
      '/.vscode/settings.json',
      '/.mcp.json',
      '/.github/agents/x',
      '/eclipse/eclipse',
      '/.config/nvim/init.lua',
    ];
    const found = await Promise.all(paths.map((path) => listings.entry(place(path))));
    assert.deepEqual(
      found,
      paths.map(() => undefined),
    );
    assert.deepEqual(container.asked, ['/']);
  });

  it('list the folder itself if no folder above it is open', async () => {
    const unanchored = new Listings(container.list);
    assert.equal((await unanchored.entry(place('/etc/nginx/nginx.conf')))?.name, 'nginx.conf');
    assert.deepEqual(container.asked, ['/etc/nginx']);
  });

  it('are requested again when they expire', async () => {
    await listings.list(place('/etc'));
    clock = 999;
    await listings.list(place('/etc'));
    clock = 1000;
    await listings.list(place('/etc'));
    assert.deepEqual(container.asked, ['/etc', '/etc']);
  });

  it('are requested again, once for all callers, before a name counts as missing', async () => {
    await listings.list(place('/etc'));
    container.add('/etc', ['hosts', 'new'], ['nginx']);
    clock = 99;
    assert.equal(await listings.entry(place('/etc/new')), undefined);
    clock = 100;
    const found = await Promise.all(['new', 'missing', 'new'].map((name) => listings.entry(place(`/etc/${name}`))));
    assert.deepEqual(
      found.map((entry) => entry?.name),
      ['new', undefined, 'new'],
    );
    assert.deepEqual(container.asked, ['/etc', '/etc']);
    await listings.entry(place('/etc/hosts'));
    await listings.entry(place('/etc/missing'));
    assert.equal(container.asked.length, 2);
  });

  it('find a file in a folder that was created after its parent was listed', async () => {
    await listings.list(place('/etc'));
    container.add('/etc', ['hosts'], ['nginx', 'new']);
    container.add('/etc/new', ['a']);
    clock = 100;
    assert.equal((await listings.entry(place('/etc/new/a')))?.name, 'a');
  });

  it("aren't requested again for the hidden files that VS Code looks for in a workspace", async () => {
    await listings.list(place('/'));
    clock = 100;
    for (const path of ['/.vscode/settings.json', '/.mcp.json', '/.claude/rules/a.md', '/.vscode']) {
      assert.equal(await listings.entry(place(path)), undefined, path);
    }
    assert.deepEqual(container.asked, ['/']);
  });

  it('forget a folder and everything under it, including pending requests', async () => {
    await listings.list(place('/etc'));
    const onItsWay = listings.list(place('/etc/nginx'));
    listings.forget(place('/etc'));
    assert.equal((await onItsWay).size, 2);
    await listings.list(place('/etc/nginx'));
    await listings.list(place('/etc'));
    assert.deepEqual(container.asked, ['/etc', '/etc/nginx', '/etc/nginx', '/etc']);
  });

  it("don't store a failure", async () => {
    await assert.rejects(listings.list(place('/new')));
    container.add('/new', ['a']);
    assert.equal((await listings.list(place('/new'))).size, 1);
  });

  it('stay within their limit and evict the least recently used', async () => {
    await listings.list(place('/etc'));
    await listings.list(place('/'));
    await listings.list(place('/etc'));
    await listings.list(place('/etc/nginx'));
    assert.equal(listings.size, 4);
    await listings.list(place('/etc'));
    assert.deepEqual(container.asked, ['/etc', '/', '/etc/nginx']);
  });

  it("list the folder itself if its parent can't be listed", async () => {
    container.forbidden.add('/etc');
    const unanchored = new Listings(container.list);
    assert.equal((await unanchored.entry(place('/etc/nginx')))?.isDir, true);
    await assert.rejects(unanchored.entry(place('/etc/secret')), { kind: 'forbidden' });
  });

  it("treat nothing as missing because a parent folder couldn't be listed", async () => {
    container.forbidden.add('/');
    assert.equal((await listings.entry(place('/etc/nginx/nginx.conf')))?.name, 'nginx.conf');
  });
});
