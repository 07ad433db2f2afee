import { commands, l10n, TabInputTextDiff, ThemeIcon, window, workspace } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import { confirmChange, confirmInProduction } from '../../containers/protectedPrompt';
import { uriOf } from '../../containers/uris';
import type { OpenEdits } from '../../files/saving/edits/openEdits';
import { outcomeText } from '../../files/saving/outcomeTexts';
import { normalizeText } from '../../files/text';
import { tabsOf } from '../../files/tabs';
import { readWholeText } from '../../files/wholeText';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import { showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askChoice, type PickRow, showPick } from '../../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';
import { type FileVersion, FileVersions, type Followed } from './fileVersions';
import { VersionKeeping } from './versionKeepingNotice';

/** Keeps what verified saves wrote, compares files with it, and restores it. */
export function createVersions(services: Services, own: Own) {
  const { accounts, journal, report } = services;
  const store = new FileVersions(journal);
  const keeping = new VersionKeeping(store, accounts, report);
  own(accounts.onDidSignOut(({ slug }) => keeping.forgetAccount(slug)));
  return {
    store,
    commands: versionCommands(store, keeping, services),
    noteSaved: keeping.note.bind(keeping),
    noteWritten: keeping.noteWritten.bind(keeping),
    noteFollowed: keeping.noteFollowed.bind(keeping),
  };
}

type VersionRow = PickRow & { readonly version: FileVersion };

function versionCommands(store: FileVersions, keeping: VersionKeeping, services: Services) {
  const { targets } = services;
  return {
    'gantry.version.history': targets.onFile((file) => showHistory(file, keeping, services)),
    'gantry.version.restore': targets.onFile((file) => restoreCompared(file, store, services)),
  };
}

/** The versions of a file on each of its nodes, newest first. */
async function versionsByNode(file: FilePlace, store: FileVersions, { containers }: Services) {
  const nodes = file.target.nodeId === undefined ? await containers.nodes(file) : [file];
  return Promise.all(nodes.map((node) => store.of(node)));
}

/** Lists the versions of a file. Selecting one compares it with the file, and a button restores it. */
async function showHistory(file: FilePlace, keeping: VersionKeeping, services: Services): Promise<void> {
  const { edits, texts } = services;
  const byNode = await versionsByNode(file, keeping.store, services);
  const versions = byNode.flat().sort((one, other) => other.at - one.at);
  if (versions.length === 0) {
    const again = (isAgreed: boolean) => (isAgreed ? showHistory(file, keeping, services) : undefined);
    void keeping.explainNone(nameOf(file)).then(again).catch(services.report);
    return;
  }
  // What someone changes while the list is open must not be overwritten.
  const reading = withProgress(l10n.t('Reading {0}', nameOf(file)), ({ signal }) =>
    readWholeText(file, services, signal),
  );
  const dirty = edits.isDirty(file) ? textOf(file) : undefined;
  // Versions can be looked at even if the platform can't be reached.
  const now = await reading.catch(() => shownText(file, edits));
  const isNow = ({ text }: FileVersion) => (dirty === undefined ? text === now : normalizeText(text) === dirty);
  const canRestore = services.accounts.find(file.account)?.lacks('Write') !== true;
  const chosen = await chooseVersion(file, { versions, isOnSeveral: byNode.length > 1, isNow, texts, canRestore });
  if (chosen?.action === 'compare') {
    await compare(file, chosen.version, texts);
  } else if (chosen !== undefined) {
    ensureRestorable(file, services);
    await restoreVersion(file, chosen.version, { byNode, reading, ask: confirmInProduction }, services);
  }
}

/** Restores the version that a comparison shows. */
async function restoreCompared(file: FilePlace, store: FileVersions, services: Services): Promise<void> {
  ensureRestorable(file, services);
  const byNode = await versionsByNode(file, store, services);
  const version = byNode.flat().find(isCompared);
  if (version === undefined) {
    throw new ExpectedError(l10n.t("This version isn't kept anymore."));
  }
  await restoreVersion(file, version, { byNode, reading: readWholeText(file, services), ask: confirmChange }, services);
}

