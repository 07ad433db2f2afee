import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Disposable, window, workspace } from 'vscode';
import {
  accountsKey,
  areAccountsExpected,
  backupFolders,
  isAnyAccountStored,
  isAnyProjectKnown,
} from '../../storage/storageKeys';
import { setContextKey } from '../../ui/contextKeys';
import type { Features } from '../features';
import { offerSignInInAccountsMenu } from './lazyAuthentication';
import type { Loadable } from '../../lazy';
import type { Host } from '../../services';

type UseDeps = Pick<Host, 'secrets' | 'state' | 'storageFolder' | 'report' | 'hostLacks'>;

/**
 * Loads features that notify the user on their own: accounts (a token that expires soon), interrupted saves, and the
 * status bar item of a known project. Another window may sign in or use a project at any time.
 */
export function loadFeaturesInUse(
  { accounts, files, deployments }: Pick<Features, 'accounts' | 'files'> & { readonly deployments: Loadable<unknown> },
  { secrets, state, storageFolder, report, hostLacks }: UseDeps,
): Disposable {
  const showProject = async () => {
    const isSignedIn = (accounts.loaded?.accounts.list.length ?? 0) > 0;
    if (isSignedIn && deployments.loaded === undefined && isAnyProjectKnown(state)) {
      await deployments.load();
    }
  };
  const follow = () => void showProject().catch(report);
  const signIn = async () => {
    const loaded = await accounts.load();
    await loaded.accounts.untilRead();
    if (files.loaded === undefined && (await hasAnyBackup(storageFolder))) {
      await files.load();
    }
    await showProject();
    return loaded.accounts.list.length > 0;
  };
  const start = async () => {
    const isExpected = areAccountsExpected(state) || (await isAnyAccountStored(secrets));
    const isSignedIn = isExpected && (await signIn());
    if (!isSignedIn) {
      await setContextKey('gantry.accounts', 'none');
      await offerSignInInAccountsMenu({ hostLacks });
    }
  };
  const following = Disposable.from(
    secrets.onDidChange(({ key }) => {
      if (key === accountsKey) {
        signIn().catch(report);
      }
    }),
    window.onDidChangeActiveTextEditor(follow),
    workspace.onDidChangeWorkspaceFolders(follow),
  );
  start().catch(report);
  return following;
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
