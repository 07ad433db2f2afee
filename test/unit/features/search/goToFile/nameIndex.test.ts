import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Listing } from '../../../../../src/containers/listingCache';
import type { FilePlace } from '../../../../../src/containers/place';
import { PlatformError, type PlatformErrorKind } from '../../../../../src/platform/errors';
import type { FileEntry, FileType } from '../../../../../src/platform/wire/fileEntry';
import type { NameIndex } from '../../../../../src/features/search/goToFile/nameIndex';
import { NameIndexes } from '../../../../../src/features/search/goToFile/nameIndexes';
import { parseNameQuery } from '../../../../../src/features/search/goToFile/nameSearch';
import { RequestPace } from '../../../../../src/features/search/folderWalk';
import { fileAt } from '../../../../scene/fileAt';

const inTenMinutes = 600_000;

/** A container with folders, and the paths that were listed. */
class Container {
  asked: string[] = [];
  readonly fresh = new Map<string, Listing>();
  /** Folders that are listed as another one. */
  readonly alike = new Map<string, Listing>();
  readonly failures = new Map<string, PlatformErrorKind>();
  private readonly entries = new Map<string, Map<string, FileEntry>>([['/', new Map()]]);
  /** Called with each folder before its listing is returned. */
  beforeAnswer: (folder: string) => void | Promise<void> = () => undefined;

  add(path: string, fileType: FileType = 'regular file', isDir = false): void {
    const end = path.lastIndexOf('/');
    const [folder, name] = [path.slice(0, end) || '/', path.slice(end + 1)];
    if (!this.entries.has(folder)) this.addFolder(folder);
    this.entries.get(folder)?.set(name, { absolutePath: path, name, isDir, fileType });
  }

  addFolder(path: string): void {
    this.entries.set(path, this.entries.get(path) ?? new Map<string, FileEntry>());
    this.add(path, 'directory', true);
  }

  remove(path: string): void {
    const end = path.lastIndexOf('/');
    this.entries.get(path.slice(0, end) || '/')?.delete(path.slice(end + 1));
    this.entries.delete(path);
  }

  listing(path: string): Listing {
    const found = this.entries.get(path);
    if (found === undefined) throw new PlatformError({ kind: 'notFound', operation: 'GetList', message: path });
    return new Map(found);
  }

  async list({ path }: FilePlace, signal: AbortSignal): Promise<Listing> {
    this.asked.push(path);
    await this.beforeAnswer(path);
    signal.throwIfAborted();
    const kind = this.failures.get(path);
    if (kind !== undefined) throw new PlatformError({ kind, operation: 'GetList', message: path });
    return this.alike.get(path) ?? this.listing(path);
  }

  /** Returns the folders that were listed since the last call. */
  takeAsked(): readonly string[] {
    return this.asked.splice(0).sort();
  }
}

