import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, beforeEach, before, describe, it } from 'mocha';
import { commands, Disposable, type FileSystemProvider, type Uri, workspace, WorkspaceEdit } from 'vscode';
import { FolderTrust } from '../../../../src/files/provider/folderTrust';
import { windowScene } from '../../support/windowScene';

/**
 * The same files in a window in which `/srv/site` is open, because really opening a folder would restart the extension
 * host.
 */
const scheme = 'gantry-in-open-folder';
const theirs = '{ "theirs": true }\n';

describe('hidden files in an untrusted folder', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { exists, text, uri: gantryUri } = cp;
  let registration: Disposable;
  let refused = 0;
  const agreed = new Map<string, unknown>();

  before(() => {
    const folder = cp.place('/srv/site');
    const memento = {
      keys: () => [...agreed.keys()],
      get: <T>(key: string, otherwise?: T) => (agreed.get(key) as T | undefined) ?? otherwise,
      update: (key: string, value: unknown) => Promise.resolve(void agreed.set(key, value)),
    };
    const trust = new FolderTrust(memento, () => [folder]);
    const hiding = scene.parts.files.createFileSystem(trust, () => (refused += 1));
    registration = Disposable.from(
      hiding,
      workspace.registerFileSystemProvider(scheme, underOtherScheme(hiding), { isCaseSensitive: true }),
    );
  });

  beforeEach(async () => {
    refused = 0;
    agreed.clear();
    await cp.remove('/srv/site');
    await put('/srv/site/index.php', '<?php\n');
  });

  after(() => void registration.dispose());

  const uriOf = (path: string) => gantryUri(path).with({ scheme });
  const put = async (path: string, content: string) => {
    await cp.put(path, content);
    scene.parts.listings.forgetAll();
  };

  const settings = '/srv/site/.vscode/settings.json';

  const attempts: Record<string, (uri: Uri) => PromiseLike<unknown>> = {
    'a write': (uri) => workspace.fs.writeFile(uri, Buffer.from('{}')),
    'a rename onto it': (uri) => workspace.fs.rename(uriOf('/srv/site/index.php'), uri, { overwrite: true }),
    'a copy onto it': (uri) => workspace.fs.copy(uriOf('/srv/site/index.php'), uri, { overwrite: true }),
    'a deletion': (uri) => workspace.fs.delete(uri),
    'creating a file with ignoreIfExists': async (uri) => {
      const edit = new WorkspaceEdit();
      edit.createFile(uri, { ignoreIfExists: true });
      assert.ok(await workspace.applyEdit(edit), 'refused');
    },
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    it(`are not changed by ${name}`, async () => {
      await put(settings, theirs);
      await assert.rejects(Promise.resolve(attempt(uriOf(settings))));
      assert.equal(await text(settings), theirs);
      assert.equal(await text('/srv/site/index.php'), '<?php\n');
    });
  }

  it('are reported by a write, which also asks for trust', async () => {
    await put(settings, theirs);
    await assert.rejects(
      Promise.resolve(workspace.fs.writeFile(uriOf(settings), Buffer.from('{}'))),
      /hidden until you trust/,
    );
    assert.equal(refused, 1);
  });

  it('do not include files created in this window', async () => {
    await workspace.fs.writeFile(uriOf(settings), Buffer.from('{ "mine": 1 }'));
    assert.equal(Buffer.from(await workspace.fs.readFile(uriOf(settings))).toString(), '{ "mine": 1 }');
    await workspace.fs.writeFile(uriOf(settings), Buffer.from('{ "mine": 2 }'));
    assert.equal(await text(settings), '{ "mine": 2 }');
    await workspace.fs.delete(uriOf(settings));
    assert.ok(!exists(settings));
    assert.equal(refused, 0);
  });

  it('are neither deleted nor moved with a folder that they were added to', async () => {
    await workspace.fs.writeFile(uriOf(settings), Buffer.from('{}'));
    const tasks = '/srv/site/.vscode/tasks.json';
    await put(tasks, theirs);
    const folder = uriOf('/srv/site/.vscode');
    await assert.rejects(Promise.resolve(workspace.fs.delete(folder, { recursive: true })), /hidden until you trust/);
    await assert.rejects(Promise.resolve(workspace.fs.rename(folder, uriOf('/srv/site/away'))));
    assert.equal(await text(tasks), theirs);
    assert.equal(await text(settings), '{}');
  });

  it('count as possible where the platform lists nothing', async () => {
    await workspace.fs.writeFile(uriOf(settings), Buffer.from('{}'));
    const tasks = '/srv/site/.vscode/tasks.json';
    await put(tasks, theirs);
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    const folder = '/srv/site/.vscode';
    scene.fail('GetList', fault, { parameters: { path: folder }, times: 'always' });
    const refused =
      /\/srv\/site\/\.vscode .* no list of files\. To move it, trust .*; to delete it anyway, use the Environments view\./;
    await assert.rejects(async () => workspace.fs.delete(uriOf(folder), { recursive: true }), refused);
    await assert.rejects(async () => workspace.fs.rename(uriOf(folder), uriOf('/srv/site/away')), refused);
    scene.platform.faults.clear();
    assert.equal(await text(tasks), theirs);
    assert.equal(await text(settings), '{}');
  });

  it('do not keep a folder without a list from being deleted in the Environments view', async () => {
    await workspace.fs.createDirectory(uriOf('/srv/site/.vscode'));
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    const folder = '/srv/site/.vscode';
    scene.fail('GetList', fault, { parameters: { path: folder }, times: 'always' });
    const { person } = scene;
    await person.answering(['Delete'], () => commands.executeCommand('gantry.file.delete', gantryUri(folder)));
    assert.ok(!exists(folder), person.seen.join(' | '));
  });

  it('include files that others add to a folder that was moved here', async () => {
    await put('/srv/site/prepared/settings.json', '{}');
    await workspace.fs.rename(uriOf('/srv/site/prepared'), uriOf('/srv/site/.vscode'));
    await put('/srv/site/.vscode/tasks.json', theirs);
    await assert.rejects(Promise.resolve(workspace.fs.readFile(uriOf('/srv/site/.vscode/tasks.json'))), /NotFound/);
  });

  it('include files that others add next to those', async () => {
    await workspace.fs.writeFile(uriOf(settings), Buffer.from('{}'));
    const tasks = '/srv/site/.vscode/tasks.json';
    await put(tasks, theirs);
    await assert.rejects(Promise.resolve(workspace.fs.readFile(uriOf(tasks))), /NotFound/);
    await put('/srv/site/AGENTS.md', 'Obey.\n');
    await assert.rejects(Promise.resolve(workspace.fs.stat(uriOf('/srv/site/AGENTS.md'))));
    await assert.rejects(Promise.resolve(workspace.fs.stat(uriOf('/srv/site/./AGENTS.md'))));
  });
});

/** Forwards URIs of another scheme to a provider. */
function underOtherScheme(provider: FileSystemProvider): FileSystemProvider {
  const inner = (uri: Uri): Uri => uri.with({ scheme: 'gantry' });
  // What VS Code changes, it changes for the test.
  const forTest = AsyncLocalStorage.snapshot();
  return {
    onDidChangeFile: provider.onDidChangeFile,
    watch: (uri, options) => provider.watch(inner(uri), options),
    stat: (uri) => provider.stat(inner(uri)),
    readDirectory: (uri) => provider.readDirectory(inner(uri)),
    createDirectory: (uri) => forTest(() => provider.createDirectory(inner(uri))),
    readFile: (uri) => provider.readFile(inner(uri)),
    writeFile: (uri, content, options) => forTest(() => provider.writeFile(inner(uri), content, options)),
    delete: (uri, options) => forTest(() => provider.delete(inner(uri), options)),
    rename: (from, to, options) => forTest(() => provider.rename(inner(from), inner(to), options)),
    copy: (from, to, options) => forTest(() => provider.copy?.(inner(from), inner(to), options)),
  };
}
