import { ExpectedError } from '../ui/expectedError';
import { Disposable, EventEmitter, l10n, type SecretStorage } from 'vscode';
import * as v from 'valibot';
import { JsonFolder } from '../storage/jsonFolder';
import { accountsKey } from '../storage/storageKeys';
import { watchFolder } from '../storage/watchFolder';
import { KeyedQueue } from '../async/keyedQueue';
import { parseAccount, parseAccounts, type StoredAccount } from './storedAccount';

/**
 * Whether VS Code stores secrets. `unreadable`: it can't be read. `refuses`: VS Code reports an error when a secret is
 * stored. `forgets`: it reports success, but doesn't return the secret.
 */
export type SecretStorageState = 'unused' | 'works' | 'unreadable' | 'refuses' | 'forgets';

/**
 * What is kept of the accounts, in one secret. VS Code in a browser encrypts all secrets at each change, without waiting
 * for the change before. Of two secrets stored at once, such as an account and a list of accounts, it may lose one.
 */
export class AccountStore {
  /** Each writer starts from what the one before has stored. */
  private readonly writes = new KeyedQueue();
  private readonly unreadable = new Set<string>();
  /** Accounts that VS Code didn't store, which only this window has. */
  private readonly unstored = new Map<string, StoredAccount>();
  private current: SecretStorageState = 'unused';
  private storedAccounts = 0;

  constructor(
    private readonly secrets: SecretStorage,
    private readonly markers: SignOutMarkers,
    private readonly report: (error: unknown) => void,
  ) {}

  /** What the last use of SecretStorage showed. */
  get state(): SecretStorageState {
    return this.current;
  }

  noteForgotten(): void {
    this.current = 'forgets';
  }

  /** How many accounts VS Code stored when they were last read. */
  get countStored(): number {
    return this.storedAccounts;
  }

  async read(): Promise<readonly StoredAccount[]> {
    const stored = await this.stored().catch((error: unknown) => {
      this.current = 'unreadable';
      if (this.unstored.size === 0) {
        throw error;
      }
      return new Map<string, unknown>();
    });
    if (stored.size > 0 && this.current === 'unused') {
      this.current = 'works';
    }
    this.storedAccounts = stored.size;
    const slugs = new Set([...stored.keys(), ...this.unstored.keys()]);
    const found = await Promise.all([...slugs].map((slug) => this.unlessSignedOut(slug, stored)));
    return found.filter((account) => account !== undefined);
  }

  async find(slug: string): Promise<StoredAccount | undefined> {
    return this.unlessSignedOut(slug, this.unstored.has(slug) ? new Map() : await this.stored());
  }

  /** Returns where the account is kept: only in this window if VS Code doesn't store it. */
  put(account: StoredAccount): Promise<'stored' | 'inThisWindow'> {
    return this.writes.take(accountsKey, async () => {
      this.current = await this.store(account).catch(() => 'refuses' as const);
      if (this.current === 'works') {
        this.unstored.delete(account.slug);
      } else {
        this.unstored.set(account.slug, account);
      }
      await this.markers.unmark(account.slug);
      return this.current === 'works' ? 'stored' : 'inThisWindow';
    });
  }

  remove(slug: string): Promise<void> {
    return this.writes.take(accountsKey, async () => {
      const isUnstored = this.unstored.delete(slug);
      const removed = this.removeStored(slug);
      // The marker is enough: an earlier sign-in that VS Code still has no longer counts.
      await (isUnstored ? removed.catch(() => undefined) : removed);
      await this.markers.mark(slug);
    });
  }

  /** Tells when any window changed what is stored. */
  onDidChange(changed: () => void): Disposable {
    return Disposable.from(
      this.markers.onDidChange(changed),
      this.secrets.onDidChange(({ key }) => (key === accountsKey ? changed() : undefined)),
    );
  }

  /** Reads back what it stored, because some hosts store nothing and report success. */
  private async store(account: StoredAccount): Promise<'works' | 'forgets'> {
    await this.markers.unmark(account.slug);
    // Another window may store its own account between reading and writing.
    for (let attempt = 0; attempt < 2; attempt++) {
      await this.secrets.store(accountsKey, textOf(new Map(await this.stored()).set(account.slug, account)));
      if (this.parsed(account.slug, await this.stored())?.token === account.token) {
        return 'works';
      }
    }
    return 'forgets';
  }

  private async removeStored(slug: string): Promise<void> {
    const others = new Map(await this.stored());
    others.delete(slug);
    await (others.size === 0 ? this.secrets.delete(accountsKey) : this.secrets.store(accountsKey, textOf(others)));
  }

  private async unlessSignedOut(
    slug: string,
    stored: ReadonlyMap<string, unknown>,
  ): Promise<StoredAccount | undefined> {
    const account = this.unstored.get(slug) ?? this.parsed(slug, stored);
    const signedOut = (await this.markers.all()).get(slug) ?? 0;
    return signedOut <= (account?.since ?? 0) ? account : undefined;
  }

  private parsed(slug: string, stored: ReadonlyMap<string, unknown>): StoredAccount | undefined {
    const account = parseAccount(stored.get(slug));
    if (account?.slug === slug) {
      return account;
    }
    if (stored.has(slug) && !this.unreadable.has(slug)) {
      this.unreadable.add(slug);
      this.report(new ExpectedError(l10n.t("Couldn't load account {0} from this computer. Sign in again.", slug)));
    }
    return undefined;
  }

  private async stored(): Promise<ReadonlyMap<string, unknown>> {
    return parseAccounts(await this.secrets.get(accountsKey));
  }
}

function textOf(accounts: ReadonlyMap<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(accounts));
}

/**
 * Records which accounts were signed out and when, in a folder that all windows share. In the browser, each window has
 * its own copy of the secrets and isn't notified of changes, so it would keep using an account that another window
 * signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly watching: Pick<Disposable, 'dispose'>;
  private readonly markers: JsonFolder<number>;
  /** Fires when any window signs out of an account. */
  readonly onDidChange = this.changed.event;

  constructor(folder: string, report: (error: unknown) => void) {
    this.markers = new JsonFolder(folder, v.number());
    this.watching = watchFolder(folder, () => this.changed.fire(), report);
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
    this.watching.dispose();
  }
}
