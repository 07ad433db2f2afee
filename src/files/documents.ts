import { l10n, Range, type TextDocument, window, workspace, WorkspaceEdit } from 'vscode';
import { ExpectedError } from '../ui/expectedError';
import { normalizeText } from './text';

export function isUtf8({ encoding }: TextDocument): boolean {
  return encoding.startsWith('utf8');
}

/** Opens a text in a new untitled editor. */
export async function showNewDocument(content: string, language?: string): Promise<void> {
  const document = await workspace.openTextDocument(language === undefined ? { content } : { content, language });
  // VS Code gives it the name of one that was just closed, and may still return that one, with its text.
  if (normalizeText(document.getText()) !== normalizeText(content)) {
    await replaceText(document, content);
  }
  await window.showTextDocument(document);
}

/** VS Code refuses the edit if the document changed in the meantime. */
export async function tryReplaceText(document: TextDocument, text: string): Promise<boolean> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
  return workspace.applyEdit(edit);
}

/** @param before what the document must still have */
export async function replaceText(document: TextDocument, text: string, before = document.getText()): Promise<void> {
  if (document.getText() !== before || !(await tryReplaceText(document, text))) {
    throw new ExpectedError(l10n.t("Couldn't change {0}. Try again.", document.uri.path));
  }
}
