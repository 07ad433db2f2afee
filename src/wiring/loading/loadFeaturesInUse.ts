import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from 'vscode';
import { accountsKey, areAccountsExpected, backupFolders, isAnyAccountStored } from '../../storage/storageKeys';
import { setContextKey } from '../../ui/contextKeys';
import { offerSignInInAccountsMenu } from './lazyAuthentication';
import type { Host } from '../../services';
import type { createLevels } from '../../services/levels';

/**
 * Loads what notifies the user on its own: accounts (a token that expires soon), interrupted saves, and the features that
 * listen for a sign-in. Another window may sign in at any time.
 */
export function loadFeaturesInUse(
  { accounts, files }: Pick<ReturnType<typeof createLevels>, 'accounts' | 'files'>,
  { secrets, state, storageFolder, report, hostLacks }: Host,
  noteSignIn: () => Promise<void>,
): Disposable {
  const signIn = async () => {
    const loaded = await accounts.load();
    await loaded.accounts.untilRead();
    if (files.loaded === undefined && (await hasAnyBackup(storageFolder))) {
      await files.load();
    }
    const isSignedIn = loaded.accounts.list.length > 0;
    if (isSignedIn) {
      await noteSignIn();
    }
    return isSignedIn;
  };
  const start = async () => {
    const isExpected = areAccountsExpected(state) || (await isAnyAccountStored(secrets));
    const isSignedIn = isExpected && (await signIn());
    if (!isSignedIn) {
      await setContextKey('gantry.accounts', 'none');
      await offerSignInInAccountsMenu({ hostLacks });
    }
  };
  start().catch(report);
  return secrets.onDidChange(({ key }) => {
    if (key === accountsKey) {
      signIn().catch(report);
    }
  });
}

async function hasAnyBackup(storageFolder: string): Promise<boolean> {
  const folders = Object.values(backupFolders).map((name) => join(storageFolder, name));
  const existing = folders.filter((folder) => existsSync(folder));
  // A folder that exists and can't be read may contain something.
  const names = await Promise.all(existing.map((folder) => readdir(folder, { recursive: true }))).catch(
    () => undefined,
  );
  return names === undefined || names.flat().some((name) => name.endsWith('.json'));
}
