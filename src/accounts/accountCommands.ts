import { commands, l10n } from 'vscode';
import { accountFor } from './accountPrompt';
import type { Account } from './accounts';
import { accountOf } from './signIn';
import { runSignIn, type SignInFlowDeps } from './signInFlow';
import { signOut } from './signOutFlow';
import { renewTokenWithPassword } from './renewTokenFlow';
import { type UnlockFlowDeps, unlockWithPassword } from './unlockFlow';

export interface AccountCommandsDeps extends UnlockFlowDeps {
  readonly flow: Pick<SignInFlowDeps, 'connections' | 'machine'>;
  readonly platforms: () => readonly string[];
  readonly allowPlainHttp: () => boolean;
}

/** What the button of the empty view gives to say where it stands. */
const fromView = 'view';

export function accountCommands(at: AccountCommandsDeps) {
  const { accounts } = at;
  return {
    async 'gantry.account.signIn'(received: unknown) {
      const account = await signInToPlatform(at);
      if (account !== undefined && received === fromView) {
        // The button that had the keys is gone.
        await commands.executeCommand('gantry.environments.focus');
      }
    },

    async 'gantry.account.signInAgain'(received: unknown) {
      const signedOut = accounts.list.filter(({ isSignedOut }) => isSignedOut);
      const account = await accountFor(accounts, received, l10n.t('Which account?'), signedOut);
      if (account !== undefined) {
        await accounts.signInAgain(account.slug);
      }
    },

    async 'gantry.account.signOut'(received: unknown) {
      const account = await accountFor(accounts, received, l10n.t('Which account shall be signed out?'));
      if (account !== undefined) {
        await signOut(at, account);
      }
    },

    async 'gantry.account.renewToken'(received: unknown) {
      const account = await accountFor(accounts, received, l10n.t("Which account's token shall be renewed?"));
      if (account !== undefined) {
        await renewTokenWithPassword(at, account);
      }
    },

    async 'gantry.account.unlock'(received: unknown) {
      const account = await accountFor(accounts, received, l10n.t('Which account shall be unlocked?'));
      if (account !== undefined) {
        await unlockWithPassword(at, account, l10n.t('Work on tokens and sessions needs your password.'));
      }
    },

    async 'gantry.account.lock'(received: unknown) {
      const unlocked = accounts.list.filter(({ slug }) => at.unlocking.of(slug) !== undefined);
      const account = await accountFor(accounts, received, l10n.t('Which account shall be locked?'), unlocked);
      if (account !== undefined) {
        await at.unlocking.lock(account.slug);
      }
    },
  };
}

/** The whole way in; `undefined` when the person gave up. */
export async function signInToPlatform({
  accounts,
  flow,
  platforms,
  allowPlainHttp,
}: AccountCommandsDeps): Promise<Account | undefined> {
  // Which names are taken has to be known: an account that cannot be read must not be written over.
  await accounts.demandRead();
  const signedIn = await runSignIn({
    ...flow,
    title: l10n.t('Sign In to a Platform'),
    known: { platforms: platforms(), allowPlainHttp: allowPlainHttp() },
  });
  if (signedIn === undefined) {
    return undefined;
  }
  const { client, identity, passwordsInUrl } = signedIn;
  const known = accounts.list.find(
    ({ address, label }) => address === client.address.baseUrl && label === identity.name,
  );
  if (known !== undefined) {
    await accounts.replaceProof(known.slug, identity.proof);
    return known;
  }
  const taken = accounts.list.map(({ slug }) => slug);
  const stored = accountOf(client, identity, taken);
  await accounts.add(passwordsInUrl ? { ...stored, passwordsInUrl } : stored);
  return accounts.find(stored.slug);
}
