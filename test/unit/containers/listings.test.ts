import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FileEntry } from '../../../src/platform/wire/fileEntry';
import { raceAbort } from '../../../src/async/waiting';
import { Canceled, PlatformError } from '../../../src/platform/errors';
import type { ListingRequest } from '../../../src/containers/listingCache';
import { Listings } from '../../../src/containers/listings';
import { type FilePlace } from '../../../src/containers/place';
import { fileOnLayer } from '../../scene/fileAt';

/** A container with folders, and the paths that were listed. */
class Container {
  readonly asked: string[] = [];
  readonly folders = new Map<string, readonly FileEntry[]>();
  readonly forbidden = new Set<string>();

  add(folder: string, files: readonly string[], folders: readonly string[] = []): void {
    const at = (name: string, isDir: boolean) => ({ name, isDir, absolutePath: `${folder}/${name}` });
    this.folders.set(folder, [...files.map((name) => at(name, false)), ...folders.map((name) => at(name, true))]);
  }

  /** Set, requests wait for this, unless they're ended before. */
  until: Promise<void> | undefined;
  ended = 0;

  readonly list = async (folder: FilePlace, { signal }: ListingRequest): Promise<readonly FileEntry[]> => {
    this.asked.push(folder.path);
    if (this.until !== undefined && signal !== undefined) {
      const ended = new Canceled('GetList', { isOutcomeUnknown: false });
      await raceAbort(this.until, signal, ended).catch((error: unknown) => {
        this.ended += 1;
        throw error;
      });
    }
    await this.until;
    const kind = this.forbidden.has(folder.path) ? 'forbidden' : 'notFound';
    const entries = this.forbidden.has(folder.path) ? undefined : this.folders.get(folder.path);
    if (entries === undefined) {
      throw new PlatformError({ kind, operation: 'GetList', message: folder.path });
    }
    return entries;
  };
}

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
      () => [fileOnLayer('/')],
      () => undefined,
      { lifetime: 1000, absence: 100, entries: 5 },
      () => clock,
    );
  });

  it('are evicted even if the folders are empty', async () => {
    container.add('/empty', []);
    for (let n = 0; n <= 20_000; n += 1) {
      container.add(`/empty/${n}`, []);
      await listings.list(fileOnLayer(`/empty/${n}`));
    }
    container.asked.length = 0;
    await listings.list(fileOnLayer('/empty/20000'));
    assert.deepEqual(container.asked, []);
    await listings.list(fileOnLayer('/empty/0'));
    assert.deepEqual(container.asked, ['/empty/0']);
  });

  it('answer a hundred lookups in one folder with one request', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `/etc/missing-${n}`).concat(
      Array<string>(50).fill('/etc/hosts'),
    );
    await listings.list(fileOnLayer('/'));
    const found = await Promise.all(names.map((path) => listings.entry(fileOnLayer(path))));
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
    const found = await Promise.all(paths.map((path) => listings.entry(fileOnLayer(path))));
    assert.deepEqual(
      found,
      paths.map(() => undefined),
    );
    assert.deepEqual(container.asked, ['/']);
  });

  it('list the folder itself if no folder above it is open', async () => {
    const unanchored = new Listings(container.list);
    assert.equal((await unanchored.entry(fileOnLayer('/etc/nginx/nginx.conf')))?.name, 'nginx.conf');
    assert.deepEqual(container.asked, ['/etc/nginx']);
  });

  it('are requested again when they expire', async () => {
    await listings.list(fileOnLayer('/etc'));
    clock = 999;
    await listings.list(fileOnLayer('/etc'));
    clock = 1000;
    await listings.list(fileOnLayer('/etc'));
    assert.deepEqual(container.asked, ['/etc', '/etc']);
  });

  it('are requested again, once for all callers, before a name counts as missing', async () => {
    await listings.list(fileOnLayer('/etc'));
    container.add('/etc', ['hosts', 'new'], ['nginx']);
    clock = 99;
    assert.equal(await listings.entry(fileOnLayer('/etc/new')), undefined);
    clock = 100;
    const found = await Promise.all(
      ['new', 'missing', 'new'].map((name) => listings.entry(fileOnLayer(`/etc/${name}`))),
    );
    assert.deepEqual(
      found.map((entry) => entry?.name),
      ['new', undefined, 'new'],
    );
    assert.deepEqual(container.asked, ['/etc', '/etc']);
    await listings.entry(fileOnLayer('/etc/hosts'));
    await listings.entry(fileOnLayer('/etc/missing'));
    assert.equal(container.asked.length, 2);
  });

  it('find a file in a folder that was created after its parent was listed', async () => {
    await listings.list(fileOnLayer('/etc'));
    container.add('/etc', ['hosts'], ['nginx', 'new']);
    container.add('/etc/new', ['a']);
    clock = 100;
    assert.equal((await listings.entry(fileOnLayer('/etc/new/a')))?.name, 'a');
  });

  it("aren't requested again for the hidden files that VS Code looks for in a workspace", async () => {
    await listings.list(fileOnLayer('/'));
    clock = 100;
    for (const path of ['/.vscode/settings.json', '/.mcp.json', '/.claude/rules/a.md', '/.vscode']) {
      assert.equal(await listings.entry(fileOnLayer(path)), undefined, path);
    }
    assert.deepEqual(container.asked, ['/']);
  });

  it('forget a folder and everything under it, including pending requests', async () => {
    await listings.list(fileOnLayer('/etc'));
    const onItsWay = listings.list(fileOnLayer('/etc/nginx'));
    listings.forget(fileOnLayer('/etc'));
    assert.equal((await onItsWay).size, 2);
    await listings.list(fileOnLayer('/etc/nginx'));
    await listings.list(fileOnLayer('/etc'));
    assert.deepEqual(container.asked, ['/etc', '/etc/nginx', '/etc/nginx', '/etc']);
  });

  it("don't store a failure", async () => {
    await assert.rejects(listings.list(fileOnLayer('/new')));
    container.add('/new', ['a']);
    assert.equal((await listings.list(fileOnLayer('/new'))).size, 1);
  });

  it('stay within their limit and evict the least recently used', async () => {
    await listings.list(fileOnLayer('/etc'));
    await listings.list(fileOnLayer('/'));
    await listings.list(fileOnLayer('/etc'));
    await listings.list(fileOnLayer('/etc/nginx'));
    assert.equal(listings.size, 4);
    await listings.list(fileOnLayer('/etc'));
    assert.deepEqual(container.asked, ['/etc', '/', '/etc/nginx']);
  });

  it("list the folder itself if its parent can't be listed", async () => {
    container.forbidden.add('/etc');
    const unanchored = new Listings(container.list);
    assert.equal((await unanchored.entry(fileOnLayer('/etc/nginx')))?.isDir, true);
    await assert.rejects(unanchored.entry(fileOnLayer('/etc/secret')), { kind: 'forbidden' });
  });

  it("treat nothing as missing because a parent folder couldn't be listed", async () => {
    container.forbidden.add('/');
    assert.equal((await listings.entry(fileOnLayer('/etc/nginx/nginx.conf')))?.name, 'nginx.conf');
  });

  describe('of a search', () => {
    let search: AbortController;
    let release: () => void;
    let shown: string[];

    beforeEach(() => {
      search = new AbortController();
      shown = [];
      container.until = new Promise((resolve) => (release = resolve));
      const onFirstShown = (folder: FilePlace) => shown.push(folder.path);
      listings = new Listings(
        container.list,
        () => [fileOnLayer('/')],
        onFirstShown,
        undefined,
        () => clock,
      );
    });

    it('are known while they are fresh, and only then', async () => {
      release();
      assert.equal(listings.known(fileOnLayer('/etc')), undefined);
      const listing = await listings.list(fileOnLayer('/etc'), search.signal);
      assert.equal(listings.known(fileOnLayer('/etc')), listing);
      assert.equal(await listings.list(fileOnLayer('/etc'), search.signal), listing);
      assert.deepEqual(container.asked, ['/etc']);
      clock = 30_000;
      assert.equal(listings.known(fileOnLayer('/etc')), undefined);
    });

    it('use a request that is under way', async () => {
      const others = listings.list(fileOnLayer('/etc'));
      const own = listings.list(fileOnLayer('/etc'), search.signal);
      release();
      assert.equal(await own, await others);
      assert.deepEqual(container.asked, ['/etc']);
    });

    it('end at once when the search is canceled', async () => {
      const listing = listings.list(fileOnLayer('/etc'), search.signal);
      search.abort();
      await assert.rejects(listing, { name: 'AbortError' });
      assert.equal(container.ended, 1);
      release();
      assert.equal((await listings.list(fileOnLayer('/etc'))).size, 2);
      assert.deepEqual(container.asked, ['/etc', '/etc']);
    });

    it("send nothing if it's canceled already", async () => {
      search.abort();
      await assert.rejects(listings.list(fileOnLayer('/etc'), search.signal), { name: 'AbortError' });
      assert.deepEqual(container.asked, []);
    });

    it('go on for others who wait for the same request', async () => {
      const own = listings.list(fileOnLayer('/etc'), search.signal);
      const others = [
        listings.list(fileOnLayer('/etc')),
        listings.list(fileOnLayer('/etc'), new AbortController().signal),
      ];
      search.abort();
      await assert.rejects(own, { name: 'AbortError' });
      release();
      assert.deepEqual(
        (await Promise.all(others)).map(({ size }) => size),
        [2, 2],
      );
      assert.deepEqual([container.asked, container.ended], [['/etc'], 0]);
    });

    it('end when all searches that wait for the same request are canceled', async () => {
      const other = new AbortController();
      const both = [search, other].map(({ signal }) => listings.list(fileOnLayer('/etc'), signal));
      search.abort();
      await assert.rejects(Promise.race(both), { name: 'AbortError' });
      assert.equal(container.ended, 0);
      other.abort();
      await Promise.all(both.map((listing) => assert.rejects(listing, { name: 'AbortError' })));
      assert.equal(container.ended, 1);
      release();
      assert.equal((await listings.list(fileOnLayer('/etc'))).size, 2);
      assert.deepEqual(container.asked, ['/etc', '/etc']);
    });

    it('leave those of others alone', async () => {
      const others = listings.list(fileOnLayer('/etc'));
      const own = listings.list(fileOnLayer('/etc'), search.signal);
      search.abort();
      await assert.rejects(own, { name: 'AbortError' });
      release();
      assert.equal((await others).size, 2);
    });

    it('fail for everyone if the request fails', async () => {
      const all = [listings.list(fileOnLayer('/missing'), search.signal), listings.list(fileOnLayer('/missing'))];
      release();
      await Promise.all(all.map((listing) => assert.rejects(listing, { kind: 'notFound' })));
    });

    it('are announced as shown if someone else waits for the same request', async () => {
      const both = [listings.list(fileOnLayer('/etc'), search.signal), listings.list(fileOnLayer('/etc'))];
      release();
      await Promise.all(both);
      await listings.list(fileOnLayer('/etc'));
      assert.deepEqual(shown, ['/etc']);
    });

    it('are announced as shown once someone else uses them', async () => {
      release();
      await listings.list(fileOnLayer('/etc'), search.signal);
      await listings.list(fileOnLayer('/etc'), search.signal);
      assert.deepEqual(shown, []);
      await listings.list(fileOnLayer('/etc'));
      await listings.entry(fileOnLayer('/etc/hosts'));
      await listings.list(fileOnLayer('/'));
      assert.deepEqual(shown, ['/etc']);
    });
  });
});
