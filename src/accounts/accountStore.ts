import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Disposable, EventEmitter, l10n, type SecretStorage } from 'vscode';
import * as v from 'valibot';
import { JsonFolder } from '../storage/jsonFolder';
import { accountNamesKey } from '../storage/storageKeys';
import { KeyedQueue } from '../async/keyedQueue';
import { parseAccount, parseSlugs, type StoredAccount } from './storedAccount';

const keyOf = (slug: string) => `gantry.account.${slug}`;

/** What is kept of the accounts, in SecretStorage. */
export class AccountStore {
  /** Each writer starts from what the one before has stored. */
  private readonly writes = new KeyedQueue();
  private readonly unreadable = new Set<string>();

  constructor(
    private readonly secrets: SecretStorage,
    private readonly markers: SignOutMarkers,
    private readonly report: (error: unknown) => void,
  ) {}

  async read(): Promise<readonly StoredAccount[]> {
    const found = await Promise.all((await this.names()).map((slug) => this.find(slug)));
    return found.filter((account) => account !== undefined);
  }

  async find(slug: string): Promise<StoredAccount | undefined> {
    const text = await this.secrets.get(keyOf(slug));
    const account = text === undefined ? undefined : parseAccount(text);
    if (text !== undefined && account === undefined && !this.unreadable.has(slug)) {
      this.unreadable.add(slug);
      this.report(new Error(l10n.t("Couldn't load account {0} from this computer. Sign in again.", slug)));
    }
    const signedOut = (await this.markers.all()).get(slug) ?? 0;
    return account?.slug === slug && signedOut <= (account.since ?? 0) ? account : undefined;
  }

  put(account: StoredAccount): Promise<void> {
    return this.writes.take(accountNamesKey, async () => {
      await this.secrets.store(keyOf(account.slug), JSON.stringify(account));
      await this.markers.unmark(account.slug);
      const known = await this.names();
      if (!known.includes(account.slug)) {
        await this.secrets.store(accountNamesKey, JSON.stringify([...known, account.slug]));
      }
    });
  }

  remove(slug: string): Promise<void> {
    return this.writes.take(accountNamesKey, async () => {
      await this.secrets.store(accountNamesKey, JSON.stringify((await this.names()).filter((name) => name !== slug)));
      await this.secrets.delete(keyOf(slug));
      await this.markers.mark(slug);
    });
  }

  /** Tells when any window changed what is stored. */
  onDidChange(changed: () => void): Disposable {
    return Disposable.from(
      this.markers.onDidChange(changed),
      this.secrets.onDidChange(({ key }) =>
        key === accountNamesKey || key.startsWith(keyOf('')) ? changed() : undefined,
      ),
    );
  }

  private async names(): Promise<readonly string[]> {
    const text = await this.secrets.get(accountNamesKey);
    return (text === undefined ? undefined : parseSlugs(text)) ?? [];
  }
}

/**
 * Records which accounts were signed out and when, in a folder that all windows share. In the browser, each window has
 * its own copy of the secrets and isn't notified of changes, so it would keep using an account that another window
 * signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly watching: Promise<FSWatcher>;
  private readonly markers: JsonFolder<number>;
  /** Fires when any window signs out of an account. */
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
    // If watching failed, that was reported and there's nothing to close.
    void this.watching.then((watcher) => watcher.close()).catch(() => undefined);
  }
}
