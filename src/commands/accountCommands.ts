import { l10n, window } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import { accountOf } from '../accounts/signIn';
import { runSignIn, type SignInFlow } from './signInFlow';

export interface AccountsAtHand {
  readonly accounts: Accounts;
  readonly flow: Pick<SignInFlow, 'connections' | 'machine'>;
  readonly platforms: () => readonly string[];
  readonly allowPlainHttp: () => boolean;
  /** The account that a command was called on, in whatever form a view or a link passes it. */
  readonly accountOf: (received: unknown) => Account | undefined;
}

export function accountCommands(at: AccountsAtHand) {
  const { accounts } = at;
  return {
    async 'gantry.account.signIn'() {
      await signInToPlatform(at);
    },

    async 'gantry.account.signInAgain'(received: unknown) {
      const signedOut = accounts.list.filter(({ isSignedOut }) => isSignedOut);
      const account = at.accountOf(received) ?? (await chooseAccount(signedOut, l10n.t('Which account?')));
      if (account !== undefined) {
        await accounts.signInAgain(account.slug);
      }
    },

    async 'gantry.account.signOut'(received: unknown) {
      const account =
        at.accountOf(received) ??
        (await chooseAccount(accounts.list, l10n.t('Which account shall be signed out?'), 'always'));
      if (account !== undefined) {
        await accounts.remove(account.slug);
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
}: AccountsAtHand): Promise<Account | undefined> {
  const signedIn = await runSignIn({
    ...flow,
    title: l10n.t('Sign In to a Platform'),
    known: { platforms: platforms(), allowPlainHttp: allowPlainHttp() },
  });
  if (signedIn === undefined) {
    return undefined;
  }
  const { client, identity, passwordsInUrl } = signedIn;
  const taken = accounts.list.map(({ slug }) => slug);
  const stored = accountOf(client, identity, taken);
  await accounts.add(passwordsInUrl ? { ...stored, passwordsInUrl } : stored);
  return accounts.find(stored.slug);
}

/** The only one there is, unless it shall be asked for `always`. */
async function chooseAccount(
  choices: readonly Account[],
  placeHolder: string,
  asking: 'always' | 'ifSeveral' = 'ifSeveral',
): Promise<Account | undefined> {
  if (choices.length <= 1 && asking === 'ifSeveral') {
    return choices[0];
  }
  const items = choices.map((account) => ({ account, label: account.label, description: account.host }));
  return (await window.showQuickPick(items, { placeHolder }))?.account;
}
