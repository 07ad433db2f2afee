import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pathRows, type PathRules, splitPath } from '../../../../src/ui/commands/pathPrompt';
import type { FileEntry } from '../../../../src/platform/wire/fileEntry';
import type { Listing } from '../../../../src/containers/listingCache';

const listing = (...names: readonly string[]): Listing =>
  new Map(
    names.map((text): [string, FileEntry] => {
      const name = text.replace(/\/$/, '');
      return [name, { name, absolutePath: `/${name}`, isDir: text.endsWith('/') }];
    }),
  );
const folders: PathRules = {
  wanted: 'folder',
  ifMissing: 'Use new folder',
  problem: (path) => (/^[/.]+$/.test(path) ? 'The root' : undefined),
};
const anything: PathRules = { wanted: 'any' };
const labels = (typed: string, found: Parameters<typeof pathRows>[1], rules: PathRules) =>
  pathRows(typed, found, rules).map(({ label, act }) => `${act.kind} ${'path' in act ? act.path : label}`);

describe('the path prompt', () => {
  it('splits the input into a folder and the beginning of a name', () => {
    for (const [typed, folder, rest] of [
      ['', '/', ''],
      ['/', '/', ''],
      ['etc', '/', 'etc'],
      ['/etc', '/', 'etc'],
      ['/etc/', '/etc', ''],
      ['//etc//ng', '/etc', 'ng'],
      [' /etc/ng', '/etc', 'ng'],
    ] as const) {
      assert.deepEqual(splitPath(typed), { folder, rest }, typed);
    }
  });

  it('offers the folder itself, its parent, and its contents', () => {
    assert.deepEqual(labels('/etc/', listing('nginx/', 'hosts'), folders), ['use /etc', 'enter /', 'enter /etc/nginx']);
    assert.deepEqual(labels('/etc/', listing('nginx/', 'hosts'), anything), [
      'use /etc',
      'enter /',
      'enter /etc/nginx',
      'use /etc/hosts',
    ]);
  });

  it('sorts exact names first, then names that begin with the input, then names that contain it', () => {
    assert.deepEqual(labels('/www', listing('my-www/', 'www2/', 'www/', 'etc/'), folders), [
      'enter /www',
      'enter /www2',
      'enter /my-www',
    ]);
  });

  it("offers a folder that doesn't exist yet if a new folder is allowed", () => {
    assert.deepEqual(labels('/etc/new', listing('nginx/'), folders), ['use /etc/new']);
    assert.deepEqual(labels('/nowhere/new', undefined, folders), ['use /nowhere/new']);
    assert.deepEqual(labels('/etc/new', listing('nginx/'), anything), ["none Doesn't exist"]);
  });

  it('never offers a folder that has a problem', () => {
    assert.deepEqual(labels('/', listing('etc/'), folders), ['enter /etc']);
    assert.ok(labels('/', listing('etc/'), anything).includes('use /'));
    assert.ok(labels('/..', listing('etc/'), folders).every((row) => row.startsWith('none')));
  });

  it("says why a folder can't be listed, and tries again", () => {
    assert.deepEqual(labels('/root/', { error: 'denied' }, folders), ['again denied', 'use /root']);
    assert.deepEqual(labels('/', { error: 'denied' }, folders), ['again denied']);
  });

  it('shows the first of many entries, and the number of the others', () => {
    const many = listing(...Array.from({ length: 2_000 }, (_, n) => `folder ${n}/`));
    const rows = labels('/data/', many, folders);
    assert.equal(rows.length, 2 + 500 + 1);
    assert.equal(rows.at(-1), 'none 1500 more: type to filter');
  });
});
