import { commands, l10n } from 'vscode';
import { offerCompatibilityCheck } from '../../accounts/accountNotices';
import { accountCommand, accountMeant, namedIn } from '../../accounts/accountPrompt';
import type { Account, SignInAgainEvent } from '../../accounts/accounts';
import type { PlatformAddress } from '../../platform/address';
import type { Levels } from '../../services';
import { command, commandOnNothing } from '../../ui/commands/command';
import { failureText } from '../../ui/failureMessages';
import { confirm, showErrorMessage } from '../../ui/notifications';
import { accountOf } from './credentials';
import { SignInForm } from './signInForm';
import { offerVsCodeNetwork } from './signInProblems';
import { renewTokenWithPassword, signOut, unlockWithPassword } from './withPassword';

/** What the buttons of empty views pass. */
const fromView = 'view';

/** Signs in and out, and asks for the password of an account. */
export function createSignIn(services: Levels['accounts']) {
  const { accounts, connections, unlocking } = services;
  const isSignedOut = (account: Account) => account.isSignedOut;
  const unlock = (account: Account, purpose: string) => unlockWithPassword(services, account, purpose);
  return {
    signIn: () => signInToPlatform(services),
    signInAgain: (event: SignInAgainEvent) => signInAgain(services, event),
    signOut: (account: Account) => signOut(services, account),
    unlock,
    offerVsCodeNetwork: (address: PlatformAddress) => offerVsCodeNetwork(connections, address, { modal: false }),
    commands: {
      'gantry.account.signIn': commandOnNothing(async () => {
        if ((await signInToPlatform(services)) !== undefined) {
          // Shows the new account. Also keeps the keyboard focus, because the welcome button is gone.
          await commands.executeCommand('gantry.environments.focus');
        }
      }),
      'gantry.account.signInAgain': command(
        'account',
        async (call) => {
          const isFromView = call.text === fromView;
          const question = l10n.t('Select the account to sign in to again');
          const account = await accountMeant(accounts, isFromView ? undefined : namedIn(call), question, isSignedOut);
          if (account === undefined && !accounts.list.some(isSignedOut)) {
            void showInformationMessage(l10n.t("You're signed in to all accounts."));
          }
          return account && { account, isFromView };
        },
        async ({ account, isFromView }) => {
          await accounts.signInAgain(account.slug);
          if (isFromView) {
            // The button that was pressed is gone.
            await commands.executeCommand('workbench.action.focusSideBar');
          }
        },
      ),
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
          if ((await unlock(account, l10n.t('Enter your password to manage tokens and sessions.'))) !== undefined) {
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
    },
  };
}

/** An account that VS Code can't store is kept in this window's memory. */
function confirmSignInForWindow(error: unknown): Promise<boolean> {
  const consequence = l10n.t("You'll be signed in only until you close this window.");
  return confirm(failureText(error), [consequence], l10n.t('Sign In for This Window'));
}

/** Runs the whole sign-in. Returns `undefined` if the user cancels. */
async function signInToPlatform({
  accounts,
  connections,
  state,
  report,
}: Levels['accounts']): Promise<Account | undefined> {
  // All existing names must be known, so that an account that can't be read isn't overwritten.
  const unreadable = await accounts.demandRead().catch((error: unknown) => ({ error }));
  if (unreadable !== undefined && !(await confirmSignInForWindow(unreadable.error))) {
    return undefined;
  }
  const signedIn = await new SignInForm(connections, { title: l10n.t('Sign In to Platform') }).fillIn();
  if (signedIn === undefined) {
    return undefined;
  }
  const { client, identity, passwordsInUrl } = signedIn;
  const known = accounts.list.find(
    ({ address, label }) => address === client.address.baseUrl && label === identity.name,
  );
  if (known !== undefined) {
    await accounts.replaceToken(known.slug, identity.proof);
    return known;
  }
  const taken = accounts.list.map(({ slug }) => slug);
  const stored = accountOf(client, identity, taken);
  await accounts.add(passwordsInUrl ? { ...stored, passwordsInUrl } : stored);
  const added = accounts.find(stored.slug);
  if (added !== undefined) {
    void offerCompatibilityCheck(added, state).catch(report);
  }
  return added;
}

/** Asks the user to sign in again to an account whose token is no longer accepted. */
async function signInAgain(
  { accounts, connections }: Levels['accounts'],
  { account, occasion, signal }: SignInAgainEvent,
): Promise<'signedIn' | 'dismissed'> {
  if (occasion === 'notice' && !(await agreesToSignIn(account, signal))) {
    return 'dismissed';
  }
  const stored = await accounts.stored(account.slug);
  if (stored === undefined) {
    return 'dismissed';
  }
  const title = l10n.t('Sign In Again: {0}', account.label);
  const signedIn = await new SignInForm(connections, { title, account: stored, signal }).fillIn();
  if (signedIn === undefined) {
    return 'dismissed';
  }
  if (signedIn.passwordsInUrl && stored.passwordsInUrl !== true) {
    await accounts.agreeToPasswordsInUrl(account.slug);
  }
  await accounts.replaceToken(account.slug, signedIn.identity.proof);
  return 'signedIn';
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
