import assert from 'node:assert/strict';
import {
  commands,
  Range,
  TabInputTextDiff,
  type TextDocument,
  type TextEditor,
  type Uri,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { until } from './event';

/** The actions of a user in a document. */
export async function openInEditor(uri: Uri): Promise<TextDocument> {
  const document = await workspace.openTextDocument(uri);
  await window.showTextDocument(document, { preview: false });
  return document;
}

/** Returns the editor that this opens. VS Code may name the one before as the active one for another moment. */
export async function openedBy(work: () => Thenable<unknown>): Promise<TextEditor> {
  const before = window.activeTextEditor;
  await work();
  const opened = () => (window.activeTextEditor === before ? undefined : window.activeTextEditor);
  await until(window.onDidChangeActiveTextEditor, () => opened() !== undefined);
  return opened() ?? assert.fail('it was closed');
}

/** Returns both texts of the comparison in the active tab. */
export async function comparedTexts(): Promise<readonly string[]> {
  const active = () => window.tabGroups.activeTabGroup.activeTab?.input;
  // VS Code says it a moment after it opened the comparison.
  await until(window.tabGroups.onDidChangeTabs, () => active() instanceof TabInputTextDiff);
  const input = active();
  assert.ok(input instanceof TabInputTextDiff);
  // To open a document would keep it for minutes, in which VS Code would go on reading its file.
  const shown = () =>
    [input.original, input.modified].flatMap(
      (side) => workspace.textDocuments.find(({ uri }) => uri.toString() === side.toString()) ?? [],
    );
  await until(workspace.onDidOpenTextDocument, () => shown().length === 2);
  return shown().map((side) => side.getText());
}

export async function type(document: TextDocument, text: string): Promise<void> {
  await change(document, (edit) => edit.insert(document.uri, document.positionAt(0), text));
  assert.ok(document.isDirty);
}

export async function replaceAll(document: TextDocument, text: string): Promise<void> {
  await change(document, (edit) => edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text));
}

/** VS Code refuses an edit if the document has just changed by itself, for example by being reloaded. */
async function change(document: TextDocument, describe: (edit: WorkspaceEdit) => void): Promise<void> {
  for (;;) {
    const { version } = document;
    const edit = new WorkspaceEdit();
    describe(edit);
    if (await workspace.applyEdit(edit)) return;
    assert.notEqual(document.version, version, 'VS Code refused the edit');
  }
}

/** VS Code edits its settings in a document, which it saves automatically after a moment. `Machine`: for a remote window. */
const isSettings = ({ uri }: TextDocument): boolean => /\/(User|Machine)\/settings\.json$/.test(uri.path);

/** Closes all editors and discards unsaved text. */
export async function closeWithoutSaving(): Promise<void> {
  for (const document of workspace.textDocuments.filter((one) => one.isDirty && !isSettings(one))) {
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.revert');
  }
  await commands.executeCommand('workbench.action.closeAllEditors');
}

/** Clicks a link in the message of a save that failed. */
export function clickLink(command: 'compare' | 'merge' | 'overwrite' | 'accept', uri: Uri): Thenable<unknown> {
  return commands.executeCommand(`gantry.conflict.${command}`, uri);
}
