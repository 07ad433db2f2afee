import { commands, l10n, type Tab, type Uri, window } from 'vscode';
import { TaskPool } from '../../../async/taskPool';
import { type FilePlace, keyOf, nameOf } from '../../../containers/place';
import { uriOf } from '../../../containers/uris';
import { confirmChange, confirmInProduction } from '../../../ui/commands/protectedPrompt';
import { readWholeText } from '../../../files/wholeText';
import type { Services } from '../../../services';
import { compareNotRestored, foundInstead } from '../../../files/saving/restoreTexts';
import { showInformationMessage } from '../../../ui/notifications';
import { withProgress } from '../../../ui/progress';
import { askInTurn } from '../../../ui/prompts';
import { askChoice, type Choice } from '../../../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../../../ui/relativeTime';
import type { CurrentSearch } from '../currentSearch';
import type { FolderSearch, FoundFile } from '../folderSearch';
import {
  changeOf,
  type ReplacedFile,
  replaceInFiles,
  type ReplaceInFilesDeps,
  type ReplaceRequest,
  undoReplacement,
  unsavedDocument,
  withDocuments,
} from './replaceInFiles';
import type { ReplacementStore } from './replacementStore';
import { matcherOf } from '../searchQuery';
import {
  amountText,
  isReplaced,
  fileNamesText,
  nextAfter,
  reportReplaced,
  reportUndone,
  withPieces,
} from './replaceNotice';
import { fileCount } from '../../../ui/countText';

/** The parts of the search feature that a replacement needs. */
export interface Replacing {
  readonly stored: ReplacementStore;
  /** The search whose results show what an undo brings back. */
  readonly current: Pick<CurrentSearch, 'noteText'>;
}

/** The most files whose changes are shown. The texts of more aren't kept. */
const maxShown = 20;
const readAtOnce = 4;
/** The most files that a question names. */
const maxNamed = 10;

/** The changes of the newest replacement in this window, until it's undone. */
let preview: { readonly tab: Tab; readonly name?: string } | undefined;
/** What was last entered, for the next replacement in this window. */
let lastReplacement = '';

/**
 * Asks what to replace the matches by, shows the changes, and makes them once the person agrees. Returns the outcome for
 * each file, or `undefined` if nothing was replaced.
 */