describe('an index of file names', () => {
  let container: Container;
  let clock: number;
  let exclude: readonly string[];
  const indexes = (bound?: number) =>
    new NameIndexes(
      {
        knownListing: ({ path }) => container.fresh.get(path),
        list: (folder, signal) => container.list(folder, signal),
        pace: new RequestPace(() => 1_000_000, 1_000_000),
        now: () => clock,
      },
      () => exclude,
      bound,
    );
  const all = (index: NameIndex, from = index.root.path) =>
    index
      .first(from, 1_000)
      .map(({ folder, name }) => `${folder === '/' ? '' : folder}/${name}`)
      .sort();

  beforeEach(() => {
    container = new Container();
    clock = 1;
    exclude = ['**/node_modules', '*.min.js'];
    for (const path of ['/app/index.php', '/app/src/a.php', '/app/src/deep/b.php', '/app/node_modules/x/y.js']) {
      container.add(path);
    }
    container.add('/etc/hosts');
  });

  it('has all files below its folder with one request for each folder, and then needs none', async () => {
    const index = indexes().of(fileAt('/app'));
    assert.equal(index.needsRefresh(), true);
    assert.deepEqual(container.takeAsked(), []);
    await index.refresh();
    assert.deepEqual(all(index), ['/app/index.php', '/app/src/a.php', '/app/src/deep/b.php']);
    assert.deepEqual(container.takeAsked(), ['/app', '/app/src', '/app/src/deep']);
    await index.refresh();
    assert.deepEqual(container.takeAsked(), []);
    assert.equal(index.needsRefresh(), false);
  });

  it('says what it leaves out', async () => {
    container.add('/app/app.min.js');
    container.add('/app/current', 'symbolic link', true);
    container.add('/app/link.php', 'symbolic link');
    container.add('/app/socket', 'socket');
    container.addFolder('/app/secret');
    container.failures.set('/app/secret', 'forbidden');
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    const { files, links, excluded, unreadable, isFull, stopped, isGrowing } = index.stateBelow('/app');
    assert.deepEqual(all(index), ['/app/index.php', '/app/link.php', '/app/src/a.php', '/app/src/deep/b.php']);
    assert.deepEqual({ files, links, excluded }, { files: 4, links: 1, excluded: ['node_modules'] });
    assert.deepEqual({ isFull, stopped, isGrowing }, { isFull: false, stopped: undefined, isGrowing: false });
    assert.deepEqual(
      unreadable.map(({ path }) => path),
      ['/app/secret'],
    );
    container.takeAsked();
    await index.refresh();
    assert.deepEqual(container.takeAsked(), [], 'asks for an unreadable folder again');
  });

  it('stays while it is the newest, also if an older one grows beyond what all of them may hold', async () => {
    const both = indexes(4);
    const [older, newest] = ['/app', '/etc'].map((path) => both.of(fileAt(path)));
    assert.ok(older && newest);
    await newest.refresh();
    await older.refresh();
    assert.deepEqual([newest.isDisposed, older.isDisposed], [false, false]);
    assert.deepEqual(all(newest), ['/etc/hosts']);
    assert.equal(older.stateBelow('/app').isFull, true);
  });

  it("doesn't follow a link that is listed as the folder above it", async () => {
    container.add('/app/src/up/index.php');
    container.add('/app/src/up/src/a.php');
    const same = container.listing('/app');
    container.alike.set('/app/src/up', same);
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    assert.deepEqual(all(index), ['/app/index.php', '/app/src/a.php', '/app/src/deep/b.php']);
    assert.equal(index.stateBelow('/app').links, 1);
    assert.deepEqual(container.takeAsked(), ['/app', '/app/src', '/app/src/deep', '/app/src/up']);
  });

  it("doesn't follow such a link either if a file changed between the two listings", async () => {
    const logs = (length: number): Listing => {
      const folder = { absolutePath: '/logs/self', name: 'self', isDir: true, lastModified: 'then' } as const;
      const file = { absolutePath: '/logs/app.log', name: 'app.log', isDir: false, lastModified: `${length}`, length };
      return new Map<string, FileEntry>([
        ['self', { ...folder, fileType: 'directory' }],
        ['app.log', { ...file, fileType: 'regular file' }],
      ]);
    };
    container.alike.set('/logs', logs(1));
    container.alike.set('/logs/self', logs(2));
    const index = indexes().of(fileAt('/logs'));
    await index.refresh();
    assert.deepEqual([all(index), container.takeAsked()], [['/logs/app.log'], ['/logs', '/logs/self']]);
  });

  it('answers while it grows', async () => {
    const index = indexes().of(fileAt('/app'));
    const seen: (readonly string[])[] = [];
    container.beforeAnswer = (folder) => {
      if (folder === '/app/src') seen.push(index.search('/app', parseNameQuery('php'), 10).map(({ name }) => name));
    };
    const states: boolean[] = [];
    index.onDidChange(() => states.push(index.stateBelow('/app').isGrowing));
    await index.refresh();
    assert.deepEqual(seen, [['index.php']]);
    assert.deepEqual([states.at(0), states.at(-1)], [true, false]);
  });

  it('finds what changed since the search before, which found less', async () => {
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    const names = (typed: string) => index.search('/app', parseNameQuery(typed), 10).map(({ name }) => name);
    assert.deepEqual([names('i'), names('in'), names('inde'), names('i')], Array(4).fill(['index.php']));
    container.add('/app/index.html');
    clock += 1;
    index.noteListing(fileAt('/app'), container.listing('/app'), clock);
    assert.deepEqual(names('index'), ['index.php', 'index.html']);
    clock += 1;
    index.noteChange(fileAt('/app/index.php'), 'deleted');
    assert.deepEqual(names('index.'), ['index.html']);
  });

  it('uses listings that are known to be current', async () => {
    container.fresh.set('/app/src', container.listing('/app/src'));
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    assert.deepEqual(container.takeAsked(), ['/app', '/app/src/deep']);
    assert.equal(all(index).length, 3);
  });

  it('serves the folders below, and replaces their indexes', async () => {
    const both = indexes();
    const lower = both.of(fileAt('/app/src'));
    await lower.refresh();
    const index = both.of(fileAt('/app'));
    assert.equal(lower.isDisposed, true);
    await index.refresh();
    container.takeAsked();
    assert.equal(both.of(fileAt('/app/src/deep')), index);
    assert.deepEqual(all(index, '/app/src'), ['/app/src/a.php', '/app/src/deep/b.php']);
    assert.deepEqual(
      index.search('/app/src', parseNameQuery('src'), 10).map(({ name }) => name),
      [],
    );
    assert.equal(index.stateBelow('/app/src').files, 2);
    assert.deepEqual(container.takeAsked(), []);
    // What the index leaves out has its own.
    const excluded = both.of(fileAt('/app/node_modules'));
    assert.notEqual(excluded, index);
    await excluded.refresh();
    assert.deepEqual(all(excluded), ['/app/node_modules/x/y.js']);
    assert.notEqual(both.of(fileAt('/etc')), index);
    assert.notEqual(both.of(fileAt('/app', { account: 'b' })), index);
  });

  it('starts anew if the excluded folders change', async () => {
    const one = indexes();
    const before = one.of(fileAt('/app'));
    await before.refresh();
    exclude = [];
    const after = one.of(fileAt('/app'));
    assert.notEqual(after, before);
    await after.refresh();
    assert.equal(all(after).length, 4);
  });

  it('takes over listings that others make, and lists only what is new', async () => {
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    container.takeAsked();
    container.add('/app/src/new/c.php');
    container.remove('/app/src/a.php');
    clock += 1;
    index.noteListing(fileAt('/app/src'), container.listing('/app/src'), clock);
    index.noteListing(fileAt('/etc'), container.listing('/etc'), clock);
    assert.deepEqual(all(index), ['/app/index.php', '/app/src/deep/b.php']);
    assert.deepEqual(container.takeAsked(), []);
    await index.refresh();
    assert.deepEqual(all(index), ['/app/index.php', '/app/src/deep/b.php', '/app/src/new/c.php']);
    assert.deepEqual(container.takeAsked(), ['/app/src/new']);
  });

  it('follows changes, with one request for a folder that something was created in', async () => {
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    container.takeAsked();
    clock += 1;
    index.noteChange(fileAt('/app/src/a.php'), 'deleted');
    index.noteChange(fileAt('/app/src/a.php'), 'changed');
    index.noteChange(fileAt('/app/index.php'), 'created');
    index.noteChange(fileAt('/app/node_modules/z.js'), 'created');
    index.noteChange(fileAt('/etc/x'), 'created');
    assert.deepEqual(all(index), ['/app/index.php', '/app/src/deep/b.php']);
    assert.equal(index.needsRefresh(), false);
    container.remove('/app/src/a.php');
    container.add('/app/src/c.php');
    index.noteChange(fileAt('/app/src/c.php'), 'created');
    clock += 1;
    await index.refresh();
    assert.deepEqual(container.takeAsked(), ['/app/src']);
    assert.deepEqual(all(index), ['/app/index.php', '/app/src/c.php', '/app/src/deep/b.php']);
    container.remove('/app/src');
    index.noteChange(fileAt('/app/src'), 'deleted');
    assert.deepEqual(all(index), ['/app/index.php']);
    await index.refresh();
    assert.deepEqual(container.takeAsked(), []);
  });

  it('lists everything below a folder again that changed as a whole', async () => {
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    container.takeAsked();
    container.add('/app/src/deep/mounted.php');
    clock += 1;
    index.noteChange(fileAt('/app/src'), 'changed');
    clock += 1;
    await index.refresh();
    assert.deepEqual(container.takeAsked(), ['/app/src', '/app/src/deep']);
    assert.equal(all(index).includes('/app/src/deep/mounted.php'), true);
  });

  it('lists everything again if asked to, also while it grows', async () => {
    const index = indexes().of(fileAt('/app'));
    let again: Promise<void> | undefined;
    container.beforeAnswer = (folder) => {
      if (folder === '/app/src') again ??= index.refreshAgain(fileAt('/app/src'));
    };
    await index.refresh();
    await again;
    assert.deepEqual(container.takeAsked(), ['/app', '/app/src', '/app/src', '/app/src/deep']);
    await index.refreshAgain(fileAt('/app'));
    assert.deepEqual(container.takeAsked(), ['/app', '/app/src', '/app/src/deep']);
  });

  it("doesn't trust a listing that was requested before a change", async () => {
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    container.takeAsked();
    const old = container.listing('/app/src');
    const askedAt = clock;
    clock += 1;
    container.add('/app/src/c.php');
    index.noteChange(fileAt('/app/src/c.php'), 'created');
    index.noteListing(fileAt('/app/src'), old, askedAt);
    clock += 1;
    await index.refresh();
    assert.deepEqual(container.takeAsked(), ['/app/src']);
    assert.equal(all(index).includes('/app/src/c.php'), true);
  });

  it('lists folders again after ten minutes', async () => {
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    container.takeAsked();
    clock += inTenMinutes - 1;
    assert.equal(index.needsRefresh(), false);
    clock += 1;
    container.add('/app/src/c.php');
    await index.refresh();
    assert.deepEqual(container.takeAsked(), ['/app', '/app/src', '/app/src/deep']);
    assert.equal(all(index).length, 4);
  });

  it('stops if the server stops answering, and continues the next time', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) container.add(`/app/${name}/x.php`);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) container.failures.set(`/app/${name}`, 'unreachable');
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    assert.ok(index.stateBelow('/app').stopped instanceof PlatformError);
    assert.ok(container.takeAsked().length <= 1 + 4 + 3);
    container.failures.clear();
    await index.refresh();
    assert.equal(index.stateBelow('/app').stopped, undefined);
    assert.equal(container.takeAsked().includes('/app'), false);
    assert.equal(all(index).length, 11);
  });

  it('stops after 20 folders in a row that the platform failed to list, and continues the next time', async () => {
    const names = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'));
    names.forEach((name) => container.add(`/app/${name}/x.php`));
    const fail = (some: readonly string[]) =>
      some.forEach((name) => container.failures.set(`/app/${name}`, 'platform'));
    fail([...names.slice(0, 19), ...names.slice(20, 39)]);
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    assert.deepEqual([index.stateBelow('/app').stopped, index.stateBelow('/app').unreadable.length], [undefined, 38]);
    const other = indexes().of(fileAt('/app'));
    fail(names);
    container.takeAsked();
    await other.refresh();
    assert.ok(other.stateBelow('/app').stopped instanceof PlatformError);
    const asked = container.takeAsked().length;
    assert.ok(asked >= 1 + 20 && asked <= 1 + 20 + 3, `${asked}`);
    container.failures.clear();
    await other.refresh();
    assert.equal(other.stateBelow('/app').stopped, undefined);
    assert.equal(other.stateBelow('/app').unreadable.length, 19);
  });

  it('stops at once if its session ended', async () => {
    container.failures.set('/app', 'unauthenticated');
    const index = indexes().of(fileAt('/app'));
    await index.refresh();
    assert.ok(index.stateBelow('/app').stopped instanceof PlatformError);
    container.failures.clear();
    await index.refresh();
    assert.equal(all(index).length, 3);
  });

  it('holds no more names than its bound, says so, and makes room for the one that is used', async () => {
    for (let index = 0; index < 30; index += 1) container.add(`/app/many/${index}.txt`);
    const small = indexes(20);
    const index = small.of(fileAt('/app'));
    await index.refresh();
    assert.equal(index.stateBelow('/app').isFull, true);
    assert.ok(small.size <= 20, `${small.size}`);
    // A smaller folder fits.
    const lower = small.of(fileAt('/app/src'));
    assert.notEqual(lower, index);
    await lower.refresh();
    assert.equal(index.isDisposed, true);
    assert.deepEqual([lower.stateBelow('/app/src').isFull, all(lower).length], [false, 2]);
    assert.equal(small.size, 4);
  });

  it('ends its requests and forgets everything when its account signs out', async () => {
    const both = indexes();
    const index = both.of(fileAt('/app'));
    const other = both.of(fileAt('/etc', { account: 'b' }));
    await other.refresh();
    container.takeAsked();
    container.beforeAnswer = (folder) => {
      if (folder === '/app') both.forgetAccount('a');
    };
    await index.refresh();
    assert.deepEqual(container.takeAsked(), ['/app']);
    assert.deepEqual([index.isDisposed, index.size, all(index)], [true, 1, []]);
    assert.equal(other.isDisposed, false);
    assert.notEqual(both.of(fileAt('/app')), index);
  });

  it('counts what it holds', async () => {
    const one = indexes();
    const index = one.of(fileAt('/app'));
    await index.refresh();
    assert.equal(one.size, 6, '3 files and 3 folders');
    clock += 1;
    index.noteChange(fileAt('/app/src'), 'deleted');
    assert.equal(one.size, 2);
  });

  it('tells whether it has a path, if it knows', async () => {
    const index = indexes().of(fileAt('/app'));
    assert.equal(index.has('/app/index.php'), undefined);
    await index.refresh();
    assert.equal(index.has('/app/index.php'), true);
    assert.equal(index.has('/app/missing.php'), false);
    assert.equal(index.has('/app/node_modules/x/y.js'), undefined);
    assert.equal(index.has('/app/x.min.js'), undefined);
    assert.equal(index.has('/etc/hosts'), undefined);
  });
});
