import { l10n } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { LeftFolders } from '../../compatibility/compatibilityStore';
import { type ContainerNames, locationText } from '../../containers/locationText';
import { type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { confirmInProduction } from '../../containers/protectedPrompt';
import type { Services } from '../../services';
import { showWarningMessage } from '../../ui/notifications';
import { isRemoved, isScratchName, isThere } from './scratchFolder';

type LeftFoldersServices = Pick<Services, 'environments' | 'listings' | 'compatibility' | 'presence' | 'report'>;

/** Mentions the scratch folders that checks of an account left because their windows closed, and offers to delete them. */
export async function mentionLeftFolders(services: LeftFoldersServices, account: Account): Promise<void> {
  const found = await findLeftFolders(services, account);
  if (found.length > 0) {
    // The message may stay for hours.
    void offerRemoval(found, services, account).catch(services.report);
  }
}

async function offerRemoval(
  found: readonly LeftFolders[],
  services: LeftFoldersServices,
  account: Account,
): Promise<void> {
  const { environments, listings, compatibility } = services;
  const folders = found.flatMap((one) => one.folders);
  const text = l10n.t("A compatibility check didn't remove its scratch folder {0}.", placesText(folders, environments));
  const [remove, keep] = [l10n.t('Delete'), l10n.t('Keep')];
  const chosen = await showWarningMessage(text, remove, keep);
  if (chosen === keep) {
    await Promise.all(found.map(({ key }) => compatibility.setLeft(key, [])));
  }
  const question = { question: text, paragraphs: [], button: remove };
  if (chosen !== remove || !(await confirmInProduction(folders, environments, question))) {
    return;
  }
  // Meanwhile, another window may have removed them.
  for (const { key, folders: left } of await findLeftFolders(services, account)) {
    const remaining: FilePlace[] = [];
    for (const folder of left) {
      remaining.push(...((await isRemoved({ account }, folder)) ? [] : [folder]));
      listings.forget(parentOrSelf(folder));
    }
    await compatibility.setLeft(key, remaining);
    warnAboutLeftFolders(remaining, environments);
  }
}

/** Returns the folders that still exist. Whatever is recorded, these are only scratch folders of this account. */
async function findLeftFolders(
  { compatibility, presence }: LeftFoldersServices,
  account: Account,
): Promise<readonly LeftFolders[]> {
  const found: LeftFolders[] = [];
  const records = account.isSignedOut ? [] : await compatibility.leftFolders(account.slug, presence);
  for (const { key, folders } of records) {
    const states = await Promise.all(
      folders.map(async (folder) => ({
        folder,
        isThere: isOurs(folder, account) && (await isThere({ account }, folder, { unattended: true })),
      })),
    );
    const withState = (state: boolean | undefined) =>
      states.filter((one) => one.isThere === state).map(({ folder }) => folder);
    const [existing, unknown] = [withState(true), withState(undefined)];
    if (existing.length > 0) {
      found.push({ key, folders: existing });
    } else if (unknown.length === 0) {
      await compatibility.setLeft(key, []);
    }
  }
  return found;
}

function isOurs(place: FilePlace, { slug }: Account): boolean {
  const { account, target } = place;
  return account === slug && target.nodeId !== undefined && isScratchName(nameOf(place));
}

/** Warns that scratch folders couldn't be removed. */
export function warnAboutLeftFolders(left: readonly FilePlace[], environments: ContainerNames): void {
  if (left.length > 0) {
    void showWarningMessage(
      l10n.t(
        "Couldn't remove the scratch folder {0}. Delete it in the Environments view.",
        placesText(left, environments),
      ),
    );
  }
}

function placesText(folders: readonly FilePlace[], environments: ContainerNames): string {
  return folders.map((folder) => `${folder.path} (${locationText(folder, environments)})`).join(', ');
}
