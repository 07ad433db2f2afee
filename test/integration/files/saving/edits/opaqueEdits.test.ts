import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  commands,
  FilePermission,
  NotebookCellData,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  type Uri,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { filePlaceOf } from '../../../../../src/containers/place';
import { until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { endOneLayer, type OneLayer, startOneLayer } from '../../../support/oneLayer';

const notebookWith = (source: string): string =>
  JSON.stringify({
    cells: [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] }],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  });

describe("a notebook, whose text VS Code doesn't expose", () => {
  let stage: OneLayer;
  let count = 0;

  before(async () => {
    stage = await startOneLayer();
  });

  afterEach(async () => {
    stage.platform.faults.clear();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => endOneLayer(stage));

  const onDisk = (uri: Uri) => {
    const path = filePlaceOf(uri)?.path ?? '';
    return join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
  };
  const text = (uri: Uri) => readFile(onDisk(uri), 'utf8');

  async function opened(source: string): Promise<{ readonly uri: Uri; readonly document: NotebookDocument }> {
    count += 1;
    const uri = fileUri(stage.account, 'shop', `cp~${stage.nodes[0] ?? 0}`, `/srv/sales-${count}.ipynb`);
    await writeFile(onDisk(uri), notebookWith(source));
    stage.parts.listings.forgetAll();
    const document = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(document, { preview: false });
    return { uri, document };
  }

  async function addCell(document: NotebookDocument, source: string): Promise<void> {
    const edit = new WorkspaceEdit();
    const cell = new NotebookCellData(NotebookCellKind.Code, source, 'python');
    edit.set(document.uri, [NotebookEdit.insertCells(document.cellCount, [cell])]);
    assert.ok(await workspace.applyEdit(edit));
    const isShownDirty = () => window.tabGroups.activeTabGroup.activeTab?.isDirty === true;
    await until(window.tabGroups.onDidChangeTabs, isShownDirty);
  }

  /** Rejects or returns false if nothing was saved. */
  const saved = (document: NotebookDocument) => Promise.resolve(document.save()).catch(() => false);

  it('is saved twice', async () => {
    const { uri, document } = await opened('print(1)');
    await addCell(document, 'print(2)');
    assert.ok(await saved(document));
    assert.match(await text(uri), /print\(2\)/);
    await addCell(document, 'print(3)');
    assert.ok(await saved(document));
    assert.match(await text(uri), /print\(3\)/);
  });

  it('has a conflict if someone else changed the file, until the user overwrites it', async () => {
    const { uri, document } = await opened('print(1)');
    await addCell(document, 'mine()');
    await writeFile(onDisk(uri), notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    assert.match(await text(uri), /theirs/);
    assert.ok(document.isDirty);
    await commands.executeCommand('gantry.conflict.compare', uri);
    await commands.executeCommand('gantry.conflict.overwrite', uri);
    await until(workspace.onDidSaveNotebookDocument, () => !document.isDirty);
    assert.match(await text(uri), /mine/);
  });

  it('has a conflict after another extension read a change of the same length', async () => {
    const { uri, document } = await opened('print(1)');
    await writeFile(onDisk(uri), notebookWith('print(7)'));
    await workspace.fs.readFile(uri);
    await addCell(document, 'mine()');
    assert.equal(await saved(document), false);
    assert.match(await text(uri), /print\(7\)/);
  });

  it('continues with the text on the server after it is reverted', async () => {
    const { uri, document } = await opened('print(1)');
    await addCell(document, 'mine()');
    await writeFile(onDisk(uri), notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    await commands.executeCommand('workbench.action.files.revert');
    await until(
      workspace.onDidChangeNotebookDocument,
      () => document.cellAt(0).document.getText() === 'theirs()' && !document.isDirty,
    );
    await addCell(document, 'again()');
    assert.ok(await saved(document));
    assert.match(await text(uri), /theirs.*again/s);
  });

  it('has a conflict even if the same file was opened as text', async () => {
    const { uri, document } = await opened('print(1)');
    await workspace.openTextDocument(uri);
    await addCell(document, 'mine()');
    await writeFile(onDisk(uri), notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    assert.match(await text(uri), /theirs/);
  });

  it('is read-only if it is too large to keep its base version', async () => {
    const { uri } = await opened('print(1)');
    const place = filePlaceOf(uri);
    assert.ok(place);
    const megabytes = (length: number) => ({ length: length * 1024 * 1024 });
    const { readOnly } = stage.parts.files;
    assert.equal(readOnly.reasonFor(place, megabytes(16)), undefined);
    assert.deepEqual(readOnly.reasonFor(place, megabytes(17)), { kind: 'tooLarge' });
  });

  it('or any file over 50 MB, is read-only', async () => {
    const uri = fileUri(stage.account, 'shop', `cp~${stage.nodes[0] ?? 0}`, '/srv/dump.sql');
    await writeFile(onDisk(uri), '');
    await truncate(onDisk(uri), 51 * 1024 * 1024);
    stage.parts.listings.forgetAll();
    assert.equal((await workspace.fs.stat(uri)).permissions, FilePermission.Readonly);
  });
});
