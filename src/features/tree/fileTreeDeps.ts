import type { Containers } from '../../containers/containers';
import type { Environments } from '../../containers/environments';
import type { Listings } from '../../containers/listings';
import type { FilePlace, Place } from '../../containers/place';
import type { ServerSideOperations } from '../../containers/serverSideOperations';
import type { ContainerFileSystem } from '../../files/provider/containerFileSystem';
import type { FolderTrust } from '../../files/provider/folderTrust';
import type { OverwriteBackups } from '../../files/provider/overwriteBackups';
import type { FileQueue } from '../../files/saving/fileQueue';
import type { Saves } from '../../files/saving/saves';
import type { ContainerFolders } from '../../files/transfers/containerFolder';
import type { ShownTexts } from '../../ui/shownTexts';
import type { announceChanges } from '../../files/watching/announceChanges';
import type { CommandTargets } from '../../trees/commandTargets';

/** What the commands on files and folders use. */
export interface FileTreeDeps {
  readonly targets: CommandTargets;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  readonly folders: ContainerFolders;
  readonly work: ServerSideOperations;
  readonly trust: FolderTrust;
  readonly queue: FileQueue;
  readonly saves: Pick<Saves, 'save'>;
  /** What VS Code deleted a moment ago, which a copy of a folder shouldn't take along. */
  readonly backups: Pick<OverwriteBackups, 'takeOut'>;
  readonly texts: ShownTexts;
  /** What this window changes. */
  readonly changes: Pick<ContainerFileSystem, 'onDidSave' | 'onDidAlter'>;
  readonly announce: ReturnType<typeof announceChanges>;
  /** Selects a file or folder in the Environments view, if its folder is shown there. */
  readonly reveal: (place: FilePlace) => Promise<void>;
  /** Shows the Environments view and selects a place in it. Returns whether it exists. */
  readonly show: (place: Place) => Promise<boolean>;
  /** A folder was listed again at the user's request: views that show it show it anew. */
  readonly refreshed: (folder: FilePlace) => Promise<void>;
}
