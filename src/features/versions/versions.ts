import { commands, l10n, workspace } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import { confirmChange, confirmInProduction } from '../../ui/commands/protectedPrompt';
import { uriOf } from '../../containers/uris';
import type { OpenEdits } from '../../files/saving/edits/openEdits';
import { outcomeText } from '../../files/saving/outcomeTexts';
import { tellNotRestored } from '../../files/saving/restoreTexts';
import type { NodeVersion } from '../../files/saving/serverFiles';
import { normalizeText } from '../../files/text';
import { isCanceled, undefinedIf } from '../../platform/errors';
import { tabsOf } from '../../files/tabs';
import { readWholeText } from '../../files/wholeText';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import type { CommandTarget } from '../../trees/sharedElement';
import { ExpectedError } from '../../ui/expectedError';
import { showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askChoice } from '../../ui/quickPick';
import type { ShownTexts } from '../../ui/shownTexts';
import { type FileVersion, FileVersions } from './fileVersions';
import { VersionKeeping } from './versionKeepingNotice';
import {
  chooseDeleted,
  chooseVersion,
  compare,
  comparisonTitle,
  fileOnNodeText,
  isCompared,
  offerDeleted,
  restorableText,
  savedAt,
} from './versionList';

/** Keeps what verified saves wrote, compares files with it, and restores it. */
export function createVersions(services: Services, own: Own) {
  const { accounts, journal } = services;
  const store = new FileVersions(journal);
  const keeping = new VersionKeeping(store, services);
  own(accounts.onDidSignOut(({ slug }) => keeping.forgetAccount(slug)));
  return {
    store,
    commands: versionCommands(store, keeping, services),
    noteSaved: keeping.note.bind(keeping),
    noteWritten: keeping.noteWritten.bind(keeping),
    noteFollowed: keeping.noteFollowed.bind(keeping),
    noteGone: keeping.noteGone.bind(keeping),
    noteReturned: keeping.noteReturned.bind(keeping),
    restorableText: (targets: readonly CommandTarget[]) => restorableText(targets, store, services),
    offerDeleted: async (places: readonly FilePlace[], since: number) => {
      await showHistoryOf(await offerDeleted(places, since, store), keeping, services);
    },
  };
}

function versionCommands(store: FileVersions, keeping: VersionKeeping, services: Services) {
  const { targets } = services;
  return {
    'gantry.version.history': targets.onFile((file) => showHistory(file, keeping, services)),
    'gantry.version.restore': targets.onFile((file) => restoreCompared(file, store, services)),
    'gantry.version.showDeleted': targets.onFolder(async (folder) => {
      await showHistoryOf(await chooseDeleted(folder, store, services), keeping, services);
    }),
  };
}

/** The versions of a file on each of its nodes, newest first. */
async function versionsByNode(file: FilePlace, store: FileVersions, { containers }: Services) {
  const nodes = file.target.nodeId === undefined ? await containers.nodes(file) : [file];
  return Promise.all(nodes.map((node) => store.of(node)));
}

async function showHistoryOf(file: FilePlace | undefined, keeping: VersionKeeping, services: Services): Promise<void> {
  await (file && showHistory(file, keeping, services));
}

/** Lists the versions of a file. Selecting one compares it with the file, and a button restores it. */
async function showHistory(file: FilePlace, keeping: VersionKeeping, services: Services): Promise<void> {
  const { edits, texts } = services;
  const byNode = await versionsByNode(file, keeping.store, services);
  const versions = byNode.flat().sort((one, other) => other.at - one.at);
  if (versions.length === 0) {
    const again = (isAgreed: boolean) => (isAgreed ? showHistory(file, keeping, services) : undefined);
    void keeping.explainNone(file).then(again).catch(services.report);
    return;
  }
  // What someone changes while the list is open must not be overwritten.
  const reading = readNow(file, services);
  const dirty = edits.isDirty(file) ? textOf(file) : undefined;
  // Versions can be looked at even if the platform can't be reached.
  const now = await reading.catch(() => shownText(file, edits));
  const isNow = ({ text }: FileVersion) => (dirty === undefined ? text === now : normalizeText(text) === dirty);
  const isGone = (await reading.catch(() => '')) === undefined;
  const canRestore = services.accounts.find(file.account)?.lacks('Write') !== true;
  const isOnSeveral = byNode.length > 1;
  const chosen = await chooseVersion(file, { versions, isOnSeveral, isNow, isGone, texts, canRestore });
  if (chosen?.action === 'compare') {
    await compare(file, chosen.version, texts);
  } else if (chosen !== undefined) {
    ensureRestorable(file, services);
    const known = { byNode, reading: unlessCanceled(reading, file, services), ask: confirmInProduction };
    await restoreVersion(file, chosen.version, known, services);
  }
}

/** Returns the file's text; `undefined` if it was deleted. */
function readNow(file: FilePlace, services: Services): Promise<string | undefined> {
  return withProgress(l10n.t('Reading {0}', nameOf(file)), ({ signal }) =>
    undefinedIf('notFound', readWholeText(file, services, signal)),
  );
}

/** Reads the file again if the person canceled that, because the list opens all the same. */
function unlessCanceled(reading: Promise<string | undefined>, file: FilePlace, services: Services) {
  return reading.catch((error: unknown) => {
    if (!isCanceled(error)) {
      throw error;
    }
    return readNow(file, services);
  });
}

/** Restores the version that a comparison shows. */
async function restoreCompared(file: FilePlace, store: FileVersions, services: Services): Promise<void> {
  ensureRestorable(file, services);
  const byNode = await versionsByNode(file, store, services);
  const version = byNode.flat().find(isCompared);
  if (version === undefined) {
    throw new ExpectedError(l10n.t("This version isn't kept anymore. Select another one with Show Version History."));
  }
  const reading = undefinedIf('notFound', readWholeText(file, services));
  await restoreVersion(file, version, { byNode, reading, ask: confirmChange }, services);
}

