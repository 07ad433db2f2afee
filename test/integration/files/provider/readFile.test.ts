import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, it } from 'mocha';
import { commands, TabInputCustom, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { binaryFileViewType } from '../../../../src/manifest';
import { until } from '../../support/event';
import { windowScene } from '../../support/windowScene';

const latin1 = Buffer.from('Gr\xfc\xdfe\n', 'latin1');

describe('a file that the platform can return only as damaged text', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { uri: remote } = cp;

  beforeEach(async () => {
    await cp.file('/srv/site/greeting.txt', latin1);
    await cp.file('/srv/site/plain.txt', 'plain\n');
  });

  const greeting = () => remote('/srv/site/greeting.txt');
  const localUri = (name: string) => Uri.file(scene.local(name));

  async function openPage(): Promise<void> {
    const pages = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof TabInputCustom && input.viewType === binaryFileViewType);
    const opened = until(window.tabGroups.onDidChangeTabs, () => pages().length > 0);
    await commands.executeCommand('vscode.open', greeting());
    await opened;
  }

  async function assertSourceIsWhole(): Promise<void> {
    assert.ok((await cp.bytes('/srv/site/greeting.txt')).equals(latin1));
    assert.equal(await cp.text('/srv/site/plain.txt'), 'plain\n');
  }

  it("can't be read by any extension, and the error gives the reason", async () => {
    await assert.rejects(
      async () => workspace.fs.readFile(greeting()),
      /Couldn't read greeting\.txt\. It isn't UTF-8 text/,
    );
    const plain = await workspace.fs.readFile(remote('/srv/site/plain.txt'));
    assert.equal(Buffer.from(plain).toString(), 'plain\n');
  });

  it('is not copied to the disk', async () => {
    await assert.rejects(async () => workspace.fs.copy(greeting(), localUri('greeting.txt')));
    // VS Code creates the file before it reads the text for it.
    const copied = await readFile(scene.local('greeting.txt'), 'utf8').catch(() => '');
    assert.equal(copied, '');
  });

  it('is not deleted in the container when its folder is moved to the disk', async () => {
    await assert.rejects(async () => workspace.fs.rename(remote('/srv/site'), localUri('site')));
    await assertSourceIsWhole();
  });

  it('is not deleted in the container when a WorkspaceEdit moves its folder to the disk', async () => {
    const edit = new WorkspaceEdit();
    edit.renameFile(remote('/srv/site'), localUri('site'));
    await workspace.applyEdit(edit).then(undefined, () => undefined);
    await assertSourceIsWhole();
  });

  it('is rejected when the platform drops the bytes that are not UTF-8', async () => {
    const body = JSON.stringify({ result: 0, body: 'Gre\n' });
    scene.platform.faults.add({ operation: 'Read', times: 'always', fault: { kind: 'answer', body } });
    await assert.rejects(async () => workspace.fs.readFile(greeting()), /bytes that aren't UTF-8 may be missing/);
  });

  it('opens on a page instead of an editor, and stays closed when another extension reads it', async () => {
    await workspace.fs.readFile(greeting()).then(undefined, () => undefined);
    assert.equal(window.tabGroups.activeTabGroup.activeTab, undefined);
    await openPage();
    await assertSourceIsWhole();
  });

  it('is shown by a command for the active file', async () => {
    await openPage();
    await commands.executeCommand('gantry.file.showAsText');
    await until(window.onDidChangeActiveTextEditor, () => window.activeTextEditor !== undefined);
    const shown = window.activeTextEditor?.document;
    assert.equal(shown?.uri.scheme, 'gantry-text');
    assert.match(shown.uri.path, /\(not exact\) greeting\.txt$/);
    assert.equal(shown.getText(), 'Gr\uFFFD\uFFFDe\n');
  });

  it('is compared across nodes as text, and never reported as identical', async () => {
    await scene.person.answering([], () => commands.executeCommand('gantry.file.compareNodes', greeting()));
    assert.match(scene.person.seen.at(-1) ?? '', /text matches, but bytes that aren't UTF-8 may differ/);

    await cp.put('/srv/site/greeting.txt', Buffer.from('Gr\xfc\xdfe!\n', 'latin1'), 1);
    const edited = until(window.onDidChangeActiveTextEditor, () => window.activeTextEditor !== undefined);
    await scene.person.answering([], () => commands.executeCommand('gantry.file.compareNodes', greeting()));
    await edited;
    assert.equal(window.activeTextEditor?.document.getText(), 'Gr\uFFFD\uFFFDe!\n');
  });

  it('is never reported as identical if the platform returned only its beginning', async () => {
    const plain = '/srv/site/plain.txt';
    const text = 'x'.repeat(100);
    await cp.putEverywhere(plain, text);
    scene.platform.behaviour.readBytes = 40;
    await scene.person.answering([], () => commands.executeCommand('gantry.file.compareNodes', remote(plain)));
    assert.match(
      scene.person.seen.at(-1) ?? '',
      /text matches, but the files may differ\. The platform returned only 40 B of 100 B/,
    );

    // The other one has as much as was returned.
    await cp.put(plain, text.slice(0, 40), 1);
    await scene.person.answering([], () => commands.executeCommand('gantry.file.compareNodes', remote(plain)));
    assert.match(scene.person.seen.at(-1) ?? '', /text matches, but the files may differ\./);

    await cp.put(plain, text.toUpperCase(), 1);
    const edited = until(window.onDidChangeActiveTextEditor, () => window.activeTextEditor !== undefined);
    await scene.person.answering([], () => commands.executeCommand('gantry.file.compareNodes', remote(plain)));
    await edited;
    assert.equal(window.activeTextEditor?.document.getText(), text.toUpperCase().slice(0, 40));
    assert.match(window.activeTextEditor.document.uri.path, /\(not exact\) plain\.txt$/);
  });
});
