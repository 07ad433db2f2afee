import { ExpectedError } from '../ui/expectedError';
import { Disposable, EventEmitter, l10n } from 'vscode';
import { KeyedQueue } from '../async/waiting';
import type { PlatformClient } from '../platform/client';
import { onPlatformError, undefinedIf } from '../platform/errors';
import { lackedOperations } from './tokens';
import { isSameAccount, type StoredAccount, type TokenData, withTokenData } from './storedAccount';
import type { AccountStore } from './accountStore';
import type { SignInTrigger, TokenCheck } from './signInCoordinator';
import { type Account, SignedInAccount } from './signedInAccount';
import { reasonText } from '../ui/failureMessages';

export type { Account } from './signedInAccount';

type AccountsState =
  | { readonly kind: 'loading' }
  /** `error`: the secret storage couldn't be read, so there may be others than those of this window. */
  | { readonly kind: 'loaded'; readonly accounts: readonly Account[]; readonly error?: Error }
  /** The computer's secret storage couldn't be read, so the accounts aren't known. */
  | { readonly kind: 'unreadable'; readonly error: Error };

/** A request to sign in again, made after a refused call or by the user. */
export interface SignInAgainEvent {
  readonly account: Account;
  readonly occasion: SignInTrigger;
  /** Aborted when signing in is no longer necessary, for example because another window did it. */
  readonly signal: AbortSignal;
}

/** The signed-in accounts, which all windows share. */
export class Accounts implements Disposable {
  private readonly known = new Map<string, SignedInAccount>();
  /** Accounts that VS Code no longer has. They weren't signed out, as far as is known. */
  private readonly missing = new Map<string, SignedInAccount>();
  private current: AccountsState = { kind: 'loading' };
  private readonly readings = new KeyedQueue();
  private readonly changed = new EventEmitter<AccountsState>();
  private readonly rightsChanged = new EventEmitter<Account>();
  private readonly signedOut = new EventEmitter<Account>();
  private readonly watching: Disposable;
  /** Fires when an account is added or removed, or when its platform signs it out or it signs in again. */
  readonly onDidChange = this.changed.event;
  /** Fires when a token turns out to lack an operation, or to allow it after all. */
  readonly onDidChangeRights = this.rightsChanged.event;
  /**
   * Fires when the user signs out of an account in any window. Listeners discard everything kept for it. Doesn't fire if
   * VS Code loses its secrets.
   */
  readonly onDidSignOut = this.signedOut.event;
  /** Resolves after the first attempt to read the stored accounts, even if it failed. */
  readonly firstRead: Promise<void>;

  constructor(
    private readonly deps: {
      readonly store: AccountStore;
      readonly connect: (account: StoredAccount) => PlatformClient;
      readonly askToSignInAgain: (request: SignInAgainEvent) => Promise<'signedIn' | 'dismissed'>;
      /** Called when VS Code didn't store an account, so that only this window has it. */
      readonly onNotStored?: () => void;
      /** Reports a failure that no caller is waiting for. */
      readonly report: (error: unknown) => void;
    },
  ) {
    this.watching = deps.store.onDidChange(() => void this.load());
    this.firstRead = this.load();
  }

  get state(): AccountsState {
    return this.current;
  }

  get list(): readonly Account[] {
    return this.current.kind === 'loaded' ? this.current.accounts : [];
  }

  /** Why the accounts, or all but those of this window, couldn't be read. The user has already seen it. */
  get unreadable(): Error | undefined {
    return this.current.kind === 'loading' ? undefined : this.current.error;
  }

  /** Whether an account that isn't here isn't signed in. */
  get areAllKnown(): boolean {
    return this.current.kind === 'loaded' && this.current.error === undefined;
  }

  /** Retries reading the accounts if that failed earlier. Rejects if it fails again and this window has none of its own. */
  async demandRead(): Promise<void> {
    await this.firstRead;
    if (this.unreadable !== undefined) {
      await this.readAgain();
    }
  }

  /** Reads one after another, so that an older read never overwrites a newer one. */
  readAgain(): Promise<void> {
    return this.readings.take('accounts', () => this.read());
  }

