import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Disposable, type Event, EventEmitter, l10n, type SecretStorage } from 'vscode';
import * as v from 'valibot';
import { JsonFolder } from '../storage/jsonFolder';
import { accountNamesKey } from '../storage/storageKeys';
import { KeyedQueue } from '../async/keyedQueue';
import { parseAccount, parseSlugs, type StoredAccount } from './storedAccount';

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
  markers: SignOutMarkers,
  report: (error: unknown) => void,
): AccountStore {
  const queue = new KeyedQueue();
  const unreadable = new Set<string>();
  /** Writers take turns: each starts from what the one before has stored. */
  const inTurn = (write: () => Promise<void>) => queue.take(accountNamesKey, write);

  async function names(): Promise<readonly string[]> {
    const text = await secrets.get(accountNamesKey);
    return (text === undefined ? undefined : parseSlugs(text)) ?? [];
  }

  async function find(slug: string): Promise<StoredAccount | undefined> {
    const text = await secrets.get(keyOf(slug));
    const account = text === undefined ? undefined : parseAccount(text);
    if (text !== undefined && account === undefined && !unreadable.has(slug)) {
      unreadable.add(slug);
      report(new Error(l10n.t('What is stored of the account {0} cannot be read. Sign in to it again.', slug)));
    }
    const signedOut = (await markers.all()).get(slug) ?? 0;
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
        await markers.unmark(account.slug);
        const known = await names();
        if (!known.includes(account.slug)) {
          await secrets.store(accountNamesKey, JSON.stringify([...known, account.slug]));
        }
      }),
    remove: (slug) =>
      inTurn(async () => {
        await secrets.store(accountNamesKey, JSON.stringify((await names()).filter((name) => name !== slug)));
        await secrets.delete(keyOf(slug));
        await markers.mark(slug);
      }),
    onDidChange: (listener, self, disposables) => {
      const tell = () => void listener.call(self, undefined);
      const listening = Disposable.from(
        markers.onDidChange(tell),
        secrets.onDidChange(({ key }) => (key === accountNamesKey || key.startsWith(keyOf('')) ? tell() : undefined)),
      );
      disposables?.push(listening);
      return listening;
    },
  };
}

/**
 * Which accounts were signed out and when, in a folder that all windows share. VS Code in the browser gives each window its
 * own copy of the secrets and tells no other of a change, so a window would go on with an account that another signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly watching: Promise<FSWatcher>;
  private readonly markers: JsonFolder<number>;
  /** An account was signed out in some window. */
  readonly onDidChange = this.changed.event;

  constructor(folder: string, report: (error: unknown) => void) {
    this.markers = new JsonFolder(folder, v.number());
    this.watching = mkdir(folder, { recursive: true, mode: 0o700 }).then(() => {
      const watcher = watch(folder, { persistent: false }, () => this.changed.fire());
      return watcher.on('error', report);
    });
    this.watching.catch(report);
  }

  mark(slug: string): Promise<void> {
    return this.markers.write(slug, Date.now());
  }

  unmark(slug: string): Promise<void> {
    return this.markers.remove(slug);
  }

  /** When each account was signed out, in milliseconds since the epoch. */
  all(): Promise<ReadonlyMap<string, number>> {
    return this.markers.list();
  }

  dispose(): void {
    this.changed.dispose();
    // Where watching failed, that was reported, and nothing is left to close.
    void this.watching.then((watcher) => watcher.close()).catch(() => undefined);
  }
}
