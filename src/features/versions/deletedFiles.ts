import { l10n } from 'vscode';
import { type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { longestDeletedText, versionsMode } from '../../files/saving/createSaving';
import type { Services } from '../../services';
import type { CommandTarget } from '../../trees/sharedElement';
import { showInformationMessage } from '../../ui/notifications';
import { askChoice } from '../../ui/quickPick';
import { formatRelativeTime } from '../../ui/relativeTime';
import type { DeletedFile, FileVersions } from './fileVersions';

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
