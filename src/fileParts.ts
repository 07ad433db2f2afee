import { l10n, type LogOutputChannel, window } from 'vscode';
import type { Accounts } from './accounts/accounts';
import type { Environments } from './environments/environments';
import { ContainerFileSystem } from './files/containerFileSystem';
import { EditKeeping } from './files/editKeeping';
import { Edits } from './files/edits';
import { nodesOf } from './files/layerNodes';
import { Moves } from './files/moves';
import { PieceWriting } from './files/pieceWriting';
import { Reading } from './files/reading';
import { ReadOnlyFiles } from './files/readOnlyFiles';
import { Recovery } from './files/recovery';
import type { SavingFiles } from './files/saving/found';
import type { KeptText } from './files/saving/keptText';
import { KeptTexts } from './files/saving/keptTexts';
import { type SaveLimits, usualSaveLimits } from './files/saving/saveFile';
import { Saves } from './files/saving/saves';
import { WindowPresence } from './files/saving/windowPresence';
import { copyAcross } from './files/transfers/copyAcross';
import type { ContainerFolders } from './files/transfers/containerFolder';
import { dirtyTabOf } from './files/tabs';
import { TreeChanges } from './files/treeChanges';
import { Writing } from './files/writing';
import type { Containers } from './remote/containers';
import type { Listings } from './remote/listings';
import type { FilePlace } from './remote/place';
import { failureText } from './ui/notifications';

export interface BuildingBlocks {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  readonly folders: ContainerFolders;
  /** Where edits are kept, for all windows. */
  readonly recoveryFolder: string;
  readonly log: LogOutputChannel;
}

/** The part of the composition root that builds what stands behind the file system. */
export function buildFileParts(blocks: BuildingBlocks) {
  const { accounts, environments, containers, listings, folders, recoveryFolder, log } = blocks;
  const presence = new WindowPresence();
  const kept = new KeptTexts(recoveryFolder, presence);
  const notKept = (error: unknown) => log.warn(`Unsaved text could not be kept on disk: ${failureText(error)}`);
  const isHeldElsewhere = async (text: KeptText) => !kept.isOurs(text) && (await presence.isAlive(text.owner));
  const edits = new Edits(new EditKeeping({ kept, isHeldElsewhere, notKept }));
  const pieces = new PieceWriting(containers);
  const files: SavingFiles = {
    read: (file) => containers.read(file),
    lookUp: (file) => listings.lookUp(file),
    write: (file, text) => pieces.write(file, text),
  };
  // Not read-only: tests are in a hurry.
  const saveLimits: { -readonly [K in keyof SaveLimits]: SaveLimits[K] } = { ...usualSaveLimits };
  const onNodes = (place: FilePlace) => nodesOf(place, containers.account(place.account), environments);
  const saves = new Saves({ files, kept, notKept, nodesOf: onNodes }, saveLimits);
  const readOnly = new ReadOnlyFiles((slug) => accounts.find(slug));
  const reading = new Reading({ containers, listings, edits, readOnly });
  const writing = new Writing({
    ...{ containers, listings, edits, saves, readOnly },
    putBytes: (file, bytes, how) => folders.putBytes(file, bytes, how),
  });
  const moves = new Moves({
    ...{ containers, listings },
    copyAcross: (from, to) => copyAcross(from, to, { folders, listings }),
    leftBehind: (aside, error) => warnOfLeftover(aside, error),
  });
  const treeChanges = new TreeChanges({ containers, listings });
  const recovery = new Recovery({
    ...{ kept, files, isHeldElsewhere },
    isBeingEdited: (place) => edits.isDirty(place) || dirtyTabOf(place) !== undefined,
    isSignedIn: (slug) => accounts.find(slug) !== undefined,
  });
  const shared = {
    accounts,
    environments,
    containers,
    listings,
    edits,
    reading,
    writing,
    moves,
    treeChanges,
    readOnly,
  };
  return { saveLimits, pieces, edits, kept, presence, readOnly, recovery, fileSystem: new ContainerFileSystem(shared) };
}

export type FileParts = ReturnType<typeof buildFileParts>;

function warnOfLeftover(aside: FilePlace, error: unknown): void {
  const text = l10n.t('What was replaced could not be deleted and is left as {0}: {1}', aside.path, failureText(error));
  void window.showWarningMessage(text);
}
