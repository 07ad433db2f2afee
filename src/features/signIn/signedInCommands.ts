import { commands, env, l10n, Uri } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { asksSecondFactor, renewToken } from '../../accounts/tokens';
import type { Unlocked, Unlocking } from '../../accounts/unlocking';
import { isPlatformError } from '../../platform/errors';
import { resultCodes } from '../../platform/resultCodes';
import type { Levels } from '../../services';
import { accountCommand, expirationDate, lifetimeQuestion, loginQuestion } from '../../ui/commands/accountPrompt';
import { ExpectedError } from '../../ui/expectedError';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askInTurn, askUntilAccepted, type Question } from '../../ui/prompts';
import { formatDate } from '../../ui/relativeTime';
import { agreesToPasswordsInUrl, wrongPassword } from './signInQuestions';

/** What a person does with an account that is signed in: unlock it, renew its token, and sign out. */
export function signedInCommands(services: Levels['accounts']) {
  const { accounts, unlocking } = services;
  return {
    'gantry.account.signOut': accountCommand(accounts, l10n.t('Select the account to sign out'), (account) =>
      signOut(services, account),
    ),
    'gantry.account.renewToken': accountCommand(
      accounts,
      l10n.t('Select the account to renew the token for'),
      (account) => renewTokenWithPassword(services, account),
    ),
    'gantry.account.unlock': accountCommand(
      accounts,
      l10n.t('Select the account to unlock the Access view for'),
      async (account) => {
        const purpose = l10n.t('Enter your password to manage tokens and sessions.');
        if ((await unlockWithPassword(services, account, purpose)) !== undefined) {
          await commands.executeCommand('gantry.access.focus');
        }
      },
    ),
    'gantry.account.lock': accountCommand(
      accounts,
      l10n.t('Select the account to lock the Access view for'),
      ({ slug }) => unlocking.lock(slug),
      ({ slug }) => unlocking.of(slug) !== undefined,
    ),
  };
}

/** The new token stays on the platform, because deleting it takes the password. */
export function tellSignedOut(label: string): void {
  void showWarningMessage(
    l10n.t(
      '{0} was signed out in another window, so its new token was discarded here. Sign in again, and delete the token in the dashboard under Settings › Access Tokens.',
      label,
    ),
  );
}

/** Returns the account's password operations, asking for the password if necessary; `undefined` if the user cancels. */
export async function unlockWithPassword(
  { accounts, unlocking }: Levels['accounts'],
  account: Account,
  purpose: string,
): Promise<Unlocked | undefined> {
  const open = unlocking.of(account.slug);
  if (open !== undefined) {
    return open;
  }
  if (await accounts.wouldPutPasswordInUrl(account.slug)) {
    if (!(await agreesToPasswordsInUrl(account.host))) {
      return undefined;
    }
    await accounts.agreeToPasswordsInUrl(account.slug);
  }
  const login = (await accounts.stored(account.slug))?.login;
  return askUntilAccepted(
    l10n.t('Unlock Access View for {0} on {1}', account.label, account.host),
    () => questions(login, account.label, purpose),
    (entered) => unlockWith(unlocking, account, entered['login'] ?? login ?? '', entered['password'] ?? ''),
    (error) => ({ key: 'password', problem: problemOf(error, account, login === undefined) }),
  );
}

function questions(login: string | undefined, label: string, purpose: string): readonly Question[] {
  const prompt = l10n.t('{0} The password is kept in memory for up to five minutes and never stored.', purpose);
  const password: Question = { key: 'password', prompt, placeholder: l10n.t('Password'), masked: true };
  return login === undefined ? [loginQuestion(label), password] : [password];
}

function unlockWith(unlocking: Unlocking, account: Account, login: string, password: string): Promise<Unlocked> {
  const title = l10n.t('Unlocking the Access view for {0}', account.label);
  return withProgress(title, () => unlocking.unlock(account.slug, login.trim(), password), { canStop: false });
}

/** Returns a message if another password might help. Rethrows everything else. */
function problemOf(error: unknown, { host, label }: Account, isEmailAsked: boolean): string {
  if (asksSecondFactor(error)) {
    throw new ExpectedError(
      l10n.t(
        "This account uses two-factor authentication, so it can't be unlocked with a password. Manage its tokens in the dashboard of {0}, under Settings › Access Tokens.",
        host,
      ),
    );
  }
  const wrong: readonly (number | undefined)[] = [resultCodes.badCredentials, resultCodes.badPassword];
  if (isPlatformError(error) && wrong.includes(error.result)) {
    return isEmailAsked ? wrongPassword(host) : l10n.t('Incorrect password for {0} on {1}.', label, host);
  }
  throw error;
}

/** Extends an account's token and gives it a new value, after asking for the password. */
async function renewTokenWithPassword(services: Levels['accounts'], account: Account): Promise<void> {
  const { accounts, unlocking } = services;
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
  const work = end && (await unlockWithPassword(services, account, l10n.t('Enter your password to renew the token.')));
  if (end === undefined || work === undefined) {
    return;
  }
  // The platform may grant a shorter lifetime than requested.
  let granted = end;
  try {
    const renew = async () => {
      const renewed = await renewToken(work, stored, end);
      granted = new Date(renewed.expiresAt ?? granted);
      return accounts.replaceToken(account.slug, renewed);
    };
    const renewing = l10n.t('Renewing the token for {0}', account.label);
    if (!(await withProgress(renewing, renew, { canStop: false }))) {
      tellSignedOut(account.label);
      return;
    }
  } finally {
    if (!wasOpen) {
      await unlocking.lock(account.slug);
    }
  }
  const until = formatDate(granted);
  void showInformationMessage(l10n.t("Renewed the token for {0}. It's valid until {1}.", account.label, until));
}

/** Signs out after asking for confirmation. Returns whether the account was removed. */
export async function signOut(services: Levels['accounts'], account: Account): Promise<boolean> {
  const { accounts, unlocking } = services;
  const tokenId = (await accounts.stored(account.slug))?.tokenId;
  const answer = await confirmSignOut(account, tokenId);
  if (answer === undefined) {
    return false;
  }
  if (answer === 'delete' && tokenId !== undefined && !(await deleteToken(services, account, tokenId))) {
    return false;
  }
  await unlocking.lock(account.slug);
  await accounts.remove(account.slug);
  if (answer === 'dashboard') {
    await env.openExternal(Uri.parse(account.address));
  }
  return true;
}

async function confirmSignOut(
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
    'This removes from this computer: the token, backups of unsaved text, earlier versions of files, drafts, the redeploy history, and the record of your edits. Save open files of this account first.',
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
async function deleteToken(services: Levels['accounts'], account: Account, tokenId: number): Promise<boolean> {
  const work = await unlockWithPassword(services, account, l10n.t('Enter your password to delete the token.'));
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
