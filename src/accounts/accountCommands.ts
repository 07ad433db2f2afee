import { commands, l10n } from 'vscode';
import { failureText } from '../ui/failureMessages';
import { confirm, showInformationMessage, showErrorMessage } from '../ui/notifications';
import { accountCommand } from './accountPrompt';
import type { Account, Accounts, SignInAgainEvent } from './accounts';
import { type Connections, offeredPlatforms } from './connections';
import { renewToken } from './passwordOperations';
import { accountOf } from './signIn';
import { runSignIn, expirationDate, lifetimeQuestion } from './signInFlow';
import { signOut } from './signOutFlow';
import { type UnlockFlowDeps, unlockWithPassword } from './unlockFlow';
import { withProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { formatDate } from '../ui/relativeTime';

export interface AccountCommandsDeps extends UnlockFlowDeps {
  readonly flow: { readonly connections: Connections; readonly machine: string };
  readonly onDidAdd?: (account: Account) => void;
}

/** What the buttons of empty views pass. */
const fromView = 'view';

export function accountCommands(deps: AccountCommandsDeps) {
  const { accounts, unlocking } = deps;
  return {
    async 'gantry.account.signIn'() {
      if ((await signInToPlatform(deps)) !== undefined) {
        // Shows the new account. Also keeps the keyboard focus, because the welcome button is gone.
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
      signOut(deps, account),
    ),

    'gantry.account.renewToken': accountCommand(
      accounts,
      l10n.t('Select the account to renew the token for'),
      (account) => renewTokenWithPassword(deps, account),
    ),

    'gantry.account.unlock': accountCommand(
      accounts,
      l10n.t('Select the account to unlock the Access view for'),
      async (account) => {
        const unlocked = await unlockWithPassword(
          deps,
          account,
          l10n.t('Enter your password to manage tokens and sessions.'),
        );
        if (unlocked !== undefined) {
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
  const consequence = l10n.t("You'll be signed in only until you close this window.");
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

/** Extends an account's token and gives it a new value, after asking for the password. */
async function renewTokenWithPassword(deps: UnlockFlowDeps, account: Account): Promise<void> {
  const { accounts, unlocking } = deps;
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
  const work = end && (await unlockWithPassword(deps, account, l10n.t('Enter your password to renew the token.')));
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

/** Asks the user to sign in again to an account whose token is no longer accepted. */
export function askToSignInAgain({
  accounts,
  flow,
}: {
  readonly accounts: () => Accounts;
  readonly flow: { readonly connections: Connections; readonly machine: string };
}) {
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
