import { EventEmitter } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { EnvironmentMemory } from '../containers/environmentMemory';
import { Environments } from '../containers/environments';
import type { FileChange } from '../files/provider/containerFileSystem';
import { nodesOf } from '../containers/environmentIndex';
import { FolderWatcher } from '../files/watching/watchFolders';
import { changesIn, openFolders, visibleFolders, watched } from '../files/watching/watchWindow';
import { Containers, type FindDanger } from '../containers/containers';
import { Listings } from '../containers/listings';
import { childOf, type FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import { ServerSideOperations } from '../containers/serverSideOperations';
import type { Host } from '../services';

interface ContainersWiringDeps extends Pick<Host, 'state'> {
  readonly accounts: Accounts;
  /** Announces that someone else changed files. */
  readonly announce: (changes: readonly FileChange[]) => void;
  /** Why the platform of an account doesn't make a change safely. */
  readonly findDanger: FindDanger;
  /** Whether it's only a backup of something just deleted, which listings don't show. */
  readonly isBackup: (place: FilePlace) => boolean;
}

/** A folder that was listed completely, by whomever. */
interface ListedFolder {
  readonly folder: FilePlace;
  readonly entries: readonly FileEntry[];
  /** When the request was sent, by `performance.now`. */
  readonly askedAt: number;
}

/** Environments, and access to the files in their containers. */
export function wireContainers({ accounts, announce, isBackup, findDanger, state }: ContainersWiringDeps) {
  const environments = new Environments(new EnvironmentMemory(state), (slug) => accounts.find(slug));
  const containers: Containers = new Containers(
    accounts,
    (layer, operation, maxAge) => nodesOf(layer, operation, containers.account(layer.account), environments, maxAge),
    findDanger,
  );
  const watching: FolderWatcher = new FolderWatcher({
    look: (folder) => listings.refresh(folder),
    visible: visibleFolders,
    announce: (folder, differences) => announce(changesIn(folder, differences)),
  });
  const listed = new EventEmitter<ListedFolder>();
  const shown = (folder: FilePlace, entries: readonly FileEntry[]) =>
    entries.filter(({ name }) => !isBackup(childOf(folder, name)));
  // Before watching announces what changed, so that listeners know the folder's content by then.
  const list: Containers['list'] = async (folder, options) => {
    const askedAt = performance.now();
    const entries = await containers.list(folder, options);
    if (options?.filter === undefined) {
      listed.fire({ folder, entries: shown(folder, entries), askedAt });
    }
    return entries;
  };
  const fetch = watched({ list }, watching);
  const listings: Listings = new Listings(
    async (folder, request) => shown(folder, await fetch(folder, request)),
    openFolders,
    (folder, listing) => void watching.onListing(folder, Promise.resolve([...listing.values()])),
  );
  const work = new ServerSideOperations(containers);
  return {
    ...{ environments, containers, watching, listings, work, openFolders, onDidList: listed.event },
    disposables: [environments, listed],
  };
}
