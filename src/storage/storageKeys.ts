import type { Memento, SecretStorage } from 'vscode';

// What is stored under these names also tells which features a window needs from the start.

/** The names of all accounts, a secret. Each account is a secret of its own, so that windows don't undo each other's changes. */
export const accountNamesKey = 'gantry.accounts';
/** The projects that were seen or used on this computer. */
export const knownProjectsKey = 'gantry.projects';
/** Folders in Gantry's own folder: texts of saves under way, and what was there before it was overwritten. */
export const backupFolders = { saves: 'recovery', overwritten: 'overwritten' } as const;

export async function isAnyAccountStored(secrets: SecretStorage): Promise<boolean> {
  const names = await secrets.get(accountNamesKey);
  return names !== undefined && names !== '[]';
}

export function isAnyProjectKnown(state: Memento): boolean {
  return state.get<readonly unknown[]>(knownProjectsKey, []).length > 0;
}
