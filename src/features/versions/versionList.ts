import { commands, l10n, TabInputTextDiff, ThemeIcon, window } from 'vscode';
import { type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { longestDeletedText, versionsMode } from '../../files/saving/createSaving';
import type { Services } from '../../services';
import type { CommandTarget } from '../../trees/sharedElement';
import { showInformationMessage } from '../../ui/notifications';
import { askChoice, type PickRow, showPick } from '../../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';
import type { DeletedFile, FileVersion, FileVersions } from './fileVersions';

type VersionRow = PickRow & { readonly version: FileVersion };

interface VersionList {
  readonly texts: ShownTexts;
  /** Newest first. */
  readonly versions: readonly FileVersion[];
  readonly isOnSeveral: boolean;
  /** Whether it's what the file has, or, if there are any, the unsaved changes in its editor. */
  readonly isNow: (version: FileVersion) => boolean;
  /** Whether the file was deleted. */
  readonly isGone: boolean;
  readonly canRestore: boolean;
}

export async function chooseVersion(file: FilePlace, list: VersionList) {
  const { versions, isOnSeveral, isNow, isGone, texts, canRestore } = list;
  const toCompare = isGone
    ? { iconPath: new ThemeIcon('go-to-file'), tooltip: l10n.t('Open') }
    : { iconPath: new ThemeIcon('diff'), tooltip: l10n.t('Compare with Current') };
  const toRestore = { iconPath: new ThemeIcon('discard'), tooltip: l10n.t('Restore') };
  const times = new Set<string>();
  const repeated = new Set(versions.map(minuteText).filter((time) => times.size === times.add(time).size));
  const items = versions.map((version): VersionRow => {
    const { at, isFound, place, path, followed } = version;
    const facts = [
      !isFound && formatRelativeTime(at),
      isOnSeveral && placeText(place),
      path !== undefined && l10n.t('as {0}', path),
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
      title: l10n.t('Versions of {0}', fileOnNodeText(file)),
      placeholder: isGone
        ? l10n.t('{0} was deleted. Select a version to restore it', nameOf(file))
        : offered.length > 0
          ? l10n.t('Select a version to compare it with the current text')
          : l10n.t('All kept versions have the current text.'),
      activeItems: (compared.length > 0 ? compared : offered).slice(0, 1),
    },
    (pick, resolve) => [
      pick.onDidAccept(() => {
        const [row] = pick.selectedItems;
        if (row?.buttons !== undefined) {
          resolve({ version: row.version, action: isGone ? 'restore' : 'compare' });
        }
      }),
      pick.onDidTriggerItemButton(({ version }, { tooltip }) => {
        if (tooltip === toRestore.tooltip) {
          resolve({ version, action: 'restore' });
        } else {
          // The list stays, so that several versions can be looked at before one is restored.
          void compare(file, version, texts, isGone);
        }
      }),
    ],
  );
}

/** Whether the active comparison shows it. */
export function isCompared(version: FileVersion): boolean {
  const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof TabInputTextDiff && input.original.fragment === fragmentOf(version);
}

export async function compare(file: FilePlace, version: FileVersion, texts: ShownTexts, isGone = false): Promise<void> {
  if (isGone) {
    await window.showTextDocument(texts.add(file.path, version.text), { preview: true });
    return;
  }
  const left = texts.add(file.path, version.text).with({ fragment: fragmentOf(version) });
  await commands.executeCommand('vscode.diff', left, uriOf(file), comparisonTitle(file, version));
}

export function comparisonTitle(file: FilePlace, version: FileVersion): string {
  return l10n.t('{0}: {1} ↔ Current', nameOf(file), timeText(version));
}

/** By this, the editor title offers to restore the version that a comparison shows, and the list selects it. */
function fragmentOf({ id }: FileVersion): string {
  return `version-${id}`;
}

const followedTexts: Readonly<Record<FileVersion['followed'][number], () => string>> = {
  restart: () => l10n.t('then restarted'),
  failedRestart: () => l10n.t('then failed to restart'),
  redeploy: () => l10n.t('then redeployed'),
  delete: () => l10n.t('then deleted'),
  failedRedeploy: () => l10n.t('then failed to redeploy'),
};

/** When a save wrote the version, or the save before which the file had it. */
function timeText(version: FileVersion, precision: 'short' | 'medium' = 'medium'): string {
  const at = savedAt(version, precision);
  return version.isFound ? l10n.t('before {0}', at) : at;
}

/** When a save wrote the version or, if it was found, the text after it. */
export function savedAt({ at, isFound }: FileVersion, precision: 'short' | 'medium' = 'medium'): string {
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
    case 'delete':
      return false;
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
export function fileOnNodeText(file: FilePlace): string {
  return l10n.t('{0} on {1}', nameOf(file), placeText(file));
}

function linesText({ text, changedLines }: FileVersion): string {
  if (changedLines !== undefined) {
    return changedLines === 1 ? l10n.t('1 line changed') : l10n.t('{0} lines changed', changedLines);
  }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
}

/** Lists the deleted files of a folder, of which there are versions. Returns the selected one. */
export async function chooseDeleted(
  folder: FilePlace,
  store: FileVersions,
  { listings }: Services,
): Promise<FilePlace | undefined> {
  // One that is there again, as far as this window has listed it, has its versions in its own history.
  const deleted = (await store.deletedIn(folder)).filter(
    ({ place }) =>
      folder.target.nodeId === undefined || listings.known(parentOrSelf(place))?.has(nameOf(place)) !== true,
  );
  if (deleted.length === 0) {
    void showInformationMessage(l10n.t('No versions of deleted files in {0}.', folder.path));
    return undefined;
  }
  return askDeleted(deleted, folder.path);
}

function askDeleted(deleted: readonly DeletedFile[], where: string): Promise<FilePlace | undefined> {
  const choices = deleted.map(({ place, at }) => ({
    label: nameOf(place),
    icon: 'file',
    description: [parentOrSelf(place).path, formatRelativeTime(at)].join(' · '),
    value: place,
  }));
  return askChoice(choices, {
    title: l10n.t('Deleted Files in {0}', where),
    placeHolder: l10n.t('Select a file to see its versions'),
  });
}

/** Says what of something can be restored once it's deleted. `undefined`: nothing. */
export async function restorableText(
  targets: readonly CommandTarget[],
  store: FileVersions,
  services: Services,
): Promise<string | undefined> {
  const parts = await Promise.all(targets.map((target) => restorablePart(target, store, services)));
  const [first] = parts;
  if (parts.every((part) => part === 'nothing')) {
    return undefined;
  }
  if (parts.length > 1) {
    return l10n.t('Only small text files and files with versions can be restored, with Show Deleted Files.');
  }
  switch (first) {
    case 'version':
      return l10n.t('You can restore a version of it with Show Deleted Files.');
    case 'text':
      return l10n.t('You can restore it with Show Deleted Files if its text can be read.');
    default:
      return l10n.t('Only files in it that have versions can be restored, with Show Deleted Files.');
  }
}

/** What a deletion leaves to restore. `text`: what it reads, if that's a text. */
async function restorablePart(
  { place, isFolder }: CommandTarget,
  store: FileVersions,
  { accounts, listings }: Services,
): Promise<'nothing' | 'version' | 'text' | 'filesWithVersions'> {
  if (versionsMode() !== 'on') {
    return 'nothing';
  }
  if (await store.hasVersions(place)) {
    return isFolder ? 'filesWithVersions' : 'version';
  }
  const longest = longestDeletedText(place);
  const isRead = !isFolder && longest > 0 && accounts.find(place.account)?.lacks('Read') !== true;
  return isRead && (listings.lastListed(place)?.length ?? Infinity) <= longest ? 'text' : 'nothing';
}

/** Offers to restore what was deleted since a moment, if there are versions of it. Returns the file whose versions to show. */
export async function offerDeleted(
  places: readonly FilePlace[],
  since: number,
  store: FileVersions,
): Promise<FilePlace | undefined> {
  const all = (await Promise.all(places.map((place) => store.deletedIn(place)))).flat();
  const deleted = all.filter(({ at }) => at >= since);
  const [first] = deleted;
  if (first === undefined) {
    return undefined;
  }
  const button = deleted.length > 1 ? l10n.t('Show Deleted Files') : l10n.t('Show Versions');
  const text =
    deleted.length > 1
      ? l10n.t(
          "You can restore {0} of the deleted files. To do so later, select Open > Show Deleted Files in a folder's menu.",
          deleted.length,
        )
      : l10n.t(
          "{0} was deleted. To restore it later, select Open > Show Deleted Files in its folder's menu.",
          nameOf(first.place),
        );
  if ((await showInformationMessage(text, button)) !== button) {
    return undefined;
  }
  return deleted.length > 1 ? askDeleted(deleted, parentOrSelf(places[0] ?? first.place).path) : first.place;
}
