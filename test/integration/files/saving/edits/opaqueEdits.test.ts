import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { describe, it } from 'mocha';
import {
  commands,
  NotebookCellData,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  TabInputNotebook,
  ViewColumn,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { clickLink, type } from '../../../support/editing';
import { until } from '../../../support/event';
import { windowScene } from '../../../support/windowScene';

const notebookWith = (source: string): string =>
  JSON.stringify({
    cells: [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] }],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  });

describe("a notebook, whose text VS Code doesn't expose", () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const storage = scene.environment('shop').layer('storage', { nodeType: 'storage' });

  async function opened(source: string) {
    const file = await cp.newFile('sales.ipynb', notebookWith(source));
    const document = await workspace.openNotebookDocument(file.uri);
    await window.showNotebookDocument(document, { preview: false });
    return { file, uri: file.uri, document };
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
    const { file, document } = await opened('print(1)');
    await addCell(document, 'print(2)');
    assert.ok(await saved(document));
    assert.match(await file.text(), /print\(2\)/);
    await addCell(document, 'print(3)');
    assert.ok(await saved(document));
    assert.match(await file.text(), /print\(3\)/);
  });

  it('has a conflict if someone else changed the file, until the user overwrites it', async () => {
    const { file, uri, document } = await opened('print(1)');
    await addCell(document, 'mine()');
    await file.put(notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    assert.match(await file.text(), /theirs/);
    assert.ok(document.isDirty);
    await commands.executeCommand('gantry.conflict.compare', uri);
    await commands.executeCommand('gantry.conflict.overwrite', uri);
    await until(workspace.onDidSaveNotebookDocument, () => !document.isDirty);
    assert.match(await file.text(), /mine/);
  });

  /** Has a conflict, while its file is open as text, too, and another file with changes is active. */
  async function conflictBehind() {
    const file = await cp.newFile('sales.ipynb', notebookWith('print(1)'));
    await file.inEditor();
    const document = await workspace.openNotebookDocument(file.uri);
    await window.showNotebookDocument(document, { preview: false, viewColumn: ViewColumn.Beside });
    await addCell(document, 'mine()');
    await file.put(notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    const other = await cp.newFile('other.conf', 'old\n');
    const active = await other.inEditor();
    await type(active, 'typed\n');
    const isLeftAlone = async () => active.getText() === 'typed\nold\n' && (await other.text()) === 'old\n';
    return { file, document, isLeftAlone };
  }

  it('is what Overwrite saves, whatever is open and active', async () => {
    const { file, document, isLeftAlone } = await conflictBehind();
    await clickLink('overwrite', file.uri);
    await until(workspace.onDidSaveNotebookDocument, () => !document.isDirty);
    assert.match(await file.text(), /mine/);
    assert.ok(await isLeftAlone());
  });

  it('is what Accept reverts, whatever is open and active', async () => {
    const { file, document, isLeftAlone } = await conflictBehind();
    await clickLink('accept', file.uri);
    await until(workspace.onDidChangeNotebookDocument, () => !document.isDirty);
    assert.match(await file.text(), /theirs/);
    assert.ok(await isLeftAlone());
  });

  it('has a conflict after another extension read a change of the same length', async () => {
    const { file, uri, document } = await opened('print(1)');
    await file.put(notebookWith('print(7)'));
    await workspace.fs.readFile(uri);
    await addCell(document, 'mine()');
    assert.equal(await saved(document), false);
    assert.match(await file.text(), /print\(7\)/);
  });

  it('continues with the text on the server after it is reverted', async () => {
    const { file, document } = await opened('print(1)');
    await addCell(document, 'mine()');
    await file.put(notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    await commands.executeCommand('workbench.action.files.revert');
    await until(
      workspace.onDidChangeNotebookDocument,
      () => document.cellAt(0).document.getText() === 'theirs()' && !document.isDirty,
    );
    await addCell(document, 'again()');
    assert.ok(await saved(document));
    assert.match(await file.text(), /theirs.*again/s);
  });

  it('is moved within its node with what is not saved', async () => {
    const { file, uri, document } = await opened('print(1)');
    await addCell(document, 'mine()');
    await cp.makeFolder('/srv/moved');
    scene.parts.listings.forgetAll();
    await commands.executeCommand('gantry.file.cut', uri);
    await commands.executeCommand('gantry.folder.paste', cp.uri('/srv/moved'));
    const moved = cp.uri('/srv/moved/sales.ipynb').toString();
    const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs);
    const isOfMoved = (input: unknown) => input instanceof TabInputNotebook && input.uri.toString() === moved;
    await until(window.tabGroups.onDidChangeTabs, () => tabs().some((tab) => tab.isDirty && isOfMoved(tab.input)));
    assert.ok(!cp.exists(file.path));
    assert.match(await cp.text('/srv/moved/sales.ipynb'), /print\(1\)/);
  });

  it('is not moved to another node before it is saved, which is said', async () => {
    const { file, uri, document } = await opened('print(1)');
    await addCell(document, 'mine()');
    await storage.makeFolder('/srv');
    scene.parts.listings.forgetAll();
    await scene.person.answering([], async () => {
      await commands.executeCommand('gantry.file.cut', uri);
      await commands.executeCommand('gantry.folder.paste', storage.uri('/srv'));
    });
    assert.match(scene.person.seen.join(' | '), /sales\.ipynb has unsaved changes\. Save or revert them first\./);
    assert.ok(cp.exists(file.path));
  });

  it('has a conflict even if the same file was opened as text', async () => {
    const { file, uri, document } = await opened('print(1)');
    await workspace.openTextDocument(uri);
    await addCell(document, 'mine()');
    await file.put(notebookWith('theirs()'));
    assert.equal(await saved(document), false);
    assert.match(await file.text(), /theirs/);
  });

  it('is read-only if it is too large to keep its base version', async () => {
    const { file } = await opened('print(1)');
    const megabytes = (length: number) => ({ length: length * 1024 * 1024 });
    const { readOnly } = scene.parts.files;
    assert.equal(readOnly.reasonFor(file.place, megabytes(16)), undefined);
    assert.deepEqual(readOnly.reasonFor(file.place, megabytes(17)), { kind: 'tooLarge' });
  });

  it('or any file over 50 MB, is read-only', async () => {
    const file = await cp.newFile('dump.sql', '');
    await truncate(file.disk, 51 * 1024 * 1024);
    assert.ok(await file.isReadOnly());
  });
});
