import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, Uri, window, workspace } from 'vscode';
import { openInEditor } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { windowScene } from '../../support/windowScene';

const line = `${'x'.repeat(99)}\n`;
const megabyte = 1024 * 1024;

describe('a large file', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');

  beforeEach(() => scene.platform.journal.reset());

  const reads = () =>
    scene.platform.journal.arrivals.flatMap(({ operation, parameters }) =>
      operation === 'Read' ? [parameters['path']] : [],
    );

  const planted = (bytes: number) => cp.newFile('large.log', line.repeat(Math.ceil(bytes / line.length)));

  it('is read only once if it keeps growing', async () => {
    const { disk, uri } = await planted(2 * megabyte);
    await workspace.fs.stat(uri);
    const growing = setInterval(() => appendFileSync(disk, line), 1);
    try {
      const readOnly = nextEvent(scene.parts.files.readOnly.onDidChange);
      const document = await openInEditor(uri);
      await readOnly;
      assert.ok(document.getText().length >= 2 * megabyte);
      // By now, VS Code has finished its requests that follow from the file becoming read-only.
      await workspace.fs.stat(uri);
    } finally {
      clearInterval(growing);
    }
    assert.equal(reads().length, 1, String(reads()));
  });

  const documentOf = (uri: Uri) => workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const refused = (uri: Uri) => commands.executeCommand('vscode.open', uri, { preview: false });

  it('is not read until the user chooses Open Anyway', async () => {
    const { uri } = await planted(6 * megabyte);
    await workspace.fs.stat(uri);
    await refused(uri);
    assert.equal(documentOf(uri), undefined);
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, uri.path.split('/').at(-1));
    assert.deepEqual(reads(), []);

    const opened = nextEvent(workspace.onDidOpenTextDocument, (one) => one.uri.toString() === uri.toString());
    // Runs the action of the editor's button.
    await commands.executeCommand('vscode.open', uri, { preview: false });
    const document = await opened;
    assert.ok(document.getText().length >= 6 * megabyte);
    assert.equal(reads().length, 1, String(reads()));
  });

  it('asks again after the user switched tabs', async () => {
    const [large, small] = [await planted(6 * megabyte), await planted(100)];
    await refused(large.uri);
    await openInEditor(small.uri);
    scene.platform.journal.reset();
    await refused(large.uri);
    assert.equal(documentOf(large.uri), undefined);
    assert.deepEqual(reads(), []);
  });

  it('asks even if its folder was not listed', async () => {
    const { uri } = await planted(6 * megabyte);
    await refused(uri);
    assert.equal(documentOf(uri), undefined);
  });

  it('costs other files no look at a setting each time VS Code asks for them', async () => {
    const { uri } = await planted(100);
    await openInEditor(uri);
    const { uri: other } = await planted(100);
    const usual = workspace.getConfiguration;
    let looks = 0;
    Object.assign(workspace, {
      getConfiguration: (...asked: Parameters<typeof usual>) => {
        looks += 1;
        return usual.apply(workspace, asked);
      },
    });
    try {
      await workspace.fs.stat(uri);
      await workspace.fs.stat(other);
      await workspace.fs.readFile(other);
      assert.equal(looks, 0);
    } finally {
      Object.assign(workspace, { getConfiguration: usual });
    }
  });

  it('can be copied and downloaded without asking', async () => {
    const { disk, uri } = await planted(6 * megabyte);
    const target = Uri.file(scene.local('copy.log'));
    await workspace.fs.copy(uri, target);
    assert.ok((await readFile(target.fsPath)).equals(await readFile(disk)));
  });

  it('opens without asking up to the limit set in VS Code', async () => {
    const { uri } = await planted(6 * megabyte);
    const settings = workspace.getConfiguration('workbench');
    await settings.update('editorLargeFileConfirmation', 7, ConfigurationTarget.Global);
    try {
      await openInEditor(uri);
      assert.ok(documentOf(uri));
    } finally {
      await settings.update('editorLargeFileConfirmation', undefined, ConfigurationTarget.Global);
    }
  });
});
