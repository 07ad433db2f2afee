import { join } from 'node:path';
import type { Services } from '../../services';
import { versionsFolder } from '../../storage/storageKeys';
import { versionCommands } from './versionCommands';
import { VersionKeeping } from './versionKeepingNotice';
import { VersionStore } from './versionStore';

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
