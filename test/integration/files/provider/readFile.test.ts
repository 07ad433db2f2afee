import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, TabInputCustom, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { binaryFileViewType } from '../../../../src/manifest';
import { usualBehaviour } from '../../../localPlatform/behaviour';
import { until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';
import { Person } from '../../support/person';

const latin1 = Buffer.from('Gr\xfc\xdfe\n', 'latin1');

describe('a file that the platform can return only as damaged text', () => {
  let stage: OneLayer;
  let local: string;
  let person: Person;

  before(async () => {
    stage = await startOneLayer({ nodes: 2 });
  });

  beforeEach(async () => {
    person = new Person();
    local = await mkdtemp(join(tmpdir(), 'gantry-inexact-'));
    for (const node of stage.nodes) {
      await mkdir(onDisk('/srv/site', node), { recursive: true });
      await writeFile(onDisk('/srv/site/greeting.txt', node), latin1);
      await writeFile(onDisk('/srv/site/plain.txt', node), 'plain\n');
    }
    stage.parts.listings.forgetAll();
  });

  afterEach(async () => {
    person.leave();
    stage.platform.behaviour.readBytes = usualBehaviour.readBytes;
    await clearOneLayer(stage.platform);
    await rm(local, { recursive: true });
  });

  after(() => endOneLayer(stage));

  const onDisk = (path: string, node = stage.nodes[0] ?? 0) => join(stage.platform.nodeFolder(node), path);
  const remote = (path: string) => fileUri(stage.account, 'shop', `cp~${stage.nodes[0] ?? 0}`, path);
  const greeting = () => remote('/srv/site/greeting.txt');
  const localUri = (name: string) => Uri.file(join(local, name));

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
    assert.ok((await readFile(onDisk('/srv/site/greeting.txt'))).equals(latin1));
    assert.equal(await readFile(onDisk('/srv/site/plain.txt'), 'utf8'), 'plain\n');
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
    const copied = await readFile(join(local, 'greeting.txt'), 'utf8').catch(() => '');
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
    stage.platform.faults.add({ operation: 'Read', times: 'always', fault: { kind: 'answer', body } });
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
    await person.answering([], () => commands.executeCommand('gantry.file.compareNodes', greeting()));
    assert.match(person.seen.at(-1) ?? '', /text matches, but bytes that aren't UTF-8 may differ/);

    await writeFile(onDisk('/srv/site/greeting.txt', stage.nodes[1]), Buffer.from('Gr\xfc\xdfe!\n', 'latin1'));
    const edited = until(window.onDidChangeActiveTextEditor, () => window.activeTextEditor !== undefined);
    await person.answering([], () => commands.executeCommand('gantry.file.compareNodes', greeting()));
    await edited;
    assert.equal(window.activeTextEditor?.document.getText(), 'Gr\uFFFD\uFFFDe!\n');
  });

  it('is never reported as identical if the platform returned only its beginning', async () => {
    const plain = '/srv/site/plain.txt';
    const text = 'x'.repeat(100);
    await Promise.all(stage.nodes.map((node) => writeFile(onDisk(plain, node), text)));
    stage.platform.behaviour.readBytes = 40;
    await person.answering([], () => commands.executeCommand('gantry.file.compareNodes', remote(plain)));
    assert.match(
      person.seen.at(-1) ?? '',
      /text matches, but the files may differ\. The platform returned only 40 B of 100 B/,
    );

    // The other one has as much as was returned.
    await writeFile(onDisk(plain, stage.nodes[1]), text.slice(0, 40));
    await person.answering([], () => commands.executeCommand('gantry.file.compareNodes', remote(plain)));
    assert.match(person.seen.at(-1) ?? '', /text matches, but the files may differ\./);

    await writeFile(onDisk(plain, stage.nodes[1]), text.toUpperCase());
    const edited = until(window.onDidChangeActiveTextEditor, () => window.activeTextEditor !== undefined);
    await person.answering([], () => commands.executeCommand('gantry.file.compareNodes', remote(plain)));
    await edited;
    assert.equal(window.activeTextEditor?.document.getText(), text.toUpperCase().slice(0, 40));
    assert.match(window.activeTextEditor.document.uri.path, /\(not exact\) plain\.txt$/);
  });
});
