import { commands, l10n } from 'vscode';
import { failureText } from '../ui/failureMessages';
import { confirm } from '../ui/notifications';
import { accountCommand } from './accountPrompt';
import type { Account } from './accounts';
import { offeredPlatforms } from './connections';
import { accountOf } from './signIn';
import { runSignIn, type SignInFlowDeps } from './signInFlow';
import { signOut } from './signOutFlow';
import { renewTokenWithPassword } from './renewTokenFlow';
import { type UnlockFlowDeps, unlockWithPassword } from './unlockFlow';

export interface AccountCommandsDeps extends UnlockFlowDeps {
  readonly flow: Pick<SignInFlowDeps, 'connections' | 'machine'>;
  /** Called with an account that was just added. */
  readonly onDidAdd?: (account: Account) => void;
}

/** What the buttons of empty views pass. */
const fromView = 'view';

export function accountCommands(at: AccountCommandsDeps) {
  const { accounts, unlocking } = at;
  return {
    async 'gantry.account.signIn'(received: unknown) {
      const account = await signInToPlatform(at);
      if (account !== undefined && received === fromView) {
        // The button that had the keyboard focus is gone.
        await commands.executeCommand('gantry.environments.focus');
      }
    },

    'gantry.account.signInAgain': keepingFocus(
      accountCommand(
        accounts,
        l10n.t('Select the account to sign in to again'),
        ({ slug }) => accounts.signInAgain(slug),
        ({ isSignedOut }) => isSignedOut,
      ),
    ),

    'gantry.account.signOut': accountCommand(accounts, l10n.t('Select the account to sign out'), (account) =>
      signOut(at, account),
    ),

    'gantry.account.renewToken': accountCommand(
      accounts,
      l10n.t('Select the account to renew the token for'),
      (account) => renewTokenWithPassword(at, account),
    ),

    'gantry.account.unlock': keepingFocus(
      accountCommand(accounts, l10n.t('Select the account to unlock'), (account) =>
        unlockWithPassword(at, account, l10n.t('Enter your password to manage tokens and sessions.')),
      ),
    ),

    'gantry.account.lock': accountCommand(
      accounts,
      l10n.t('Select the account to lock'),
      ({ slug }) => unlocking.lock(slug),
      ({ slug }) => unlocking.of(slug) !== undefined,
    ),
  };
}

/** Returns the keyboard focus to the view whose button was pressed, because the button is gone. */
function keepingFocus(command: (received: unknown) => Promise<void>) {
  return async (received: unknown): Promise<void> => {
    await command(received === fromView ? undefined : received);
    if (received === fromView) {
      await commands.executeCommand('workbench.action.focusSideBar');
    }
  };
}

/** An account that VS Code can't store is kept in this window's memory. */
function confirmSignInForWindow(error: unknown): Promise<boolean> {
  const consequence = l10n.t("For now, you're signed in only until you close this window.");
  return confirm(failureText(error), [consequence], l10n.t('Sign In for This Window'));
}

/** Runs the whole sign-in. Returns `undefined` if the user cancels. */
export async function signInToPlatform({
  accounts,
  flow,
  onDidAdd,
}: AccountCommandsDeps): Promise<Account | undefined> {
  // All existing names must be known, so that an account that can't be read isn't overwritten.
  const unreadable = await accounts.demandRead().catch((error: unknown) => ({ error }));
  if (unreadable !== undefined && !(await confirmSignInForWindow(unreadable.error))) {
    return undefined;
  }
  const signedIn = await runSignIn({
    ...flow,
    title: l10n.t('Sign In to Platform'),
    known: { platforms: offeredPlatforms(), allowPlainHttp: flow.connections.allowsPlainHttp },
  });
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
    onDidAdd?.(added);
  }
  return added;
}
