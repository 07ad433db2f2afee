import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Memento, SecretStorage } from 'vscode';

// These entries also determine which features to load when a window opens.

/** The secret that contains the accounts. */
export const accountsKey = 'gantry.accounts';
/** The projects that were seen or used on this computer. */
export const knownProjectsKey = 'gantry.projects';
/** The platforms that were seen to deploy the commit in a project's settings. */
export const pinningPlatformsKey = 'gantry.pinningPlatforms';
/**
 * Subfolders of Gantry's storage: texts of running saves, previous versions of overwritten files, and the places of
 * scratch folders of compatibility checks.
 */
export const backupFolders = { saves: 'recovery', overwritten: 'overwritten', scratch: 'scratchFolders' } as const;
/** The subfolder with earlier versions of saved files. */
export const versionsFolder = 'versions';

/** The subfolder with a file for each account that was signed out. */
export const signedOutFolder = 'signed-out';

/** When any window last signed out of an account, or in again, in milliseconds since the epoch. */
export async function lastSignOut(storageFolder: string): Promise<number> {
  // The first sign-out creates the folder.
  return stat(join(storageFolder, signedOutFolder)).then(
    ({ mtimeMs }) => mtimeMs,
    () => -Infinity,
  );
}

export async function isAnyAccountStored(secrets: SecretStorage): Promise<boolean> {
  // A keychain that can't be read may hold some.
  return (await secrets.get(accountsKey).then(undefined, () => 'unknown')) !== undefined;
}

/** Whether any account was stored when Gantry last ran, so that VS Code must still have it. */
export const storedAccountsKey = 'gantry.storedAccounts';

export function areAccountsExpected(state: Memento): boolean {
  return state.get<number>(storedAccountsKey, 0) > 0;
}

export function isAnyProjectKnown(state: Memento): boolean {
  return state.get<readonly unknown[]>(knownProjectsKey, []).length > 0;
}
