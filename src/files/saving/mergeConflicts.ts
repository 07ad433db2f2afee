import {
  CodeLens,
  Disposable,
  l10n,
  languages,
  Range,
  Selection,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  ThemeColor,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { type CommandId, scheme, variablesScheme } from '../../manifest';
import { command } from '../../ui/commands/command';
import { setContextKey } from '../../ui/contextKeys';
import { ExpectedError } from '../../ui/expectedError';
import { askChoice, type Choice } from '../../ui/quickPick';
import { showStatusMessage } from '../../ui/statusBar';
import { type MergeConflict, mergeConflicts } from '../text';
import { ownSide } from './outcomeTexts';

const sides = ['yours', 'theirs', 'both'] as const;
type Side = (typeof sides)[number];

const id = 'gantry.conflict.acceptSide' satisfies CommandId;

/** The conflicts that a merge left. Only unsaved text can have some, because saving refuses them. */
function conflictsIn(document: TextDocument): readonly MergeConflict[] {
  const isOurs = [scheme, variablesScheme].includes(document.uri.scheme);
  return isOurs && document.isDirty ? mergeConflicts(document.getText(), ownSide()) : [];
}

function choices({ theirs }: MergeConflict): readonly Choice<Side>[] {
  return [
    { label: l10n.t('Accept Current Change'), description: ownSide(), value: 'yours' },
    { label: l10n.t('Accept Incoming Change'), description: theirs, value: 'theirs' },
    { label: l10n.t('Accept Both Changes'), value: 'both' },
  ];
}

/** Marks the conflicts of a merge, with buttons above each, as VS Code does in local files. */
export function showMergeConflicts(): Disposable {
  const decorated = (color: string) =>
    window.createTextEditorDecorationType({ backgroundColor: new ThemeColor(color), isWholeLine: true });
  const current = decorated('merge.currentContentBackground');
  const incoming = decorated('merge.incomingContentBackground');
  let shown = 0;
  const mark = (editor: TextEditor) => {
    const conflicts = conflictsIn(editor.document);
    if (editor === window.activeTextEditor && conflicts.length !== shown) {
      shown = conflicts.length;
      void setContextKey('gantry.mergeConflicts', shown > 0 ? 'some' : 'none');
    }
    editor.setDecorations(
      current,
      conflicts.map(({ start, middle }) => new Range(start, 0, middle - 1, 0)),
    );
    editor.setDecorations(
      incoming,
      conflicts.map(({ middle, end }) => new Range(middle + 1, 0, end, 0)),
    );
  };
  const markAll = () => window.visibleTextEditors.forEach(mark);
  markAll();
  return Disposable.from(
    current,
    incoming,
    window.onDidChangeVisibleTextEditors(markAll),
    window.onDidChangeActiveTextEditor(markAll),
    workspace.onDidChangeTextDocument(({ document }) =>
      window.visibleTextEditors.filter((editor) => editor.document === document).forEach(mark),
    ),
    languages.registerCodeLensProvider([{ scheme }, { scheme: variablesScheme }], {
      provideCodeLenses: (document) =>
        conflictsIn(document).flatMap((conflict) =>
          choices(conflict).map(({ label, description, value }) => {
            const title = description === undefined ? label : l10n.t('{0} ({1})', label, description);
            const at = new Range(conflict.start, 0, conflict.start, 0);
            return new CodeLens(at, { title, command: id, arguments: [value, document.uri, conflict.start] });
          }),
        ),
    }),
  );
}

/** Replaces a conflict with one of its sides, or both: the one of a button, or else the one at the cursor or after it. */
export function mergeConflictCommands() {
  return {
    [id]: command(
      'editor',
      (call) => {
        const { uri } = call.rest;
        const document = uri && workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
        const editor = window.activeTextEditor;
        const line = call.rest.rest.number ?? editor?.selection.active.line ?? 0;
        return { side: sides.find((one) => one === call.text), document: document ?? editor?.document, line };
      },
      async ({ side, document, line }) => {
        const conflicts = document === undefined ? [] : conflictsIn(document);
        const conflict = conflicts.find(({ end }) => end >= line) ?? conflicts[0];
        if (document === undefined || conflict === undefined) {
          throw new ExpectedError(l10n.t('This file has no merge conflict.'));
        }
        const chosen = side ?? (await askChoice(choices(conflict), { placeHolder: l10n.t('Select a change') }));
        if (chosen !== undefined) {
          await accept(document, conflict, chosen);
        }
      },
    ),
  };
}

async function accept(document: TextDocument, { start, middle, end }: MergeConflict, side: Side): Promise<void> {
  const edit = new WorkspaceEdit();
  const remove = (from: number, to: number) => edit.delete(document.uri, new Range(from, 0, to + 1, 0));
  remove(start, side === 'theirs' ? middle : start);
  if (side === 'both') {
    remove(middle, middle);
  }
  remove(side === 'yours' ? middle : end, end);
  await workspace.applyEdit(edit);
  const left = conflictsIn(document);
  if (left.length === 0) {
    sayResolved(document);
  }
  const editor = window.visibleTextEditors.find((one) => one.document === document);
  const next = left.find((one) => one.start >= start) ?? left[0];
  if (editor !== undefined && next !== undefined) {
    showLine(editor, next.start);
  }
}

/** Says what is left to do, until the file is saved. */
function sayResolved(document: TextDocument): void {
  const shownForMs = 5_000;
  const text = l10n.t('All conflicts are resolved. Review the file, then save.');
  const shown = Disposable.from(
    showStatusMessage('check', text, shownForMs),
    workspace.onDidSaveTextDocument((saved) => {
      if (saved === document) {
        shown.dispose();
      }
    }),
  );
  setTimeout(() => {
    shown.dispose();
  }, shownForMs);
}

function showLine(editor: TextEditor, line: number): void {
  const at = new Range(line, 0, line, 0);
  editor.selection = new Selection(at.start, at.end);
  editor.revealRange(at, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Shows the first conflict in the editor. A comparison shows no buttons above lines. */
export async function showFirstConflict(document: TextDocument): Promise<void> {
  const editor = await window.showTextDocument(document, { preview: false });
  const [first] = conflictsIn(document);
  if (first !== undefined) {
    showLine(editor, first.start);
  }
}
