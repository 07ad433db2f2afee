import { join } from 'node:path';
import { ExpectedError } from '../ui/expectedError';
import { Disposable, EventEmitter, l10n, type SecretStorage } from 'vscode';
import * as v from 'valibot';
import { JsonFolder } from '../storage/stores';
import { accountsKey, signedOutFolder, signingOutFolder } from '../storage/storageKeys';
import { KeyedQueue } from '../async/waiting';
import { reasonText } from '../ui/failureMessages';
import { isSameAccount, parseAccount, parseAccounts, type StoredAccount } from './storedAccount';

/**
 * Whether VS Code stores secrets. `unreadable`: it can't be read. `refuses`: VS Code reports an error when a secret is
 * stored. `forgets`: it reports success, but doesn't return the secret.
 */
export type SecretStorageState = 'unused' | 'works' | 'unreadable' | 'refuses' | 'forgets';

/** For this many milliseconds after a change, another window may still store what it read before. */
const lossesEndAfter = 10_000;

/**
 * The accounts, stored in one secret. VS Code in a browser encrypts all secrets at each change, without waiting for the
 * change before. Of two secrets stored at once, such as an account and a list of accounts, it may lose one.
 *
 * Another window may have read the secret before this one's change, and store its own change afterwards. Taking turns
 * wouldn't help, because a change reaches other windows only later. So each window compares what it reads with what it
 * knows, and restores what was lost: a newer token, an account that was just added, and its own sign-outs.
 */
export class AccountStore {
  /** Each writer starts from what the one before has stored. */
  private readonly writes = new KeyedQueue();
  private readonly unreadable = new Set<string>();
  /** Accounts that VS Code didn't store, which only this window has. */
  private readonly unstored = new Map<string, StoredAccount>();
  /** The stored accounts when they were last read, with what was lost. */
  private known: ReadonlyMap<string, StoredAccount> | undefined;
  /** When each account was added or got another token while this window was open, by `performance.now()`. */
  private readonly changedAt = new Map<string, number>();
  private readonly signedOutHere = new Set<string>();
  /** Accounts that were left out of the secret while another stayed in it. */
  private readonly leftOut = new Set<string>();
  private current: SecretStorageState = 'unused';
  countStored = 0;
  /** Why the last read returned only what this window has besides. */
  lastFailure: { readonly cause: unknown } | undefined;

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

  async read(): Promise<readonly StoredAccount[]> {
    this.lastFailure = undefined;
    const stored = await this.restored().catch((cause: unknown) => {
      this.current = 'unreadable';
      if (this.unstored.size === 0) throw cause;
      this.lastFailure = { cause };
      return this.known ?? new Map<string, unknown>();
    });
    if (stored.size > 0 && this.current === 'unused') this.current = 'works';
    this.countStored = stored.size;
    const slugs = new Set([...stored.keys(), ...this.unstored.keys()]);
    const found = await Promise.all([...slugs].map((slug) => this.unlessSignedOut(slug, stored)));
    return found.filter((account) => account !== undefined);
  }

  async find(slug: string): Promise<StoredAccount | undefined> {
    return this.unlessSignedOut(slug, this.unstored.has(slug) ? new Map() : (await this.compared()).complete);
  }

  /** Signs in an account. Returns where it's kept: only in this window if VS Code doesn't store it. */
  put(account: StoredAccount): Promise<'stored' | 'inThisWindow'> {
    return this.writes.take(accountsKey, async () => {
      await this.markers.unmark(account.slug);
      const kept = await this.keep(account);
      await this.markers.unmark(account.slug);
      return kept;
    });
  }

  /** Stores a change of an account, unless it's signed out by now. */
  update(account: StoredAccount): Promise<'stored' | 'inThisWindow' | 'signedOut'> {
    return this.writes.take(accountsKey, async () =>
      (await this.find(account.slug)) === undefined ? 'signedOut' : this.keep(account),
    );
  }

  /**
   * Removes the account from the secret first: other windows delete what is kept for an account when they see its
   * marker. One that restores the account in between, as if it was lost, goes by the marker afterwards. If this window is
   * closed in between, the next one to start finishes that by a note, which there isn't if the disk is full.
   */
  remove(slug: string): Promise<void> {
    return this.writes.take(accountsKey, async () => {
      const stored = this.known?.get(slug);
      const account = this.unstored.get(slug) ?? stored;
      if (account !== undefined && stored !== undefined && !isSameAccount(account, stored)) {
        // Only this window has the account, and nothing of the stored one may be lost.
        this.unstored.delete(slug);
        return;
      }
      const label = account?.label ?? slug;
      await this.markers.begin(slug, { after: sinceOf(account) }).catch(this.report);
      const failure = await this.removeStored(slug).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (failure !== undefined && !this.unstored.has(slug)) {
        await this.markers.end(slug).catch(this.report);
        throw tokenLeft(label, failure.error);
      }
      await this.markers.mark(slug, { after: Math.max(sinceOf(account), sinceOf(this.known?.get(slug))) });
      this.signedOutHere.add(slug);
      this.unstored.delete(slug);
      if (failure !== undefined && this.known?.has(slug) === true) this.report(earlierTokenLeft(label, failure.error));
    });
  }

