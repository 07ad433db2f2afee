import { l10n } from 'vscode';
import { failed } from '../platform/failureTexts';
import { writeTimestamp } from '../platform/wire/timestamp';
import type { PasswordOperations } from './passwordOperations';
import type { TokenData, StoredAccount } from './storedAccount';
import { customTemplate } from './tokenRights';
import type { Account } from './accounts';
import { showInformationMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { formatDate } from '../ui/relativeTime';
import { expirationDate, lifetimeQuestion } from './signInFlow';
import { unlockWithPassword, type UnlockFlowDeps } from './unlockFlow';

/** Extends an account's token and gives it a new value, after asking for the password. */
export async function renewTokenWithPassword(at: UnlockFlowDeps, account: Account): Promise<void> {
  const { accounts, unlocking } = at;
  if (account.isSignedOut) {
    await accounts.signInAgain(account.slug);
    return;
  }
  const stored = await accounts.stored(account.slug);
  if (stored?.tokenId === undefined) {
    // It's not known which listed token was pasted, so ask for a new one.
    await accounts.signInWithAnotherToken(account.slug);
    return;
  }
  const title = l10n.t('Renew Token for {0}', account.label);
  const entered = await askInTurn(title, [lifetimeQuestion({ mayBeEndless: false })]);
  const end = expirationDate(entered?.['lifetime'], Date.now());
  const wasOpen = unlocking.of(account.slug) !== undefined;
  const work = end && (await unlockWithPassword(at, account, l10n.t('Enter your password to renew the token.')));
  if (end === undefined || work === undefined) {
    return;
  }
  try {
    const renew = async () => accounts.replaceToken(account.slug, await renewToken(work, stored, end));
    await withProgress(l10n.t('Renewing the token for {0}', account.label), renew, { canStop: false });
  } finally {
    if (!wasOpen) {
      await unlocking.lock(account.slug);
    }
  }
  const until = formatDate(end);
  void showInformationMessage(l10n.t("Renewed the token for {0}. It's valid until {1}.", account.label, until));
}

/** Extends the token, then replaces its value. In this order, the token stays usable if the second step fails. */
export async function renewToken(
  work: PasswordOperations,
  { tokenId, tokenTemplate }: StoredAccount,
  expiresAt: Date,
): Promise<TokenData> {
  const listed = (await work.getTokens()).find(({ id }) => id === tokenId);
  if (listed === undefined) {
    throw failed({ kind: 'notFound', operation: 'GetTokens', target: '', obstacle: 'tokenGone' });
  }
  const { id, description = 'Gantry' } = listed;
  const template = listed.tokenTemplate ?? tokenTemplate ?? customTemplate;
  // The API doesn't document how it treats omitted fields, so send all of them.
  const permits = template === customTemplate ? { apiList: listed.apiList.join(',') } : {};
  const settings = { description, tokenTemplate: template, ...permits, expiresAt: writeTimestamp(expiresAt) };
  const edited = await work.editToken({ id, ...settings });
  const { key, id: newId } = await work.regenerateToken(id);
  return {
    token: key,
    tokenId: newId,
    tokenTemplate: template,
    expiresAt: (edited.expiresAt ?? expiresAt).getTime(),
  };
}
