import type { Accounts } from '../accounts/accounts';
import { EnvironmentMemory } from '../containers/environmentMemory';
import { Environments } from '../containers/environments';
import type { Change } from '../files/provider/fileChange';
import { nodesOf } from '../containers/nodesOfLayer';
import { Watching } from '../files/watching/watchFolders';
import { changesIn, openFolders, visibleFolders, watched } from '../files/watching/watchWindow';
import type { FileEntry } from '../platform/wire/fileEntry';
import { Containers } from '../containers/containers';
import { Listings } from '../containers/listings';
import { childOf, type FilePlace } from '../containers/place';
import { PlatformWork } from '../containers/serverSideOperations';
import type { Home } from './wiringDeps';

interface BuildingBlocks extends Home {
  readonly accounts: Accounts;
  /** Somebody else changed files. */
  readonly announce: (changes: readonly Change[]) => void;
  /** Whether it is only a backup of something just deleted, which no listing shows. */
  readonly isBackup: (place: FilePlace) => boolean;
}

/** What is known of environments and of the files in their containers, and how one gets to them. */
export function buildRemoteParts({ accounts, announce, isBackup, state }: BuildingBlocks) {
  const environments = new Environments(new EnvironmentMemory(state));
  const containers: Containers = new Containers(accounts, (layer) =>
    nodesOf(layer, containers.account(layer.account), environments),
  );
  const watching: Watching = new Watching({
    look: (folder) => listings.refresh(folder),
    visible: visibleFolders,
    announce: (folder, differences) => announce(changesIn(folder, differences)),
  });
  const listings: Listings = new Listings(withoutBackups(watched(containers, watching), isBackup), openFolders);
  const work = new PlatformWork(containers);
  return {
    environments,
    containers,
    watching,
    listings,
    work,
    openFolders,
    disposables: [environments],
  };
}

type Fetch = (folder: FilePlace, filter?: string) => Promise<readonly FileEntry[]>;

function withoutBackups(fetch: Fetch, isBackup: (place: FilePlace) => boolean): Fetch {
  return async (folder, filter) => {
    const entries = await fetch(folder, filter);
    return entries.filter(({ name }) => !isBackup(childOf(folder, name)));
  };
}

export type RemoteParts = ReturnType<typeof buildRemoteParts>;
