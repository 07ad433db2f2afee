import { commands, l10n, type TextDocument, Uri, workspace } from 'vscode';
import { GrowingWork } from '../async/growingWork';
import type { Environments } from '../containers/environments';
import { type FilePlace, uriParts } from '../containers/place';
import { confirmInProduction } from '../containers/protectedPrompt';
import { replaceText } from '../files/saving/conflictCommands';
import { copyDiagnostics, showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/notifications';
import { isExpected, reasonText } from '../ui/failureMessages';
import { withProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { askChoice, type Choice } from '../ui/quickPick';
import type { ShownTexts } from '../ui/shownTexts';
import type { FoundFile } from './folderSearch';
import {
  changeOf,
  type FileOutcome,
  type Replaced,
  type ReplacedFile,
  replaceInFiles,
  type ReplaceInFilesDeps,
  type ReplaceRequest,
  undoReplacement,
} from './replaceInFiles';
import { matcherOf, type SearchQuery } from './searchQuery';
import { fileCount } from '../ui/countText';

export interface ReplaceFlowDeps extends Omit<ReplaceInFilesDeps, 'editUnsaved'> {
  readonly environments: Environments;
  readonly texts: ShownTexts;
}

/** The most files whose changes are shown. The texts of more aren't kept. */
const mostShown = 20;
const readAtOnce = 4;

/** What was last entered, for the next replacement in this window. */
let lastReplacement = '';

/**
 * Asks what to replace the matches by, shows the changes, and makes them once the person agrees. Returns what became of
 * each file, or `undefined` if nothing was replaced.
 */
export async function replaceFound(
  files: readonly FoundFile[],
  query: SearchQuery,
  deps: ReplaceFlowDeps,
): Promise<readonly ReplacedFile[] | undefined> {
  const matches = files.reduce((sum, { matchCount }) => sum + matchCount, 0);
  const [first] = files;
  if (first === undefined) {
    void showInformationMessage(l10n.t('No results to replace.'));
    return undefined;
  }
  const entered = await askInTurn(l10n.t('Replace {0}', amountText(matches, files.length)), [
    {
      key: 'text',
      prompt: query.isRegex
        ? l10n.t('Replacement for “{0}” ($1: first group, \\n: new line)', query.text)
        : l10n.t('Replacement for “{0}” (empty to delete the matches)', query.text),
      value: lastReplacement,
      mayBeEmpty: true,
    },
  ]);
  const text = entered?.['text'];
  if (text === undefined) {
    return undefined;
  }
  lastReplacement = text;
  const request: ReplaceRequest = {
    files,
    matcher: matcherOf(query),
    replacement: { text, isPattern: query.isRegex },
  };
  await showChanges(request, deps);
  if (!(await agrees(request, matches, deps))) {
    return undefined;
  }
  const replaced = await withProgress(l10n.t('Replacing in {0}', fileCount(files.length)), ({ signal, say }) =>
    replaceInFiles(request, withDocuments(deps), {
      signal,
      onDidFinish: (done) => say(l10n.t('{0} of {1} files', done, files.length), done / files.length),
    }),
  );
  reportReplaced(replaced, files.length, deps);
  return replaced.files;
}

/** The list stays open while the person reads the changes, which are shown below it. */
async function agrees({ files }: ReplaceRequest, matches: number, deps: ReplaceFlowDeps): Promise<boolean> {
  const choices: readonly Choice[] = [
    { label: l10n.t('$(replace-all) Replace {0}', amountText(matches, files.length)), value: 'replace' },
    { label: l10n.t('$(close) Cancel'), value: 'cancel' },
  ];
  const chosen = await askChoice(choices, {
    title: l10n.t('Replace in Results'),
    placeHolder:
      files.length > mostShown
        ? l10n.t('Review the changes in the first {0} files', mostShown)
        : l10n.t('Review the changes'),
    ignoreFocusOut: true,
  });
  return (
    chosen === 'replace' &&
    confirmInProduction(
      files.map(({ file }) => file),
      deps.environments,
      {
        question: l10n.t('Replace {0}?', amountText(matches, files.length)),
        paragraphs: [],
        button: l10n.t('Replace'),
      },
    )
  );
}

/** Opens one editor with the changes of all files. Files that can't be read or have changed are left out. */
async function showChanges({ files, matcher, replacement }: ReplaceRequest, deps: ReplaceFlowDeps): Promise<void> {
  const sides = await withProgress(
    l10n.t('Reading {0}', fileCount(Math.min(files.length, mostShown))),
    async ({ signal }) => {
      const read: (readonly [Uri, Uri, Uri] | undefined)[] = [];
      const work = new GrowingWork(readAtOnce, signal);
      for (const [index, found] of files.slice(0, mostShown).entries()) {
        work.add(async () => {
          const before = unsavedDocument(found.file)?.getText() ?? (await deps.read(found.file).catch(() => undefined));
          const after = before === undefined ? undefined : changeOf(before, found, matcher, replacement)?.text;
          if (before !== undefined && after !== undefined) {
            const { path } = found.file;
            read[index] = [Uri.from(uriParts(found.file)), deps.texts.add(path, before), deps.texts.add(path, after)];
          }
        });
      }
      await work.finished();
      return read.filter((one) => one !== undefined);
    },
  );
  if (sides.length > 0) {
    await commands.executeCommand('vscode.changes', l10n.t('Replace in Results: Changes'), sides);
  }
}

/** Gives the files of a replacement, or else of the last one, their earlier texts back. */
export async function undoReplaceInFiles(deps: ReplaceFlowDeps, name?: string): Promise<void> {
  const undone = await withProgress(l10n.t('Undoing the replacement'), ({ signal }) =>
    undoReplacement(name, withDocuments(deps), { signal }),
  );
  if (undone === undefined) {
    void showInformationMessage(l10n.t('No replacement to undo.'));
    return;
  }
  const { files: outcomes, total } = undone;
  const restored = outcomes.filter(({ outcome }) => outcome.kind === 'saved').length;
  if (outcomes.length < total) {
    void showInformationMessage(l10n.t('Undo canceled. Restored {0} of {1}.', restored, fileCount(total)));
  } else if (restored === total) {
    void showInformationMessage(restored === 1 ? l10n.t('Restored 1 file.') : l10n.t('Restored {0} files.', restored));
  } else {
    await showDetails(
      outcomes.length === 1
        ? l10n.t("Couldn't restore 1 file.")
        : l10n.t('Restored {0} of {1} files. See the details for the others.', restored, total),
      outcomes,
    );
  }
}

function reportReplaced({ name, files: outcomes }: Replaced, files: number, deps: ReplaceFlowDeps): void {
  const undo = l10n.t('Undo');
  const done = outcomes.flatMap(({ outcome }) => (isReplaced(outcome) ? [outcome] : []));
  const matches = done.reduce((sum, { count }) => sum + count, 0);
  const unsaved = done.filter(({ kind }) => kind === 'unsaved').length;
  const rest =
    unsaved === 0
      ? ''
      : unsaved === 1
        ? l10n.t('1 file has unsaved changes. Save it to finish.')
        : l10n.t('{0} files have unsaved changes. Save them to finish.', unsaved);
  const act = async (chosen: string | undefined) => (chosen === undo ? undoReplaceInFiles(deps, name) : undefined);
  const buttons = done.some(({ kind }) => kind === 'saved') ? [undo] : [];
  if (done.length === files) {
    const text = `${l10n.t('Replaced {0}.', amountText(matches, files))} ${rest}`.trim();
    void showInformationMessage(text, ...buttons).then(act);
  } else {
    const text =
      files === 1
        ? l10n.t("Couldn't replace the matches in 1 file.")
        : l10n.t('Replaced the matches in {0} of {1} files.', done.length, files);
    void showDetails(`${text} ${rest}`.trim(), outcomes, ...buttons).then(act);
  }
}

type ReplacedOutcome = Extract<FileOutcome, { readonly count: number }>;

function isReplaced(outcome: FileOutcome): outcome is ReplacedOutcome {
  return outcome.kind === 'saved' || outcome.kind === 'unsaved';
}

/** Says how many files have problems, and which on request. */
async function showDetails(
  text: string,
  outcomes: readonly ReplacedFile[],
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const errors = outcomes.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  const [details, copy] = [l10n.t('Show Details'), l10n.t('Copy Diagnostics')];
  const offered = [...buttons, ...(errors.every(isExpected) ? [] : [copy])];
  let chosen = await showWarningMessage(text, details, ...offered);
  if (chosen === details) {
    const lines = outcomes.map(({ file, outcome }) => `${file.path}: ${outcomeText(outcome)}`);
    chosen = await showErrorMessage(text, { modal: true, detail: lines.join('\n') }, ...offered);
  }
  if (chosen === copy) {
    await copyDiagnostics(errors);
  }
  return chosen;
}

function outcomeText(outcome: FileOutcome): string {
  switch (outcome.kind) {
    case 'saved':
      return l10n.t('saved');
    case 'unsaved':
      return l10n.t('replaced in the editor, not saved yet');
    case 'conflict':
      return l10n.t("changed in the meantime, so it wasn't touched");
    case 'failed':
      return reasonText(outcome.error);
    case 'unknown':
      return l10n.t("the platform didn't confirm the change; check the file");
  }
}

/** How many matches in how many files. */
function amountText(matches: number, files: number): string {
  if (matches === 1) {
    return l10n.t('1 match in 1 file');
  }
  return files === 1 ? l10n.t('{0} matches in 1 file', matches) : l10n.t('{0} matches in {1} files', matches, files);
}

/** Adds what is changed in editors instead of on the platform. */
export function withDocuments(deps: Omit<ReplaceInFilesDeps, 'editUnsaved'>): ReplaceInFilesDeps {
  return {
    ...deps,
    editUnsaved: async (file, change) => {
      const document = unsavedDocument(file);
      if (document === undefined) {
        return false;
      }
      const [before, after] = [document.getText(), change(document.getText())];
      if (after !== before) {
        await replaceText(document, after);
      }
      return true;
    },
  };
}

function unsavedDocument(file: FilePlace): TextDocument | undefined {
  const uri = Uri.from(uriParts(file)).toString();
  return workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}