export async function replaceFound(
  files: readonly FoundFile[],
  { scope: { query }, state }: Pick<FolderSearch, 'scope' | 'state'>,
  services: Services,
  replacing: Replacing,
): Promise<readonly ReplacedFile[] | undefined> {
  const matches = files.reduce((sum, { matchCount }) => sum + matchCount, 0);
  if (files.length === 0) {
    void showInformationMessage(l10n.t('No results to replace.'));
    return undefined;
  }
  services.containers.ensureOffered('Write', ...files.map(({ file }) => file));
  const entered = await askInTurn(l10n.t('Replace {0}', amountText(matches, files.length)), [
    {
      key: 'text',
      prompt: query.isRegex
        ? l10n.t('Replacement for “{0}” ($1: first group, \\n: new line)', query.text)
        : l10n.t('Replacement for “{0}”. Leave empty to delete the matches.', query.text),
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
  const shown = await showChanges(request, services);
  if (shown === undefined || !(await agrees(request, matches, { shown, isWhole: state.kind === 'done' }, services))) {
    return undefined;
  }
  const run = (some: readonly FoundFile[], goesOn?: string) =>
    withProgress(l10n.t('Replacing in {0}', fileCount(some.length)), async ({ signal, say }) => {
      const { name, files: outcomes } = await replaceInFiles({ ...request, files: some }, workOn(services, replacing), {
        signal,
        ...(goesOn === undefined ? {} : { name: goesOn }),
        onDidFinish: (done) => say(l10n.t('{0} of {1} files', done, some.length), done / some.length),
      });
      return { name, outcomes, isCanceled: signal.aborted };
    });
  const first = await run(files);
  const replaced = await withPieces(first, services, (some) =>
    run(
      files.filter(({ file }) => some.includes(file)),
      first.name,
    ),
  );
  preview &&= { ...preview, name: replaced.name };
  const undoIt = () => undoReplaceInFiles(replaced.name, services, replacing);
  const work = workOn(services, replacing);
  reportReplaced({ ...replaced, next: nextAfter(replaced, services, work, undoIt) });
  return replaced.outcomes;
}

interface Preview {
  /** The number of files whose changes are shown. */
  readonly shown: number;
  /** Whether the search found all matches. */
  readonly isWhole: boolean;
}

/** The list stays open while the person reads the changes, which are shown below it. */
async function agrees(
  request: ReplaceRequest,
  matches: number,
  { shown, isWhole }: Preview,
  services: Services,
): Promise<boolean> {
  const { files } = request;
  const missing = Math.min(files.length, maxShown) - shown;
  const notes = [
    ...(isWhole ? [] : [l10n.t("The search didn't finish, so there may be more matches.")]),
    ...(missing === 0
      ? []
      : [
          missing === 1
            ? l10n.t("1 file isn't in the preview because it changed or can't be read.")
            : l10n.t("{0} files aren't in the preview because they changed or can't be read.", missing),
        ]),
  ];
  const choices: readonly Choice[] = [
    {
      label: l10n.t('Replace {0}', amountText(matches, files.length)),
      icon: 'replace-all',
      ...(notes.length === 0 ? {} : { detail: notes.join(' ') }),
      value: 'replace',
    },
    { label: l10n.t('Cancel'), icon: 'close', value: 'cancel' },
  ];
  const chosen = await askChoice(choices, {
    title: l10n.t('Replace in Results'),
    placeHolder:
      files.length > maxShown
        ? l10n.t('Review the changes in the first {0} of {1} files', maxShown, files.length)
        : l10n.t('Review the changes'),
  });
  return (
    chosen === 'replace' &&
    confirmInProduction(
      files.map(({ file }) => file),
      services.environments,
      {
        question: l10n.t('Replace {0}?', amountText(matches, files.length)),
        paragraphs: [
          request.replacement.text === ''
            ? l10n.t('The matches will be deleted.')
            : l10n.t('The matches will be replaced with “{0}”.', request.replacement.text),
          ...notes,
          l10n.t('Gantry saves the files to the containers. To restore them, run Undo Replacement.'),
        ],
        button: l10n.t('Replace'),
      },
    )
  );
}

/**
 * Opens one editor with the changes of all files. Files that can't be read or have changed are left out. Returns how many
 * are shown, or `undefined` if the person canceled.
 */
async function showChanges(
  { files, matcher, replacement }: ReplaceRequest,
  services: Services,
): Promise<number | undefined> {
  const sides = await withProgress(
    l10n.t('Reading {0}', fileCount(Math.min(files.length, maxShown))),
    async ({ signal }) => {
      const read: (readonly [Uri, Uri, Uri] | undefined)[] = [];
      const work = new TaskPool(readAtOnce, signal);
      for (const [index, found] of files.slice(0, maxShown).entries()) {
        work.add(async () => {
          try {
            const before =
              unsavedDocument(found.file)?.getText() ?? (await readWholeText(found.file, services, signal));
            const after = changeOf(before, found, matcher, replacement)?.text;
            if (after !== undefined) {
              const { path } = found.file;
              read[index] = [uriOf(found.file), services.texts.add(path, before), services.texts.add(path, after)];
            }
          } catch {
            // The replacement itself says what's wrong with this file.
          }
        });
      }
      await work.finished();
      return signal.aborted ? undefined : read.filter((one) => one !== undefined);
    },
  );
  preview = undefined;
  if (sides !== undefined && sides.length > 0) {
    const title = l10n.t('Replace in Results: Changes');
    await commands.executeCommand('vscode.changes', title, sides);
    const tab = window.tabGroups.activeTabGroup.activeTab;
    preview = tab?.label.startsWith(title) === true ? { tab } : undefined;
  }
  return sides?.length;
}

/**
 * Gives the files of the newest replacement of any window their earlier texts back, after a question. If a file of another
 * one wasn't restored, lets the person choose.
 */
export async function undoNewestReplacement(services: Services, replacing: Replacing): Promise<void> {
  const undoable = await replacing.stored.undoable();
  const newest = undoable.length > 1 ? await askWhichReplacement(undoable, replacing) : undoable[0];
  if (newest === undefined && undoable.length > 0) {
    return;
  }
  const texts = newest === undefined ? [] : await replacing.stored.texts(newest);
  const [first] = texts;
  if (newest === undefined || first === undefined) {
    void showInformationMessage(l10n.t('No replacement to undo.'));
    return;
  }
  const places = texts.map(({ place }) => place);
  services.containers.ensureOffered('Write', ...places);
  const agreed = await confirmChange(places, services.environments, {
    question:
      places.length === 1
        ? l10n.t('Undo the replacement in {0}?', nameOf(first.place))
        : l10n.t('Undo the replacement in {0} files?', places.length),
    paragraphs: [
      l10n.t('The text was replaced {0}.', formatRelativeTime(replacing.stored.timeOf(newest))),
      places
        .map(({ path }) => path)
        .sort()
        .slice(0, maxNamed)
        .join('\n') + (places.length > maxNamed ? '\n…' : ''),
      l10n.t("Files that have changed since then aren't restored."),
    ],
    button: l10n.t('Undo'),
  });
  if (agreed) {
    await undoReplaceInFiles(newest, services, replacing);
  }
}

async function askWhichReplacement(names: readonly string[], { stored }: Replacing): Promise<string | undefined> {
  const choices = await Promise.all(
    names.map(async (name): Promise<Choice> => {
      const files = (await stored.texts(name)).map(({ place }) => place);
      const at = stored.timeOf(name);
      return {
        label: fileNamesText(files),
        // Two replacements in one file may be a minute apart. What was replaced may be a secret.
        description: l10n.t('replaced {0} ({1})', formatRelativeTime(at), formatExactTime(at, 'medium')),
        value: name,
      };
    }),
  );
  return askChoice(choices, { placeHolder: l10n.t('Select the replacement to undo') });
}

function workOn(services: Services, { stored }: Replacing): ReplaceInFilesDeps {
  const { queue, writeIfUnchanged, restoreTexts } = services;
  const read = (file: FilePlace, signal?: AbortSignal) => readWholeText(file, services, signal);
  return withDocuments({ queue, writeIfUnchanged, restoreTexts, stored, read });
}

/** Closes the changes of a replacement, which no longer are what the files have. */
async function closePreview(name: string): Promise<void> {
  const { tab } = preview?.name === name ? preview : {};
  preview = tab === undefined ? preview : undefined;
  if (tab !== undefined && window.tabGroups.all.some(({ tabs }) => tabs.includes(tab))) {
    await window.tabGroups.close(tab, true);
  }
}

/** Gives the files of a replacement their earlier texts back, and shows their matches again. */
export async function undoReplaceInFiles(name: string, services: Services, replacing: Replacing): Promise<void> {
  const kept = await replacing.stored.texts(name);
  const texts = new Map(kept.map((known) => [keyOf(known.place), 'before' in known ? known.before : undefined]));
  const run = () =>
    withProgress(l10n.t('Undoing the replacement'), async ({ signal }) => {
      const undone = await undoReplacement(name, workOn(services, replacing), { signal });
      return { outcomes: undone ?? [], isCanceled: signal.aborted };
    });
  const { outcomes, isCanceled } = await withPieces(await run(), services, run);
  if (outcomes.length === 0) {
    void showInformationMessage(l10n.t('No replacement to undo.'));
    return;
  }
  for (const { file, outcome } of outcomes) {
    const text = texts.get(keyOf(file));
    if (outcome.kind === 'saved' && text !== undefined) {
      await replacing.current.noteText(file, text);
    }
  }
  if (outcomes.every(({ outcome }) => isReplaced(outcome))) {
    await closePreview(name);
  }
  await reportUndone(outcomes, isCanceled, async (others) => {
    const sides = others.flatMap(({ file: place, outcome }) => {
      const earlier = texts.get(keyOf(place)) ?? '';
      return outcome.kind === 'conflict' ? foundInstead(outcome, earlier) : [{ place, earlier }];
    });
    await compareNotRestored(sides, services.texts);
  });
}