  /** Resolves once the accounts could be read, however long that takes. */
  async untilRead(): Promise<void> {
    await this.firstRead;
    if (this.current.kind !== 'loaded') {
      await new Promise<void>((resolve) => {
        const listening = this.onDidChange(({ kind }) => {
          if (kind === 'loaded') {
            listening.dispose();
            resolve();
          }
        });
      });
    }
  }

  find(slug: string): Account | undefined {
    return this.known.get(slug);
  }

  /** Whether nothing of an account may be kept, because it was signed out. False as long as not all accounts could be read. */
  isForgotten(slug: string): boolean {
    return this.areAllKnown && !this.known.has(slug);
  }

  async stored(slug: string): Promise<StoredAccount | undefined> {
    return this.deps.store.find(slug);
  }

  async add(account: StoredAccount): Promise<void> {
    await this.storeAndLoad(account.slug, () => this.deps.store.put(account));
  }

  private update(account: StoredAccount): Promise<boolean> {
    return this.storeAndLoad(account.slug, () => this.deps.store.update(account));
  }

  /** Returns whether the account is still signed in. */
  private async storeAndLoad(
    slug: string,
    store: () => Promise<'stored' | 'inThisWindow' | 'signedOut'>,
  ): Promise<boolean> {
    // If the accounts are unreadable, the sign-in asked about this already.
    const wasUnreadable = this.current.kind === 'unreadable';
    const kept = await store();
    await this.load();
    // Also after a sign-in with the same token.
    this.known.get(slug)?.forgetRights();
    if (kept === 'inThisWindow' && !wasUnreadable) {
      this.deps.onNotStored?.();
    }
    return kept !== 'signedOut';
  }

  /**
   * Gives an account a new token and whatever else a sign-in found out, and leaves everything else unchanged. Returns `false` if
   * it was signed out meanwhile, as another window can do.
   */
  async replaceToken(
    slug: string,
    tokenData: TokenData,
    shown: Partial<Pick<StoredAccount, 'login' | 'transport' | 'passwordsInUrl'>> = {},
  ): Promise<boolean> {
    const stored = await this.deps.store.find(slug);
    return stored !== undefined && this.update({ ...withTokenData(stored, tokenData), ...shown });
  }

  /** Stores what changed about the account's token, unless it has another one by now. */
  async updateToken(slug: string, changed: TokenData): Promise<void> {
    const stored = await this.deps.store.find(slug);
    if (stored?.token === changed.token) {
      await this.update(withTokenData(stored, changed));
    }
  }

  /** Whether the platform accepts passwords only in URLs and the user hasn't agreed to that. */
  async wouldPutPasswordInUrl(slug: string): Promise<boolean> {
    const stored = await this.deps.store.find(slug);
    return stored !== undefined && stored.passwordsInUrl !== true && this.deps.connect(stored).transport === 'query';
  }

  async agreeToPasswordsInUrl(slug: string): Promise<void> {
    const stored = await this.deps.store.find(slug);
    if (stored !== undefined) {
      await this.update({ ...stored, passwordsInUrl: true });
    }
  }

  async remove(slug: string): Promise<void> {
    await this.deps.store.remove(slug);
    await this.load();
  }

  /** Notes that nothing is left of an account that was signed out. */
  noteNothingLeft(slug: string): Promise<void> {
    return this.deps.store.noteNothingLeft(slug);
  }

  /** Asks for credentials at the user's request. */
  async signInAgain(slug: string): Promise<void> {
    await this.known.get(slug)?.gate.signIn();
  }

  /** Asks for a different token while the current one is still valid. */
  async signInWithAnotherToken(slug: string): Promise<void> {
    const account = this.known.get(slug);
    if (account !== undefined) {
      await this.deps.askToSignInAgain({ account, occasion: 'direct', signal: new AbortController().signal });
    }
  }

  /**
   * Allows refused operations to be tried again, because the token's list may have been edited since. Looks up again
   * what the list lacked.
   */
  forgetRights(): void {
    for (const account of this.known.values()) {
      account.forgetRights();
      if ((account.stored.lacks ?? []).length > 0) {
        void this.lookUpRights(account).catch(this.deps.report);
      }
    }
  }