async function restoreVersion(
  file: FilePlace,
  version: FileVersion,
  known: {
    readonly byNode: readonly (readonly FileVersion[])[];
    /** `undefined`: the file was deleted. */
    readonly reading: Promise<string | undefined>;
    readonly ask: typeof confirmChange;
  },
  services: Services,
): Promise<void> {
  const now = await known.reading;
  const nodes = known.byNode.length;
  if (now === undefined) {
    await restore(file, version, { now, nodes, ask: confirmChange }, services);
    return;
  }
  // An older version may be what someone else has gone back to.
  const isKnown =
    known.byNode.every(([newest]) => newest === undefined || newest.text === now) ||
    (await shownText(file, services.edits)) === now;
  const newest = known.byNode.flat().sort((one, other) => other.at - one.at)[0] ?? version;
  if (isKnown || (await agreesToOverwrite(file, { newest, now, chosen: version }, services.texts))) {
    await restore(file, version, { now, nodes, ask: known.ask }, services);
  }
}

/** Returns the platform's text that a tab shows. VS Code also reloads documents that no tab shows anymore. */
async function shownText(file: FilePlace, edits: OpenEdits): Promise<string | undefined> {
  return tabsOf(file).length > 0 ? edits.textOf(file) : undefined;
}

/** Returns the text of a file's document, as VS Code shows texts. */
function textOf(file: FilePlace): string | undefined {
  const uri = uriOf(file).toString();
  const document = workspace.textDocuments.find((one) => one.uri.toString() === uri);
  return document && normalizeText(document.getText());
}

function ensureRestorable(file: FilePlace, { containers, edits }: Services): void {
  containers.ensureOffered('Write', file);
  ensureClean(file, edits);
}

function ensureClean(file: FilePlace, edits: OpenEdits): void {
  if (edits.isDirty(file)) {
    throw new ExpectedError(l10n.t('{0} has unsaved changes. Save or revert them first.', nameOf(file)));
  }
}

/** Shows what someone else has changed since the last save from this computer. The list stays open meanwhile. */
async function agreesToOverwrite(
  file: FilePlace,
  { newest, now, chosen }: { readonly newest: FileVersion; readonly now: string; readonly chosen: FileVersion },
  texts: ShownTexts,
): Promise<boolean> {
  // Exactly what would be overwritten, which the file's editor may not show yet.
  const [left, right] = [newest.text, now].map((text) => texts.add(file.path, text));
  await commands.executeCommand('vscode.diff', left, right, comparisonTitle(file, newest));
  const choices = [
    {
      label: l10n.t('Restore'),
      icon: 'discard',
      detail: l10n.t('Overwrites what someone else has changed since your last save.'),
      value: true,
    },
    { label: l10n.t('Cancel'), icon: 'close', value: false },
  ];
  const answer = await askChoice(choices, {
    title: l10n.t('Restore This Version'),
    placeHolder: restoreQuestion(file, chosen),
  });
  return answer === true;
}

function restoreQuestion(file: FilePlace, version: FileVersion): string {
  return version.isFound
    ? l10n.t('Restore {0} to what it was before {1}?', fileOnNodeText(file), savedAt(version))
    : l10n.t('Restore {0} to the version from {1}?', fileOnNodeText(file), savedAt(version));
}

/**
 * Saves the earlier text over exactly what the file had when the list was opened, byte for byte, and verifies it.
 *
 * @param known.now `undefined` if the file was deleted
 * @param known.nodes how many have the file
 */
async function restore(
  file: FilePlace,
  version: FileVersion,
  known: { readonly now: string | undefined; readonly nodes: number; readonly ask: typeof confirmChange },
  services: Services,
): Promise<void> {
  const { now, nodes, ask } = known;
  const { environments, edits, restoreTexts, texts } = services;
  const name = fileOnNodeText(file);
  const isAgreed = await ask([file], environments, {
    question: restoreQuestion(file, version),
    paragraphs: [],
    button: l10n.t('Restore'),
  });
  if (!isAgreed) {
    return;
  }
  // The person may have typed while a question was open.
  ensureClean(file, edits);
  const { failed } = await withProgress(
    l10n.t('Restoring {0}', name),
    () => restoreTexts([{ place: file, now, earlier: version.text }]),
    { canStop: false },
  );
  if (failed === undefined) {
    void showInformationMessage(
      version.isFound
        ? l10n.t('Restored {0} to what it was before {1}.', name, savedAt(version))
        : l10n.t('Restored {0} to the version from {1}.', name, savedAt(version)),
    );
    return;
  }
  const { outcome } = failed;
  if (now === undefined && outcome.kind === 'failed' && outcome.cause instanceof Error) {
    // It says what couldn't be created, and nothing if the person canceled.
    throw outcome.cause;
  }
  const text =
    outcome.kind === 'conflict' && areDifferent(outcome.nodes, nodes)
      ? l10n.t("Couldn't restore {0}: its nodes have different versions. Restore it on each node.", name)
      : outcomeText(outcome, name, 'restored');
  await tellNotRestored(text, outcome, version.text, texts);
}

/** Whether what nodes have differs. Those without a conflict have the text that was expected, or the restored one. */
function areDifferent(conflicts: readonly NodeVersion[], nodes: number): boolean {
  const found = conflicts.map((one) => (one.found.kind === 'text' ? [one.found.text] : one.found.kind));
  return new Set(found.map((one) => JSON.stringify(one))).size > 1 || conflicts.length < nodes;
}
