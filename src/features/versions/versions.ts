import { join } from 'node:path';
import { commands, l10n, type QuickPickItem, TabInputTextDiff, ThemeIcon, window } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import { confirmInProduction } from '../../containers/protectedPrompt';
import { uriOf } from '../../containers/uris';
import type { OpenEdits } from '../../files/saving/edits/openEdits';
import { outcomeText } from '../../files/saving/outcomeTexts';
import { tabsOf } from '../../files/tabs';
import { readWholeText } from '../../files/wholeText';
import type { Services } from '../../services';
import { versionsFolder } from '../../storage/storageKeys';
import { ExpectedError } from '../../ui/expectedError';
import { showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askChoice, showPick } from '../../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';
import { VersionKeeping } from './versionKeepingNotice';
import { type FileVersion, type Followed, VersionStore } from './versionStore';

/** Keeps what verified saves wrote, compares files with it, and restores it. */
export function createVersions(services: Services) {
  const { accounts, storageFolder, report } = services;
  const store = new VersionStore(join(storageFolder, versionsFolder));
  const keeping = new VersionKeeping(store, accounts, report);
  return {
    store,
    commands: versionCommands({ store, keeping }, services),
    noteSaved: keeping.note.bind(keeping),
    noteFollowed: keeping.noteFollowed.bind(keeping),
    /** Removes old versions even if nothing is saved anymore. */
    prune: async () => {
      await accounts.loaded;
      await Promise.all(accounts.list.map(({ slug }) => store.prune(slug)));
    },
    forgetAccount: (slug: string) => keeping.forgetAccount(slug),
  };
}

/** What an entry of the list is chosen for. */
type Action = 'compare' | 'restore';

interface VersionRow extends QuickPickItem {
  readonly version: FileVersion;
}

interface Kept {
  readonly store: VersionStore;
  readonly keeping: VersionKeeping;
}

function versionCommands(kept: Kept, services: Services) {
  const show = (action: Action) => services.targets.onFile((file) => showVersions(file, action, kept, services));
  return { 'gantry.version.compare': show('compare'), 'gantry.version.restore': show('restore') };
}

/** Lists the versions of a file. Selecting one does what the command is for, and a button what the other one is for. */
async function showVersions(
  file: FilePlace,
  action: Action,
  { store, keeping }: Kept,
  services: Services,
): Promise<void> {
  const { containers, edits, texts } = services;
  if (action === 'restore') {
    ensureRestorable(file, services);
  }
  const nodes = file.target.nodeId === undefined ? await containers.nodes(file) : [file];
  const byNode = await Promise.all(nodes.map((node) => store.of(node)));
  const versions = byNode.flat().sort((one, other) => other.at - one.at);
  const [newest] = versions;
  if (newest === undefined) {
    void showInformationMessage(
      keeping.mode === 'off'
        ? l10n.t('No earlier versions of {0}: gantry.versionHistory.keep is off.', nameOf(file))
        : l10n.t('No earlier versions of {0}. Gantry keeps them when you save the file.', nameOf(file)),
    );
    return;
  }
  // What someone changes while the list is open must not be overwritten.
  const reading = readWholeText(file, services);
  reading.catch(() => undefined);
  const chosen = await chooseVersion(file, action, { versions, isOnSeveral: nodes.length > 1, texts });
  if (chosen?.action === 'compare') {
    await compare(file, chosen.version, texts);
  } else if (chosen !== undefined) {
    ensureRestorable(file, services);
    const now = await reading;
    // An older version may be what someone else has gone back to.
    const isKnown =
      byNode.every(([newestThere]) => newestThere === undefined || newestThere.text === now) ||
      (await shownText(file, edits)) === now;
    if (isKnown || (await agreesToOverwrite(file, { newest, now, chosen: chosen.version }, texts))) {
      await restore(file, chosen.version, now, services);
    }
  }
}

/** Returns the platform's text that a tab shows. VS Code also reloads documents that no tab shows anymore. */
async function shownText(file: FilePlace, edits: OpenEdits): Promise<string | undefined> {
  const shown = tabsOf(file).length > 0 ? await edits.baseOf(file) : undefined;
  return shown?.kind === 'version' ? shown.version.text : undefined;
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
}