async function restoreVersion(
  file: FilePlace,
  version: FileVersion,
  known: {
    readonly byNode: readonly (readonly FileVersion[])[];
    readonly reading: Promise<string>;
    readonly ask: typeof confirmChange;
  },
  services: Services,
): Promise<void> {
  const now = await known.reading;
  // An older version may be what someone else has gone back to.
  const isKnown =
    known.byNode.every(([newest]) => newest === undefined || newest.text === now) ||
    (await shownText(file, services.edits)) === now;
  const newest = known.byNode.flat().sort((one, other) => other.at - one.at)[0] ?? version;
  if (isKnown || (await agreesToOverwrite(file, { newest, now, chosen: version }, services.texts))) {
    await restore(file, version, { now, ask: known.ask }, services);
  }
}

/** Returns the platform's text that a tab shows. VS Code also reloads documents that no tab shows anymore. */
async function shownText(file: FilePlace, edits: OpenEdits): Promise<string | undefined> {
  const shown = tabsOf(file).length > 0 ? await edits.baseOf(file) : undefined;
  return shown?.kind === 'version' ? shown.version.text : undefined;
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

interface VersionList {
  readonly texts: ShownTexts;
  /** Newest first. */
  readonly versions: readonly FileVersion[];
  readonly isOnSeveral: boolean;
  /** Whether it's what the file has, or, if there are any, the unsaved changes in its editor. */
  readonly isNow: (version: FileVersion) => boolean;
  readonly canRestore: boolean;
}

async function chooseVersion(file: FilePlace, { versions, isOnSeveral, isNow, texts, canRestore }: VersionList) {
  const toCompare = { iconPath: new ThemeIcon('diff'), tooltip: l10n.t('Compare with Current') };
  const toRestore = { iconPath: new ThemeIcon('discard'), tooltip: l10n.t('Restore') };
  const times = new Set<string>();
  const repeated = new Set(versions.map(minuteText).filter((time) => times.size === times.add(time).size));
  const items = versions.map((version): VersionRow => {
    const { at, isFound, place, followed } = version;
    const facts = [
      !isFound && formatRelativeTime(at),
      isOnSeveral && placeText(place),
      causeText(version),
      linesText(version),
      version.isBeforeRestore && l10n.t('before Restore'),
      ...followed.map((what) => followedTexts[what]()),
    ].filter(Boolean);
    const label = repeated.has(minuteText(version)) ? timeText(version) : minuteText(version);
    return isNow(version)
      ? { label, icon: 'check', description: [l10n.t('the text now'), ...facts].join(' · '), version }
      : { label, description: facts.join(' · '), version, buttons: canRestore ? [toCompare, toRestore] : [toCompare] };
  });
  const offered = items.filter(({ buttons }) => buttons !== undefined);
  const compared = offered.filter(({ version }) => isCompared(version));
  return showPick<VersionRow, { readonly version: FileVersion; readonly action: 'compare' | 'restore' }>(
    {
      items,
      title: l10n.t('Versions of {0}', fileText(file)),
      placeholder:
        offered.length > 0
          ? l10n.t('Select a version to compare it with the current text')
          : l10n.t('All kept versions have the current text.'),
      activeItems: (compared.length > 0 ? compared : offered).slice(0, 1),
    },
    (pick, resolve) => [
      pick.onDidAccept(() => {
        const [row] = pick.selectedItems;
        if (row?.buttons !== undefined) {
          resolve({ version: row.version, action: 'compare' });
        }
      }),
      pick.onDidTriggerItemButton(({ version }, { tooltip }) => {
        if (tooltip === toRestore.tooltip) {
          resolve({ version, action: 'restore' });
        } else {
          // The list stays, so that several versions can be looked at before one is restored.
          void compare(file, version, texts);
        }
      }),
    ],
  );
}

/** Whether the active comparison shows it. */
function isCompared(version: FileVersion): boolean {
  const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof TabInputTextDiff && input.original.fragment === fragmentOf(version);
}

async function compare(file: FilePlace, version: FileVersion, texts: ShownTexts): Promise<void> {
  const left = texts.add(file.path, version.text).with({ fragment: fragmentOf(version) });
  await commands.executeCommand('vscode.diff', left, uriOf(file), comparisonTitle(file, version));
}

function comparisonTitle(file: FilePlace, version: FileVersion): string {
  return l10n.t('{0}: {1} ↔ Current', nameOf(file), timeText(version));
}

/** By this, the editor title offers to restore the version that a comparison shows, and the list selects it. */
function fragmentOf({ id }: FileVersion): string {
  return `version-${id}`;
}

const followedTexts: Readonly<Record<Followed, () => string>> = {
  restart: () => l10n.t('then restarted'),
  failedRestart: () => l10n.t('then failed to restart'),
  redeploy: () => l10n.t('then redeployed'),
  failedRedeploy: () => l10n.t('then failed to redeploy'),
};

/** When a save wrote the version, or the save before which the file had it. */
function timeText(version: FileVersion, precision: 'short' | 'medium' = 'medium'): string {
  const at = savedAt(version, precision);
  return version.isFound ? l10n.t('before {0}', at) : at;
}

/** When a save wrote the version or, if it was found, the text after it. */
function savedAt({ at, isFound }: FileVersion, precision: 'short' | 'medium' = 'medium'): string {
  // What was found is kept a millisecond before the save.
  return formatExactTime(isFound ? at + 1 : at, precision);
}

function minuteText(version: FileVersion): string {
  return timeText(version, 'short');
}

function causeText({ cause, isFound, replacedIn = 0 }: FileVersion): string | false {
  if (isFound) {
    return false;
  }
  switch (cause) {
    case 'save':
      return l10n.t('saved');
    case 'restore':
      return l10n.t('restored');
    case 'append':
      return l10n.t('appended');
    case 'replaceInFile':
      return l10n.t('replaced in this file');
    case 'replace':
      return replacedIn > 1 ? l10n.t('replaced in {0} files', replacedIn) : l10n.t('replaced');
  }
}

function placeText({ target: { nodeId } }: FilePlace): string {
  return nodeId === undefined ? l10n.t('all nodes') : l10n.t('node {0}', nodeId);
}

/** A version is restored only there, even if its layer has several nodes. */
function fileText(file: FilePlace): string {
  return l10n.t('{0} on {1}', nameOf(file), placeText(file));
}

function linesText({ text, changedLines }: FileVersion): string {
  if (changedLines !== undefined) {
    return changedLines === 1 ? l10n.t('1 line changed') : l10n.t('{0} lines changed', changedLines);
  }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
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
    ? l10n.t('Restore {0} to what it was before {1}?', fileText(file), savedAt(version))
    : l10n.t('Restore {0} to the version from {1}?', fileText(file), savedAt(version));
}

/** Saves the earlier text over exactly what the file had when the list was opened, byte for byte, and verifies it. */
async function restore(
  file: FilePlace,
  version: FileVersion,
  { now, ask }: { readonly now: string; readonly ask: typeof confirmChange },
  { environments, edits, queue, writeIfUnchanged }: Services,
): Promise<void> {
  const name = fileText(file);
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
  const outcome = await withProgress(
    l10n.t('Restoring {0}', name),
    () =>
      queue.take([file], () =>
        writeIfUnchanged(file, { before: now, text: version.text, reason: { cause: 'restore' } }),
      ),
    { canStop: false },
  );
  if (outcome.kind === 'saved') {
    void showInformationMessage(
      version.isFound
        ? l10n.t('Restored {0} to what it was before {1}.', name, savedAt(version))
        : l10n.t('Restored {0} to the version from {1}.', name, savedAt(version)),
    );
    return;
  }
  throw new ExpectedError(
    outcome.kind === 'conflict' && file.target.nodeId === undefined
      ? l10n.t("Couldn't restore {0}: its nodes have different versions. Restore it on each node.", name)
      : outcomeText(outcome, name, 'restored'),
    'cause' in outcome ? { cause: outcome.cause } : {},
  );
}