  /** Notes that nothing is left of an account that was signed out. */
  noteNothingLeft(slug: string): Promise<void> {
    return this.markers.end(slug);
  }

  /**
   * Whether an account that's no longer stored was signed out. VS Code also deletes all secrets that it can no longer
   * decrypt. On another computer with the same secrets, a sign-out leaves no marker here, only the other accounts. That
   * is decided when the account goes missing: after a loss, the user may have signed in to the others again.
   */
  async isSignedOut({ slug, since }: StoredAccount): Promise<boolean> {
    const signedOut = await this.markers.all();
    return this.leftOut.has(slug) || (signedOut.get(slug) ?? 0) > (since ?? 0);
  }

  /** Calls back when any window changes the stored accounts. */
  onDidChange(changed: () => void): Disposable {
    return Disposable.from(
      this.markers.onDidChange(changed),
      this.secrets.onDidChange(({ key }) => (key === accountsKey ? changed() : undefined)),
    );
  }

  private async removeStored(slug: string): Promise<void> {
    const { complete } = await this.compared();
    complete.delete(slug);
    await this.write(complete);
  }

  private async keep(account: StoredAccount): Promise<'stored' | 'inThisWindow'> {
    this.current = await this.storeVerified(account).catch(() => 'refuses' as const);
    if (this.current === 'works') {
      this.unstored.delete(account.slug);
      return 'stored';
    }
    this.unstored.set(account.slug, account);
    return 'inThisWindow';
  }

  /** Reads back what it stored, because some hosts store nothing and report success. Never replaces a newer token. */
  private async storeVerified(account: StoredAccount): Promise<'works' | 'refuses' | 'forgets'> {
    const { slug } = account;
    // Another window may store its own account between reading and writing.
    for (let attempt = 0; attempt < 2; attempt++) {
      const { complete } = await this.compared();
      const other = parseAccount(complete.get(slug));
      // It was added while the secret couldn't be read, so another account may have its ID.
      if (other !== undefined && this.unstored.has(slug) && !isSameAccount(other, account)) return 'refuses';
      const newest = other !== undefined && sinceOf(other) > sinceOf(account) ? other : account;
      await this.write(complete.set(slug, newest));
      if (this.parsed(slug, await this.stored())?.token === newest.token) {
        // Right away, because it may be lost before the next read.
        this.known = new Map(this.known).set(slug, newest);
        this.changedAt.set(slug, performance.now());
        return 'works';
      }
    }
    return 'forgets';
  }

  private async restored(): Promise<ReadonlyMap<string, unknown>> {
    const { complete, isAnyLost } = await this.compared();
    if (isAnyLost) {
      // If that fails, the next read tries again. Until then, this window uses what it knows.
      await this.writes.take(accountsKey, () => this.restore()).catch(() => undefined);
    }
    return complete;
  }

  private async restore(): Promise<void> {
    const { complete, isAnyLost } = await this.compared();
    if (isAnyLost) {
      await this.write(complete);
    }
  }

  /**
   * Returns what is stored, with what was lost and without what was signed out. A sign-out counts as lost only if this
   * window did it: in a browser, writing would replace what other windows have stored.
   */
  private async compared(): Promise<{ readonly complete: Map<string, unknown>; readonly isAnyLost: boolean }> {
    const found = await this.stored();
    const complete = new Map(found);
    const signedOut = await this.markers.all();
    const isSignedOut = (slug: string, account?: StoredAccount) => (signedOut.get(slug) ?? 0) > sinceOf(account);
    const isNew = (slug: string) => performance.now() - (this.changedAt.get(slug) ?? -Infinity) < lossesEndAfter;
    const returned = [...complete.keys()].filter((slug) => isSignedOut(slug, parseAccount(complete.get(slug))));
    const lost = [...(this.known ?? [])].filter(([slug, account]) => {
      const stored = parseAccount(complete.get(slug));
      const isOlder = stored !== undefined && sinceOf(stored) < sinceOf(account);
      return (isOlder || (!complete.has(slug) && isNew(slug))) && !isSignedOut(slug, account);
    });
    for (const slug of returned) complete.delete(slug);
    for (const [slug, account] of lost) complete.set(slug, account);
    this.noteLeftOut(found, complete);
    this.learn(complete);
    return { complete, isAnyLost: lost.length > 0 || returned.some((slug) => this.signedOutHere.has(slug)) };
  }