async function chooseVersion(file: FilePlace, action: Action, { versions, isOnSeveral, texts }: VersionList) {
  const [icon, tooltip] =
    action === 'compare'
      ? (['discard', l10n.t('Restore Previous Version')] as const)
      : (['diff', l10n.t('Compare with Previous Version')] as const);
  const buttons = [{ iconPath: new ThemeIcon(icon), tooltip }];
  const items = versions.map((version): VersionRow => {
    const { at, isFound, place, followed } = version;
    const facts = [!isFound && formatRelativeTime(at), isOnSeveral && placeText(place), linesText(version)];
    const all = [...facts, ...followed.map((what) => followedTexts[what]())];
    return { label: timeText(version), description: all.filter(Boolean).join(' · '), version, buttons };
  });
  const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
  const compared = items.filter(
    ({ version }) => input instanceof TabInputTextDiff && input.original.fragment === fragmentOf(version),
  );
  const name = fileText(file);
  const placeholder =
    action === 'compare'
      ? l10n.t('Select the version of {0} to compare with', name)
      : l10n.t('Select the version of {0} to restore', name);
  return showPick<VersionRow, { readonly version: FileVersion; readonly action: Action }>(
    // The newest is what the file has, as a rule.
    { items, placeholder, activeItems: compared.length > 0 ? compared : items.slice(1, 2) },
    (pick, resolve) => [
      pick.onDidAccept(() => {
        const [row] = pick.selectedItems;
        resolve(row && { version: row.version, action });
      }),
      pick.onDidTriggerItemButton(({ version }) => {
        if (action === 'compare') {
          resolve({ version, action: 'restore' });
        } else {
          // The list stays, so that several versions can be looked at before one is restored.
          void compare(file, version, texts);
        }
      }),
    ],
  );
}

async function compare(file: FilePlace, version: FileVersion, texts: ShownTexts): Promise<void> {
  const left = texts.add(file.path, version.text).with({ fragment: fragmentOf(version) });
  await commands.executeCommand('vscode.diff', left, uriOf(file), comparisonTitle(file, version));
}

function comparisonTitle(file: FilePlace, version: FileVersion): string {
  return l10n.t('{0}: {1} ↔ Current', nameOf(file), timeText(version));
}

/** By this, the editor title offers to restore the version that a comparison shows, and the list selects it. */
function fragmentOf({ at }: FileVersion): string {
  return `version-${at}`;
}

const followedTexts: Readonly<Record<Followed, () => string>> = {
  restart: () => l10n.t('then restarted'),
  failedRestart: () => l10n.t('then failed to restart'),
  redeploy: () => l10n.t('then redeployed'),
  failedRedeploy: () => l10n.t('then failed to redeploy'),
};

/** When a save wrote the version, or the save before which the file had it. */
function timeText({ at, isFound }: FileVersion): string {
  const time = (moment: number) => formatExactTime(moment, 'medium');
  // It's kept a millisecond before the save.
  return isFound ? l10n.t('before {0}', time(at + 1)) : time(at);
}

function placeText({ target: { nodeId } }: FilePlace): string {
  return nodeId === undefined ? l10n.t('all nodes') : l10n.t('node {0}', nodeId);
}

/** A version is restored only there, even if its layer has several nodes. */
function fileText(file: FilePlace): string {
  return l10n.t('{0} on {1}', nameOf(file), placeText(file));
}

function linesText({ text }: FileVersion): string {
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
    title: l10n.t('Restore Previous Version'),
    placeHolder: restoreQuestion(file, chosen),
  });
  return answer === true;
}

function restoreQuestion(file: FilePlace, version: FileVersion): string {
  return l10n.t('Restore {0} to the version from {1}?', fileText(file), timeText(version));
}

/** Saves the earlier text over exactly what the file had when the list was opened, byte for byte, and verifies it. */
async function restore(
  file: FilePlace,
  version: FileVersion,
  now: string,
  { environments, edits, queue, writeIfUnchanged }: Services,
): Promise<void> {
  const name = fileText(file);
  const when = timeText(version);
  const isAgreed = await confirmInProduction([file], environments, {
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
    () => queue.take([file], () => writeIfUnchanged(file, { before: now, text: version.text })),
    { canStop: false },
  );
  if (outcome.kind === 'saved') {
    void showInformationMessage(l10n.t('Restored {0} to the version from {1}.', name, when));
    return;
  }
  throw new ExpectedError(
    outcome.kind === 'conflict' && file.target.nodeId === undefined
      ? l10n.t("Couldn't restore {0}: its nodes have different versions. Restore it on each node.", name)
      : outcomeText(outcome, name, 'restored'),
    'cause' in outcome ? { cause: outcome.cause } : {},
  );
}
