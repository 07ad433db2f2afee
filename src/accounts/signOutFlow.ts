import { env, l10n, Uri } from 'vscode';
import type { Account } from './accounts';
import { unlockWithPassword, type UnlockFlowDeps } from './unlockFlow';
import { showWarningMessage } from '../ui/notifications';

/** Signs out after asking for confirmation. Returns whether the account was removed. */
export async function signOut(deps: UnlockFlowDeps, account: Account): Promise<boolean> {
  const { accounts, unlocking } = deps;
  const tokenId = (await accounts.stored(account.slug))?.tokenId;
  const answer = await confirm(account, tokenId);
  if (answer === undefined) {
    return false;
  }
  if (answer === 'delete' && tokenId !== undefined && !(await deleteToken(deps, account, tokenId))) {
    return false;
  }
  await unlocking.lock(account.slug);
  await accounts.remove(account.slug);
  if (answer === 'dashboard') {
    await env.openExternal(Uri.parse(account.address));
  }
  return true;
}

async function confirm(
  { label, host }: Account,
  tokenId: number | undefined,
): Promise<'forget' | 'delete' | 'dashboard' | undefined> {
  const choices = new Map([
    [l10n.t('Sign Out'), 'forget' as const],
    tokenId === undefined
      ? [l10n.t('Sign Out and Open Dashboard'), 'dashboard' as const]
      : [l10n.t('Sign Out and Delete Token'), 'delete' as const],
  ]);
  const forgotten = l10n.t(
    'These are removed from this computer: the token, backups of unsaved text, earlier versions of files, the redeploy history, drafts of project settings, stored hooks, and the record of your edits in containers. Save open files of this account first.',
  );
  // A pasted token's ID isn't known, so only its owner can find it in the list.
  const onPlatform =
    tokenId === undefined
      ? l10n.t('The token stays valid until you delete it in the dashboard under Settings › Access Tokens.')
      : l10n.t("The token stays valid until it's deleted on the platform, which requires your password.");
  const answer = await showWarningMessage(
    l10n.t('Sign {0} out of {1}?', label, host),
    { modal: true, detail: `${forgotten}\n\n${onPlatform}` },
    ...choices.keys(),
  );
  return choices.get(answer ?? '');
}

/** Returns `false` if the user cancels. If it rejects, the account stays and the caller reports the error. */
async function deleteToken(deps: UnlockFlowDeps, account: Account, tokenId: number): Promise<boolean> {
  const work = await unlockWithPassword(deps, account, l10n.t('Enter your password to delete the token.'));
  if (work === undefined) {
    return false;
  }
  const listed = await work.getTokens();
  // It may have been deleted in the dashboard already.
  if (listed.some(({ id }) => id === tokenId)) {
    await work.deleteTokens([tokenId]);
  }
  return true;
}