  /** An account that's stored as before shows that VS Code didn't lose the secret. One that signed in again doesn't. */
  private noteLeftOut(found: ReadonlyMap<string, unknown>, complete: ReadonlyMap<string, unknown>): void {
    const known = [...(this.known ?? [])];
    const isAnyKept = known.some(([slug, account]) => {
      const stored = parseAccount(found.get(slug));
      return stored !== undefined && sinceOf(stored) === sinceOf(account);
    });
    for (const [slug] of known) {
      if (isAnyKept && !complete.has(slug)) this.leftOut.add(slug);
    }
    for (const slug of complete.keys()) this.leftOut.delete(slug);
  }

  private learn(complete: ReadonlyMap<string, unknown>): void {
    const accounts = new Map<string, StoredAccount>();
    for (const [slug, value] of complete) {
      const account = parseAccount(value);
      if (account !== undefined) accounts.set(slug, account);
      if (this.known !== undefined && account?.token !== this.known.get(slug)?.token) {
        this.changedAt.set(slug, performance.now());
      }
    }
    this.known = accounts;
  }

  private async write(accounts: ReadonlyMap<string, unknown>): Promise<void> {
    await (accounts.size === 0
      ? this.secrets.delete(accountsKey)
      : this.secrets.store(accountsKey, JSON.stringify(Object.fromEntries(accounts))));
  }

  private async unlessSignedOut(
    slug: string,
    stored: ReadonlyMap<string, unknown>,
  ): Promise<StoredAccount | undefined> {
    const account = this.unstored.get(slug) ?? this.parsed(slug, stored);
    const signedOut = (await this.markers.all()).get(slug) ?? 0;
    return signedOut <= sinceOf(account) ? account : undefined;
  }

  private parsed(slug: string, stored: ReadonlyMap<string, unknown>): StoredAccount | undefined {
    const account = parseAccount(stored.get(slug));
    if (account?.slug === slug) return account;
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

function tokenLeft(label: string, cause: unknown): ExpectedError {
  const text = l10n.t(
    "Couldn't sign out of {0}, because its token couldn't be deleted from this computer's keychain ({1}). Unlock the keychain and sign out again, or delete the token in the dashboard under Settings › Access Tokens.",
    label,
    reasonText(cause),
  );
  return new ExpectedError(text, { cause });
}

function earlierTokenLeft(label: string, cause: unknown): ExpectedError {
  const text = l10n.t(
    "Signed out of {0}, but an earlier token is still in this computer's keychain ({1}). Delete the token in the dashboard under Settings › Access Tokens.",
    label,
    reasonText(cause),
  );
  return new ExpectedError(text, { cause });
}

function sinceOf(account: StoredAccount | undefined): number {
  return account?.since ?? 0;
}

/**
 * Records which accounts were signed out and when, and which are about to be, in folders that all windows share. In the
 * browser, each window has its own copy of the secrets and isn't notified of changes, so it would keep using an account
 * that another window signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly watching: Pick<Disposable, 'dispose'>;
  private readonly markers: JsonFolder<number>;
  private readonly begun: JsonFolder<number>;
  readonly onDidChange = this.changed.event;

  constructor(storageFolder: string, report: (error: unknown) => void) {
    this.markers = new JsonFolder(join(storageFolder, signedOutFolder), v.number());
    this.begun = new JsonFolder(join(storageFolder, signingOutFolder), v.number());
    this.watching = this.markers.watch(() => this.changed.fire(), report);
  }

  /** Notes the marker that the account gets if its sign-out is cut short (see `endSignOuts`). */
  begin(slug: string, { after }: { readonly after: number }): Promise<void> {
    return this.begun.write(slug, Math.max(Date.now(), after + 1));
  }

  /** Notes that the account stays signed in, or that nothing of it is left. */
  end(slug: string): Promise<void> {
    return this.begun.remove(slug);
  }

  /** Marks all sign-ins up to a time, even if the clock is behind. */
  mark(slug: string, { after }: { readonly after: number }): Promise<void> {
    return this.markers.write(slug, Math.max(Date.now(), after + 1));
  }

  unmark(slug: string): Promise<unknown> {
    return Promise.all([this.end(slug), this.markers.remove(slug)]);
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
