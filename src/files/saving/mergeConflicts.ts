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
import { digestOf } from '../../storage/stores';
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

function textOf(document: TextDocument, { start, end }: MergeConflict): string {
  return document.getText(new Range(start, 0, end + 1, 0));
}

interface IdentifiedConflict {
  readonly conflict: MergeConflict;
  /**
   * Of its text, and of how many have the same. It changes once one of those is resolved, so that a second click on its
   * button doesn't resolve another one, which the user may not even have seen.
   */
  readonly digest: string;
}

function identifiedConflicts(document: TextDocument): readonly IdentifiedConflict[] {
  const all = conflictsIn(document).map((conflict) => ({ conflict, text: textOf(document, conflict) }));
  return all.map(({ conflict, text }) => {
    const alike = all.filter((other) => other.text === text).length;
    return { conflict, digest: digestOf(`${alike} ${text}`) };
  });
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
  // High contrast themes have no backgrounds for these, and other themes have no border.
  const edges = window.createTextEditorDecorationType({
    isWholeLine: true,
    outlineStyle: 'solid',
    outlineWidth: '1pt',
    outlineColor: new ThemeColor('merge.border'),
  });
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
    editor.setDecorations(
      edges,
      conflicts.flatMap(({ start, middle, end }) => [start, middle, end].map((line) => new Range(line, 0, line, 0))),
    );
  };
  const markAll = () => window.visibleTextEditors.forEach(mark);
  markAll();
  return Disposable.from(
    current,
    incoming,
    edges,
    window.onDidChangeVisibleTextEditors(markAll),
    window.onDidChangeActiveTextEditor(markAll),
    workspace.onDidChangeTextDocument(({ document }) =>
      window.visibleTextEditors.filter((editor) => editor.document === document).forEach(mark),
    ),
    languages.registerCodeLensProvider([{ scheme }, { scheme: variablesScheme }], {
      provideCodeLenses: (document) =>
        identifiedConflicts(document).flatMap(({ conflict, digest }) =>
          choices(conflict).map(({ label, description, value }) => {
            const title = description === undefined ? label : l10n.t('{0} ({1})', label, description);
            const at = new Range(conflict.start, 0, conflict.start, 0);
            return new CodeLens(at, { title, command: id, arguments: [value, document.uri, conflict.start, digest] });
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
        const digest = call.rest.rest.rest.text;
        return { side: sides.find((one) => one === call.text), document: document ?? editor?.document, line, digest };
      },
      async ({ side, document, line, digest }) => {
        const conflict = document && conflictAt(document, line, digest);
        if (digest !== undefined && conflict === undefined) {
          // The button's conflict is resolved already.
          return;
        }
        if (document === undefined || conflict === undefined) {
          throw new ExpectedError(l10n.t('This file has no merge conflict.'));
        }
        const found = textOf(document, conflict);
        const chosen = side ?? (await askChoice(choices(conflict), { placeHolder: l10n.t('Select a change') }));
        if (chosen !== undefined) {
          await accept(document, conflict, chosen, found);
        }
      },
    ),
  };
}

/**
 * Returns the conflict at a line, or the next one after it. For a button, returns its own, wherever that is by now: VS Code
 * moves the button only a moment after something was typed above it.
 */
function conflictAt(document: TextDocument, line: number, digest?: string): MergeConflict | undefined {
  if (digest === undefined) {
    const conflicts = conflictsIn(document);
    return conflicts.find(({ end }) => end >= line) ?? conflicts[0];
  }
  const same = identifiedConflicts(document).filter((one) => one.digest === digest);
  const [nearest] = same
    .map(({ conflict }) => conflict)
    .sort((one, other) => Math.abs(one.start - line) - Math.abs(other.start - line));
  return nearest;
}

/** @param seen the conflict's text when the side was chosen */
async function accept(document: TextDocument, conflict: MergeConflict, side: Side, seen: string): Promise<void> {
  const { start, middle, end } = conflict;
  if (textOf(document, conflict) !== seen) {
    throw new ExpectedError(l10n.t("Couldn't change {0}. Try again.", document.uri.path));
  }
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
