import type { Accounts } from '../accounts/accounts';
import { EnvironmentMemory } from '../environments/environmentMemory';
import { Environments } from '../environments/environments';
import type { Change } from '../files/change';
import { Watching } from '../files/watching';
import { changesIn, openFolders, visibleFolders, watched } from '../files/watchWindow';
import { Containers } from '../remote/containers';
import { Listings } from '../remote/listings';
import { PlatformWork } from '../remote/platformWork';
import type { Home } from './home';

interface BuildingBlocks extends Home {
  readonly accounts: Accounts;
  /** Somebody else changed files. */
  readonly announce: (changes: readonly Change[]) => void;
}

/** What is known of environments and of the files in their containers, and how one gets to them. */
export function buildRemoteParts({ accounts, announce, state }: BuildingBlocks) {
  const environments = new Environments(new EnvironmentMemory(state));
  const containers = new Containers(accounts);
  const watching: Watching = new Watching({
    look: (folder) => listings.refresh(folder),
    visible: visibleFolders,
    announce: (folder, differences) => announce(changesIn(folder, differences)),
  });
  const listings: Listings = new Listings(watched(containers, watching), openFolders);
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

export type RemoteParts = ReturnType<typeof buildRemoteParts>;
