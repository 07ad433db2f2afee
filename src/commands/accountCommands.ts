import { l10n, ProgressLocation, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Connections } from '../accounts/connections';
import { type Credentials, signIn } from '../accounts/signIn';
import { parseAddress } from '../platform/address';
import { askInTurn, type Question } from '../ui/prompts';

export interface SigningIn {
  readonly accounts: Accounts;
  readonly connections: Connections;
  /** Addresses to offer, the first one filled in. */
  readonly platforms: () => readonly string[];
}

type Way = 'password' | 'token';

export function accountCommands({ accounts, connections, platforms }: SigningIn) {
  return {
    async 'gantry.account.signIn'() {
      const way = await chooseWay();
      const entered = way && (await askInTurn(l10n.t('Sign In to a Platform'), questions(way, platforms()[0])));
      const address = entered && parseAddress(entered['address'] ?? '');
      if (entered === undefined || address === undefined || !('ok' in address)) {
        return;
      }
      const stored = await window.withProgress(
        { location: ProgressLocation.Notification, title: l10n.t('Signing in to {0}…', address.ok.host) },
        async () =>
          signIn(
            connections.reach(address.ok),
            credentials(entered),
            accounts.list.map(({ slug }) => slug),
          ),
      );
      await accounts.add(stored);
    },

    async 'gantry.account.signOut'() {
      const choices = accounts.list.map(({ slug, label, address }) => ({ slug, label, description: address }));
      const chosen = await window.showQuickPick(choices, { placeHolder: l10n.t('Which account shall be signed out?') });
      if (chosen !== undefined) {
        await accounts.remove(chosen.slug);
      }
    },
  };
}

async function chooseWay(): Promise<Way | undefined> {
  const ways: readonly { label: string; detail: string; way: Way }[] = [
    {
      label: l10n.t('$(mail) E-mail and password'),
      detail: l10n.t('The password is used once and never stored.'),
      way: 'password',
    },
    {
      label: l10n.t('$(key) Access token'),
      detail: l10n.t('Made in the dashboard under Settings › Access Tokens.'),
      way: 'token',
    },
  ];
  return (
    await window.showQuickPick(ways, {
      title: l10n.t('Sign In to a Platform'),
      placeHolder: l10n.t('How do you sign in?'),
    })
  )?.way;
}

function questions(way: Way, platform: string | undefined): readonly Question[] {
  const address: Question = {
    key: 'address',
    prompt: l10n.t("The address of your platform's dashboard"),
    placeholder: 'https://app.hoster.com',
    ...(platform === undefined ? {} : { value: platform }),
    problem: (text) => {
      const parsed = parseAddress(text);
      return 'ok' in parsed ? undefined : parsed.message;
    },
  };
  return way === 'token'
    ? [address, { key: 'token', prompt: l10n.t('Your access token'), masked: true }]
    : [
        address,
        { key: 'login', prompt: l10n.t('Your e-mail address'), placeholder: 'you@example.com' },
        { key: 'password', prompt: l10n.t('Your password'), masked: true },
      ];
}

function credentials(entered: Readonly<Record<string, string>>): Credentials {
  const { token, login = '', password = '' } = entered;
  return token === undefined ? { kind: 'password', login, password } : { kind: 'token', token };
}
