import { l10n } from 'vscode';
import type { Account } from './accounts';
import { renewToken } from './tokenRenewal';
import { showInformationMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { expirationDate, lifetimeQuestion } from './signInPrompts';
import { unlockWithPassword, type UnlockFlowDeps } from './unlockFlow';

/** Gives an account's token a new end and a new value, after asking for the password. */
export async function renewTokenWithPassword(at: UnlockFlowDeps, account: Account): Promise<void> {
  const { accounts, unlocking } = at;
  if (account.isSignedOut) {
    await accounts.signInAgain(account.slug);
    return;
  }
  const stored = await accounts.stored(account.slug);
  if (stored?.tokenId === undefined) {
    // Which of the tokens was pasted nobody can tell: a new one takes its place.
    await accounts.signInWithAnotherToken(account.slug);
    return;
  }
  const title = l10n.t('Renew the Token of {0}', account.label);
  const entered = await askInTurn(title, [lifetimeQuestion(['30', '90', '365'])]);
  const end = expirationDate(entered?.['lifetime'], Date.now());
  const wasOpen = unlocking.of(account.slug) !== undefined;
  const work = end && (await unlockWithPassword(at, account, l10n.t('Renewing the token needs your password.')));
  if (end === undefined || work === undefined) {
    return;
  }
  try {
    const renew = async () => accounts.replaceProof(account.slug, await renewToken(work, stored, end));
    await withProgress(title, renew, { canStop: false });
  } finally {
    if (!wasOpen) {
      await unlocking.lock(account.slug);
    }
  }
  const until = end.toLocaleDateString();
  void showInformationMessage(l10n.t('The token of {0} is good until {1}.', account.label, until));
}
