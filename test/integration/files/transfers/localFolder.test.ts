import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileType, Uri, workspace } from 'vscode';
import { folderOfSelected, localFolder, localSource } from '../../../../src/files/transfers/localFolder';
import { planTransfer } from '../../../../src/files/transfers/plan';
import { runPlan } from '../../../../src/files/transfers/runPlan';
import type { Source } from '../../../../src/files/transfers/transfer';
import { isPlatformError } from '../../../../src/platform/errors';

const file = (name: string, text: string): Source => ({
  kind: 'file',
  name,
  read: () => Promise.resolve(Buffer.from(text)),
});

describe('a download', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-downloads-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const onDisk = (name: string) => join(folder, name);

  /** Simulates a disk that ignores case in names but preserves it. */
  function caseInsensitive(shown: readonly string[]) {
    const { fs } = workspace;
    const lower = (uri: Uri) => uri.with({ path: uri.path.replace(/[^/]*$/, (name) => name.toLowerCase()) });
    return {
      stat: (uri: Uri) => fs.stat(lower(uri)),
      readDirectory: () => Promise.resolve(shown.map((name): [string, FileType] => [name, FileType.File])),
      writeFile: (uri: Uri, bytes: Uint8Array) => fs.writeFile(lower(uri), bytes),
      createDirectory: (uri: Uri) => fs.createDirectory(uri),
    };
  }

  async function download(sources: readonly Source[], shown: readonly string[]) {
    const { signal } = new AbortController();
    const plan = await planTransfer(sources, localFolder(Uri.file(folder), caseInsensitive(shown)), signal);
    return runPlan(plan, { signal });
  }

  it('does not overwrite a file whose name differs only in case', async () => {
    await writeFile(onDisk('readme.md'), 'mine\n');
    const { done, failures } = await download([file('readme.md', 'theirs\n')], ['README.md']);
    assert.deepEqual(done, []);
    assert.match(String(failures[0]?.error), /already exists, possibly capitalized differently/);
    assert.equal(await readFile(onDisk('readme.md'), 'utf8'), 'mine\n');
  });

  it('does not overwrite a file that was changed after the person had agreed to replace it', async () => {
    const { signal } = new AbortController();
    for (const name of ['kept.txt', 'edited.txt', 'deleted.txt']) await writeFile(onDisk(name), 'mine\n');
    const sources = ['kept.txt', 'edited.txt', 'deleted.txt'].map((name) => file(name, 'theirs\n'));
    const plan = await planTransfer(sources, localFolder(Uri.file(folder)), signal);
    await writeFile(onDisk('edited.txt'), 'edited since\n');
    await rm(onDisk('deleted.txt'));
    const { done, failures } = await runPlan(plan, { signal, mayReplace: () => true });
    assert.deepEqual([...done].sort(), ['deleted.txt', 'kept.txt']);
    assert.match(String(failures[0]?.error), /changed in the meantime/);
    assert.equal(await readFile(onDisk('edited.txt'), 'utf8'), 'edited since\n');
    assert.equal(await readFile(onDisk('kept.txt'), 'utf8'), 'theirs\n');
  });

  describe('to a folder with links', () => {
    beforeEach(async () => {
      for (const name of ['target', 'outside']) await mkdir(onDisk(name));
      await writeFile(onDisk('outside/a.txt'), 'mine\n');
      await symlink(onDisk('outside'), onDisk('target/linked'), 'junction');
      await symlink(onDisk('outside/a.txt'), onDisk('target/a.txt'));
    });

    it('is not written through them, because they may lead to another folder', async () => {
      const { signal } = new AbortController();
      const children = () => Promise.resolve([file('new.txt', 'theirs\n')]);
      const sources: readonly Source[] = [file('a.txt', 'theirs\n'), { kind: 'folder', name: 'linked', children }];
      const plan = await planTransfer(sources, localFolder(Uri.file(onDisk('target'))), signal);
      const { done, failures } = await runPlan(plan, { signal, mayReplace: () => true });
      assert.deepEqual(done, []);
      assert.deepEqual(
        failures.map(({ path, error }) => [path, isPlatformError(error) ? error.obstacle : error]),
        [
          ['a.txt', 'linkInTheWay'],
          ['linked', 'linkInTheWay'],
        ],
      );
      assert.deepEqual(await readdir(onDisk('outside')), ['a.txt']);
      assert.equal(await readFile(onDisk('outside/a.txt'), 'utf8'), 'mine\n');
    });

    it('is written through one that the person has selected itself', async () => {
      const { signal } = new AbortController();
      const selected = folderOfSelected(Uri.file(onDisk('target/a.txt')));
      const plan = await planTransfer([file('a.txt', 'theirs\n')], selected, signal);
      const { done } = await runPlan(plan, { signal, mayReplace: () => true });
      assert.deepEqual([done, [...plan.existing]], [['a.txt'], ['a.txt']]);
      assert.equal(await readFile(onDisk('outside/a.txt'), 'utf8'), 'theirs\n');
    });
  });

  it('does not write two sources to the same file', async () => {
    const { done, failures } = await download([file('Makefile', 'first\n'), file('makefile', 'second\n')], []);
    assert.deepEqual(done, ['Makefile']);
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['makefile'],
    );
    assert.equal(await readFile(onDisk('makefile'), 'utf8'), 'first\n');
  });
});

describe('an upload', () => {
  it('follows links within the selected folder, and names those that lead out of it', async () => {
    const above = await mkdtemp(join(tmpdir(), 'gantry-uploads-'));
    const site = join(above, 'site');
    try {
      await mkdir(join(site, 'css'), { recursive: true });
      await writeFile(join(above, 'id_rsa'), 'private\n');
      await writeFile(join(site, 'a.css'), 'a\n');
      await symlink(join('..', 'a.css'), join(site, 'css', 'inside.css'));
      await symlink(join('..', '..', 'id_rsa'), join(site, 'css', 'outside.css'));
      const { signal } = new AbortController();
      const source = await localSource(Uri.file(site));
      assert.ok(source.kind === 'folder');
      const css = (await source.children(signal)).find(({ kind }) => kind === 'folder');
      assert.ok(css?.kind === 'folder');
      assert.deepEqual((await css.children(signal)).map(({ name, kind }) => `${name}: ${kind}`).sort(), [
        'inside.css: file',
        'outside.css: unreadable',
      ]);
    } finally {
      await rm(above, { recursive: true, force: true });
    }
  });
});