  private async lookUpRights({ stored: { slug, token, tokenId, lacks }, isSignedOut }: SignedInAccount): Promise<void> {
    const stored = isSignedOut ? undefined : await this.deps.store.find(slug);
    if (stored?.token !== token) {
      return;
    }
    const listing = this.deps.connect(stored).callAs(token, 'GetTokens', {});
    const found = await listing.then(
      ({ tokens }) => ({ lacks: lackedOperations(tokens, { token, tokenId }) }),
      onPlatformError(({ kind }) => {
        // Without the right to list tokens, every other right is learned from a refused call.
        return kind === 'tokenLacksMethod' ? { lacks: undefined } : undefined;
      }),
    );
    const latest = await this.deps.store.find(slug);
    if (found !== undefined && latest?.token === token && String(found.lacks) !== String(lacks)) {
      await this.update({ ...latest, ...found });
    }
  }

  /** Refreshes everything that shows accounts, after their platforms can be reached again. */
  refreshViews(): void {
    this.changed.fire(this.current);
  }

  dispose(): void {
    Disposable.from(this.watching, this.changed, this.rightsChanged, this.signedOut).dispose();
  }

  private load(): Promise<void> {
    return this.readAgain().catch(this.deps.report);
  }

  private async read(): Promise<void> {
    const stored = await this.deps.store.read().catch((error: unknown) => this.failLoading(error));
    const gone = [...this.known.values()].filter((known) => !stored.some((one) => isSameAccount(one, known)));
    for (const account of gone) {
      this.known.delete(account.slug);
      this.missing.set(account.slug, account);
      account.end();
    }
    const accounts = stored.map((account) => this.follow(account));
    const { lastFailure } = this.deps.store;
    this.current = { kind: 'loaded', accounts, ...(lastFailure && { error: unreadableError(lastFailure.cause) }) };
    for (const account of await this.signedOutAmongMissing()) {
      this.signedOut.fire(account);
    }
    this.changed.fire(this.current);
  }

  private async signedOutAmongMissing(): Promise<readonly SignedInAccount[]> {
    const found: SignedInAccount[] = [];
    for (const account of [...this.missing.values()]) {
      const isBack = this.known.has(account.slug);
      const isSignedOut = !isBack && (await this.deps.store.isSignedOut(account.stored));
      if (isBack || isSignedOut) this.missing.delete(account.slug);
      if (isSignedOut) found.push(account);
    }
    return found;
  }

  /** Keeps the accounts that are already known. */
  private failLoading(cause: unknown): never {
    const error = unreadableError(cause);
    if (this.current.kind !== 'loaded') {
      this.current = { kind: 'unreadable', error };
      this.changed.fire(this.current);
    }
    throw error;
  }

  /** Returns the same object for an account as long as it's signed in, because others hold on to it. */
  private follow(stored: StoredAccount): Account {
    const known = this.known.get(stored.slug);
    if (known !== undefined) {
      known.follow(stored);
      return known;
    }
    const account: SignedInAccount = new SignedInAccount(stored, {
      connect: this.deps.connect,
      check: () => this.check(account),
      ask: (occasion, signal) => this.deps.askToSignInAgain({ account, occasion, signal }),
      changed: () => this.changed.fire(this.current),
      rightsChanged: () => this.rightsChanged.fire(account),
    });
    this.known.set(stored.slug, account);
    return account;
  }

  /** Checks whether the token itself was refused. It may have been replaced, or one environment is off limits. */
  private async check(account: SignedInAccount): Promise<TokenCheck> {
    const used = account.stored;
    if (await this.isReplaced(used)) {
      return 'replaced';
    }
    const asked = this.deps.connect(used).callAs(used.token, 'GetTokenTemplates', {});
    const isAccepted = await undefinedIf('tokenLacksMethod', asked).then(
      () => true,
      onPlatformError(() => false, 'unauthenticated'),
    );
    // This window or another one may have renewed it during the request.
    return isAccepted ? 'accepted' : (await this.isReplaced(used)) ? 'replaced' : 'refused';
  }

  private async isReplaced({ slug, token }: StoredAccount): Promise<boolean> {
    const stored = await this.deps.store.find(slug);
    if (stored?.token === token) {
      return false;
    }
    await this.load();
    return true;
  }
}

function unreadableError(cause: unknown): ExpectedError {
  const text = l10n.t(
    "Couldn't read your accounts from this computer's keychain ({0}). Unlock the keychain, then try again.",
    reasonText(cause),
  );
  return new ExpectedError(text, { cause });
}
