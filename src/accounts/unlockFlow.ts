import { ExpectedError } from '../ui/expectedError';
import { l10n } from 'vscode';
import type { Account, Accounts } from './accounts';
import { asksSecondFactor } from './signIn';
import type { Unlocked, Unlocking } from './unlocking';
import { isPlatformError } from '../platform/errors';
import { resultCodes } from '../platform/resultCodes';
import { agreesToPasswordsInUrl, wrongPassword } from './signInProblemPrompt';
import { loginQuestion } from './signInFlow';
import { withProgress } from '../ui/progress';
import { askUntilAccepted, type Question } from '../ui/prompts';

export interface UnlockFlowDeps {
  readonly accounts: Accounts;
  readonly unlocking: Unlocking;
}

/** Returns the account's password operations, asking for the password if necessary; `undefined` if the user cancels. */
export async function unlockWithPassword(
  { accounts, unlocking }: UnlockFlowDeps,
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
    () => questions(login, purpose),
    (entered) => unlockWith(unlocking, account, entered['login'] ?? login ?? '', entered['password'] ?? ''),
    (error) => ({ key: 'password', problem: problemOf(error, account, login === undefined) }),
  );
}

function questions(login: string | undefined, purpose: string): readonly Question[] {
  const prompt = l10n.t('{0} The password is kept in memory for up to five minutes and never stored.', purpose);
  const password: Question = { key: 'password', prompt, placeholder: l10n.t('Password'), masked: true };
  return login === undefined ? [loginQuestion(), password] : [password];
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
  if (isPlatformError(error) && error.result === resultCodes.badCredentials) {
    return isEmailAsked ? wrongPassword(host) : l10n.t('Incorrect password for {0} on {1}.', label, host);
  }
  throw error;
}
