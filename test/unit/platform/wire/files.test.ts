import assert from 'node:assert/strict';
import { limit } from '../../../host/limits';
import { operationsByName } from '../../../../src/platform/contract';
import { assertRefused, readAnswer } from '../readAnswer';
import type { FileEntry } from '../../../../src/platform/wire/fileEntry';
import { listing } from '../../../../src/platform/wire/files';

describe('responses about files', () => {
  it('a text is accepted only as a string', async () => {
    assert.equal((await readAnswer('Read', { body: '' })).body, '');
    assert.equal((await readAnswer('Read', {})).body, '');
    assert.equal((await readAnswer('Read', { body: null })).body, '');
    for (const body of [12, true, {}, ['x']]) await assertRefused('Read', { body });
  });

  it('mounts and favorites need their path', async () => {
    const mounts = await readAnswer('GetMountPoints', {
      array: [{ path: '/m', type: 'INTERNAL(1)', creator: 1, sourceAddressType: 'NODE_GROUP' }],
    });
    assert.equal(mounts.array[0]?.type, 'INTERNAL');
    assert.equal(mounts.array[0].creator, 'SYSTEM');
    assert.equal(mounts.array[0].sourceAddressType, 'NODE_GROUP');
    await assertRefused('GetMountPoints', { array: [{}] });
    await assertRefused('GetFavorites', { favoriteList: [{ id: 1 }] });
  });

  it('unreadable values are reported by their field, never by their value', async () => {
    const reading = await operationsByName.GetTokens.answer.read({ tokens: ['the-secret'] }, {});
    assert('malformed' in reading);
    assert.match(reading.malformed, /tokens/);
    assert.doesNotMatch(reading.malformed, /the-secret/);
  });
});

const where = { path: '/var/www' };

type Listing = Extract<Awaited<ReturnType<typeof listing.read>>, { ok: unknown }>['ok'];

async function read(body: Record<string, unknown>, parameters: Record<string, unknown> = where): Promise<Listing> {
  const reading = await listing.read(body, parameters);
  assert('ok' in reading, JSON.stringify(reading));
  return reading.ok;
}

const paths = ({ entries }: Listing): string[] => entries.map(({ absolutePath }) => absolutePath);

async function only(row: Record<string, unknown>): Promise<FileEntry> {
  const [entry, ...others] = (await read({ keywords: { x: [row] } })).entries;
  assert(entry !== undefined && others.length === 0);
  return entry;
}

