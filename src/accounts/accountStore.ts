import { Disposable, type Event, l10n, type SecretStorage } from 'vscode';
import { KeyedQueue } from '../async/keyedQueue';
import { parseAccount, parseSlugs, type StoredAccount } from './storedAccount';
import type { SignOutMarkers } from './signOutMarkers';

/** The names of all accounts. Each account is a secret of its own, so that two windows do not undo each other's changes. */
const namesKey = 'gantry.accounts';
const keyOf = (slug: string) => `gantry.account.${slug}`;

export interface AccountStore {
  read(): Promise<readonly StoredAccount[]>;
  find(slug: string): Promise<StoredAccount | undefined>;
  put(account: StoredAccount): Promise<void>;
  remove(slug: string): Promise<void>;
  /** Fires when any window changed what is stored. */
  readonly onDidChange: Event<unknown>;
}

export function createAccountStore(
  secrets: SecretStorage,
  farewells: SignOutMarkers,
  report: (error: unknown) => void,
): AccountStore {
  const queue = new KeyedQueue();
  const unreadable = new Set<string>();
  /** Writers take turns: each starts from what the one before has stored. */
  const inTurn = (write: () => Promise<void>) => queue.take(namesKey, write);

  async function names(): Promise<readonly string[]> {
    const text = await secrets.get(namesKey);
    return (text === undefined ? undefined : parseSlugs(text)) ?? [];
  }

  async function find(slug: string): Promise<StoredAccount | undefined> {
    const text = await secrets.get(keyOf(slug));
    const account = text === undefined ? undefined : parseAccount(text);
    if (text !== undefined && account === undefined && !unreadable.has(slug)) {
      unreadable.add(slug);
      report(new Error(l10n.t('What is stored of the account {0} cannot be read. Sign in to it again.', slug)));
    }
    const signedOut = (await farewells.all()).get(slug) ?? 0;
    return account?.slug === slug && signedOut <= (account.since ?? 0) ? account : undefined;
  }

  return {
    find,
    async read() {
      const found = await Promise.all((await names()).map(find));
      return found.filter((account) => account !== undefined);
    },
    put: (account) =>
      inTurn(async () => {
        await secrets.store(keyOf(account.slug), JSON.stringify(account));
        await farewells.takeBack(account.slug);
        const known = await names();
        if (!known.includes(account.slug)) {
          await secrets.store(namesKey, JSON.stringify([...known, account.slug]));
        }
      }),
    remove: (slug) =>
      inTurn(async () => {
        await secrets.store(namesKey, JSON.stringify((await names()).filter((name) => name !== slug)));
        await secrets.delete(keyOf(slug));
        await farewells.say(slug);
      }),
    onDidChange: (listener, self, disposables) => {
      const tell = () => void listener.call(self, undefined);
      const listening = Disposable.from(
        farewells.onDidHear(tell),
        secrets.onDidChange(({ key }) => (key === namesKey || key.startsWith(keyOf('')) ? tell() : undefined)),
      );
      disposables?.push(listening);
      return listening;
    },
  };
}
