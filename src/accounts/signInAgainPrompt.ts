import { l10n } from 'vscode';
import type { Accounts, SignInAgainEvent } from './accounts';
import { runSignIn, type SignInFlowDeps } from './signInFlow';
import { showErrorMessage } from '../ui/notifications';

export interface SignInAgainDeps {
  readonly accounts: () => Accounts;
  readonly flow: Pick<SignInFlowDeps, 'connections' | 'machine'>;
}

/** Asks the user to sign in again to an account whose token is no longer accepted. */
export function askToSignInAgain({ accounts, flow }: SignInAgainDeps) {
  return async ({ account, occasion, signal }: SignInAgainEvent): Promise<'signedIn' | 'dismissed'> => {
    if (occasion === 'notice' && !(await agreesToSignIn(account, signal))) {
      return 'dismissed';
    }
    const stored = await accounts().stored(account.slug);
    if (stored === undefined) {
      return 'dismissed';
    }
    const { address, login, transport, passwordsInUrl } = stored;
    const signedIn = await runSignIn({
      ...flow,
      title: l10n.t('Sign In Again: {0}', account.label),
      known: { address, login, platforms: [], allowPlainHttp: flow.connections.allowsPlainHttp },
      reaching: { transport, passwordsInUrl },
      entered: { way: stored.tokenId === undefined ? 'token' : 'password' },
      signal,
    });
    if (signedIn === undefined) {
      return 'dismissed';
    }
    if (signedIn.passwordsInUrl && passwordsInUrl !== true) {
      await accounts().agreeToPasswordsInUrl(account.slug);
    }
    await accounts().replaceToken(account.slug, signedIn.identity.proof);
    return 'signedIn';
  };
}

/** Uses an error with buttons, because it stays open until answered and calls are waiting for the answer. */
async function agreesToSignIn({ label, host }: SignInAgainEvent['account'], signal: AbortSignal): Promise<boolean> {
  const signIn = l10n.t('Sign In Again');
  const text = l10n.t(
    '{0} was signed out because {1} no longer accepts the token. Sign in again to continue what you were doing.',
    label,
    host,
  );
  const answer = await showErrorMessage(text, signIn, l10n.t('Not Now'));
  return answer === signIn && !signal.aborted;
}