describe('a listing', () => {
  it('is the same, however its entries are grouped', async () => {
    const a = { absolutePath: '/var/www/a', isDir: false };
    const b = { absolutePath: '/var/www/b', isDir: true };
    for (const keywords of [
      { all: [a, b] },
      { a: [a], b: [b] },
      { a: [a, b], b: [b, a] },
      { a, b },
      [a, b],
      { a: [a], none: null, b: [b] },
    ]) {
      assert.deepEqual(paths(await read({ keywords })), ['/var/www/a', '/var/www/b']);
    }
  });

  it('of shortcuts keeps the names of those that lead to one entry', async () => {
    const file = { absolutePath: '/etc/php.ini', isDir: false };
    const keywords = {
      log: [{ absolutePath: '/var/log/nginx', isDir: true }],
      conf: [{ absolutePath: '/etc/nginx', isDir: true }, file],
      '/srv': [{ absolutePath: '/srv', isDir: true }],
    };
    const named = ({ entries }: Listing) => entries.map(({ name, shortcut }) => [name, shortcut]);
    assert.deepEqual(named(await read({ keywords }, {})), [
      ['nginx', 'log'],
      ['nginx', undefined],
      ['php.ini', undefined],
      ['srv', undefined],
    ]);
    const { entries } = await read({ keywords });
    assert(entries.every(({ shortcut }) => shortcut === undefined));
  });

  it('contains neither the folder itself nor its parent, which systems list', async () => {
    const rows = ['.', '..', '.env'].map((name) => ({ absolutePath: `/var/www/${name}`, name, isDir: true }));
    assert.deepEqual(paths(await read({ keywords: { all: rows } })), ['/var/www/.env']);
    const bare = ['.', '..', '.env'].map((name) => ({ name }));
    assert.deepEqual(paths(await read({ keywords: { all: bare } })), ['/var/www/.env']);
  });

  it('is empty without entries', async () => {
    for (const body of [{}, { keywords: null }, { keywords: {} }, { keywords: { x: [] } }, { keywords: [] }]) {
      assert.deepEqual((await read(body)).entries, []);
    }
  });

  it("is rejected if it can't be understood, because it must not look empty", async () => {
    for (const keywords of [
      'x',
      1,
      true,
      { x: 'y' },
      { x: [1] },
      { x: [null] },
      { x: [[]] },
      { x: [{}] },
      { x: [{ absolutePath: '' }] },
    ]) {
      assert('malformed' in (await listing.read({ keywords }, where)), JSON.stringify(keywords));
    }
    assert('malformed' in (await listing.read({ directoryPathList: 'x' }, where)));
  });

  it('separates the folder itself, with and without a trailing slash', async () => {
    for (const path of ['/var/www', '/var/www/', '/var/www//']) {
      const found = await read({ keywords: { x: [{ absolutePath: path, isDir: true }, { name: 'a' }] } }, { path });
      assert.equal(found.folder?.absolutePath, '/var/www');
      assert.deepEqual(paths(found), ['/var/www/a']);
    }
  });

  it('of the root separates names too', async () => {
    const found = await read(
      { keywords: { x: [{ absolutePath: '/', isDir: true }, { name: 'etc/' }] } },
      { path: '/' },
    );
    assert.equal(found.folder?.name, '/');
    assert.deepEqual(paths(found), ['/etc']);
    assert.equal(found.entries[0]?.name, 'etc');
    assert.equal(found.entries[0].isDir, true);
  });

  it('of a file contains that file', async () => {
    const found = await read({ keywords: { x: [{ absolutePath: '/var/www', fileType: 'regular file' }] } });
    assert.equal(found.folder, undefined);
    assert.deepEqual(paths(found), ['/var/www']);
  });

  it("without a path refers to the platform's default folder", async () => {
    const body = { coreRootPath: '/home/', keywords: { x: [{ name: 'a' }, { absolutePath: '/home', isDir: true }] } };
    const found = await read(body, {});
    assert.equal(found.coreRootPath, '/home/');
    assert.equal(found.folder?.absolutePath, '/home');
    assert.deepEqual(paths(found), ['/home/a']);
  });

  it('keeps names unchanged', async () => {
    for (const name of [
      'a b',
      '"q"',
      "it's",
      '#1',
      '100%',
      'what?',
      '😀.txt',
      'two\nlines',
      '.hidden',
      'ä',
      '-rf',
      '__proto__',
    ]) {
      const entry = await only({ absolutePath: `/var/www/${name}`, isDir: false });
      assert.equal(entry.name, name);
      assert.equal(entry.absolutePath, `/var/www/${name}`);
    }
  });

  it('reads fields in any case and format', async () => {
    const entry = await only({
      absolutepath: '/var/www/f',
      isdir: 'false',
      ISEXPORTED: 1,
      filetype: 'Regular empty file',
      length: '12',
      lastmodified: 1629384697000,
      sourceNodeID: '7',
      permission: 644,
      unknown: { deep: [1] },
    });
    assert.deepEqual(JSON.parse(JSON.stringify(entry)), {
      absolutePath: '/var/www/f',
      name: 'f',
      isDir: false,
      fileType: 'regular file',
      isExported: true,
      lastModified: '1629384697000',
      length: 12,
      permission: '644',
      sourceNodeId: 7,
    });
  });

  it('recognizes a folder by its type or trailing slash if nothing else says so', async () => {
    assert.equal((await only({ name: 'd', fileType: 'directory' })).isDir, true);
    assert.equal((await only({ name: 'd', fileType: 'symbolic link' })).isDir, false);
    assert.equal((await only({ absolutePath: '/var/www/d/' })).isDir, true);
    assert.equal((await only({ name: 'd' })).isDir, false);
    assert.equal((await only({ name: 'd', isDir: true, fileType: 'symbolic link' })).isDir, true);
  });

  it('accepts only valid lengths', async () => {
    for (const length of [null, '', 'x', 1.5, 1e400, {}, [], true]) {
      assert.equal((await only({ name: 'f', length })).length, undefined, JSON.stringify(length));
    }
  });

  it('of 100,000 entries never blocks anything else for long', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => ({
      absolutePath: `/var/www/file-${index}.txt`,
      fileType: 'regular file',
      isDir: false,
      isExported: false,
      isRoot: false,
      lastModified: '2021-08-19 14:51:37',
      length: index,
      name: `file-${index}.txt`,
      permission: 'rw-r--r--',
    }));
    // Other work on the machine only makes it longer, so the shortest of a few attempts counts.
    const longest: number[] = [];
    for (let attempt = 0; attempt < 5 && Math.min(...longest) >= 150; attempt += 1) {
      longest.push(
        await longestPause(async () => assert.equal((await read({ keywords: { all: rows } })).entries.length, 100_000)),
      );
    }
    assert(Math.min(...longest) < limit(150), longest.map(Math.round).join(' ms, '));
  });
});

/** Returns the longest time during which the event loop was blocked. */
async function longestPause(work: () => Promise<void>): Promise<number> {
  const state = { last: performance.now(), longest: 0, running: true };
  const watch = (): void => {
    const now = performance.now();
    state.longest = Math.max(state.longest, now - state.last);
    state.last = now;
    if (state.running) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  state.running = false;
  return state.longest;
}
