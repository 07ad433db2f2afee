import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accountNamesKey, backupFolders, isAnyAccountStored, isAnyProjectKnown } from '../storage/storageKeys';
import { setContextKey } from '../ui/contextKeys';
import type { Features } from './features';
import { offerSignInInAccountsMenu } from './lazyAuthentication';
import type { WiringDeps } from './wiringDeps';

type StartDeps = Pick<WiringDeps, 'secrets' | 'state' | 'storageFolder' | 'report'>;

/**
 * Loads the features that must act without user input after a window opens: accounts, to warn about expiring tokens;
 * deployments, for the status bar item of a known project; and files, to offer texts that another window couldn't save.
 */
export async function loadFeaturesInUse(
  { accounts, files, deployments }: Features,
  { secrets, state, storageFolder, report }: StartDeps,
): Promise<void> {
  const isSignedIn = await isAnyAccountStored(secrets).catch(() => true);
  if (!isSignedIn) {
    await setContextKey('gantry.accounts', 'none');
    offerSignInInAccountsMenu().catch(report);
    // Also react to a sign-in in another window.
    const listening = secrets.onDidChange(({ key }) => {
      if (key === accountNamesKey) {
        listening.dispose();
        accounts.load().catch(report);
      }
    });
    accounts.whenLoaded(() => {
      listening.dispose();
    });
    return;
  }
  await accounts.load();
  if (await hasAnyBackup(storageFolder)) {
    await files.load();
  }
  if (isAnyProjectKnown(state)) {
    await deployments.load();
  }
}

async function hasAnyBackup(storageFolder: string): Promise<boolean> {
  const folders = Object.values(backupFolders).map((name) => join(storageFolder, name));
  const existing = folders.filter((folder) => existsSync(folder));
  // A folder that exists and can't be read may contain something.
  const names = await Promise.all(existing.map((folder) => readdir(folder))).catch(() => ['unknown']);
  return names.flat().length > 0;
}
