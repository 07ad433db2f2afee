import { type Disposable, EventEmitter, l10n } from 'vscode';
import { KeyedQueue } from '../async/keyedQueue';
import type { PlatformClient } from '../platform/client';
import { isPlatformError, undefinedIf } from '../platform/errors';

import { type Proof, type StoredAccount, withProof } from './storedAccount';
import type { AccountStore } from './accountStore';
import type { Occasion, TokenCheck } from './signInCoordinator';
import { type Account, SignedInAccount } from './signedInAccount';
import { failureText } from '../ui/failureMessages';

export type { Account } from './signedInAccount';

export type AccountsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly accounts: readonly Account[] }
  /** This computer did not give them away, so nobody knows which there are. */
  | { readonly kind: 'unreadable'; readonly error: Error };

/** The person is to sign in again, because a call was refused or because they asked for it. */
export interface SignInAgain {
  readonly account: Account;
  readonly occasion: Occasion;
  /** Aborted when it is settled otherwise, such as in another window. */
  readonly signal: AbortSignal;
}

export interface AccountsDeps {
  readonly store: AccountStore;
  readonly connect: (account: StoredAccount) => PlatformClient;
  readonly askToSignInAgain: (request: SignInAgain) => Promise<'signedIn' | 'dismissed'>;
  /** Told of a failure that no caller waits for. */
  readonly report: (error: unknown) => void;
}

/** The accounts signed in to, the same in every window. */
export class Accounts implements Disposable {
  private readonly known = new Map<string, SignedInAccount>();
  private current: AccountsState = { kind: 'loading' };
  private readonly readings = new KeyedQueue();
  private readonly changed = new EventEmitter<AccountsState>();
  private readonly rightsChanged = new EventEmitter<Account>();
  private readonly signedOut = new EventEmitter<Account>();
  private readonly watching: Disposable;
  /** Accounts came or went, or one of them was signed out by its platform or signed in again. */
  readonly onDidChange = this.changed.event;
  /** An operation turned out to be lacking in a token, or to be permitted after all. */
  readonly onDidChangeRights = this.rightsChanged.event;
  /** An account was signed out by the person, in this window or another: forget all that was kept for it. */
  readonly onDidSignOut = this.signedOut.event;
  /** Settles when the stored accounts have been read for the first time, or could not be. */
  readonly loaded: Promise<void>;

  constructor(private readonly deps: AccountsDeps) {
    this.watching = deps.store.onDidChange(() => void this.load());
    this.loaded = this.load();
  }

  get state(): AccountsState {
    return this.current;
  }

  get list(): readonly Account[] {
    return this.current.kind === 'loaded' ? this.current.accounts : [];
  }

  /** Why nobody knows which accounts there are; it was told already. */
  get unreadable(): Error | undefined {
    return this.current.kind === 'unreadable' ? this.current.error : undefined;
  }

  /** Reads them once more where they could not be read; rejects where they still cannot. */
  async demandRead(): Promise<void> {
    await this.loaded;
    if (this.unreadable !== undefined) {
      await this.reading();
    }
  }

  /** Settles once they could be read, however long that takes. */
  async untilRead(): Promise<void> {
    await this.loaded;
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

  /** What is kept of an account, for sign-in and work on tokens. */
  async stored(slug: string): Promise<StoredAccount | undefined> {
    return this.deps.store.find(slug);
  }

  async add(account: StoredAccount): Promise<void> {
    await this.deps.store.put(account);
    await this.load();
  }

  /** A new token for an account that stays what it was. */
  async replaceProof(slug: string, proof: Proof): Promise<void> {
    const stored = await this.deps.store.find(slug);
    if (stored !== undefined) {
      await this.add(withProof(stored, proof));
    }
  }

  /** Whether the platform takes passwords in URLs alone, and the person has not agreed to that. */
  async wouldPutPasswordInUrl(slug: string): Promise<boolean> {
    const stored = await this.deps.store.find(slug);
    return stored !== undefined && stored.passwordsInUrl !== true && this.deps.connect(stored).transport === 'query';
  }

  /** The person agreed to send the password of this account in URLs. */
  async agreeToPasswordsInUrl(slug: string): Promise<void> {
    const stored = await this.deps.store.find(slug);
    if (stored !== undefined) {
      await this.add({ ...stored, passwordsInUrl: true });
    }
  }

  async remove(slug: string): Promise<void> {
    await this.deps.store.remove(slug);
    await this.load();
  }

  /** The person asks to be signed in again. */
  async signInAgain(slug: string): Promise<void> {
    await this.known.get(slug)?.gate.signIn();
  }

  /** The person asks for another token in place of one that is still good. */
  async signInWithAnotherToken(slug: string): Promise<void> {
    const account = this.known.get(slug);
    if (account !== undefined) {
      await this.deps.askToSignInAgain({ account, occasion: 'direct', signal: new AbortController().signal });
    }
  }

  /** What a token was refused may be tried again: its list may have been edited since. */
  forgetRights(): void {
    for (const account of this.known.values()) {
      account.forgetRights();
    }
  }

  dispose(): void {
    this.watching.dispose();
    this.changed.dispose();
    this.rightsChanged.dispose();
    this.signedOut.dispose();
  }

  private load(): Promise<void> {
    return this.reading().catch(this.deps.report);
  }

  /** One reading after another, so that an older one never has the last word. */
  private reading(): Promise<void> {
    return this.readings.take('accounts', () => this.read());
  }

  private async read(): Promise<void> {
    const stored = await this.deps.store.read().catch((error: unknown) => this.couldNotRead(error));
    const gone = [...this.known.values()].filter(({ slug }) => !stored.some((account) => account.slug === slug));
    for (const account of gone) {
      this.known.delete(account.slug);
      account.end();
    }
    const accounts = stored.map((account) => this.follow(account));
    this.current = { kind: 'loaded', accounts };
    for (const account of gone) {
      this.signedOut.fire(account);
    }
    this.changed.fire(this.current);
  }

  /** What is known already stays known. */
  private couldNotRead(cause: unknown): never {
    const reason = failureText(cause).replace(/[.\s]+$/, '');
    const error = new Error(
      l10n.t('The keychain of this computer does not give the accounts away ({0}). Unlock it, then try again.', reason),
      { cause },
    );
    if (this.current.kind !== 'loaded') {
      this.current = { kind: 'unreadable', error };
      this.changed.fire(this.current);
    }
    throw error;
  }

  /** One object for one account for as long as it is signed in: others hold on to it. */
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

  /** Whether the token is refused as such: another window may have stored a new one, or one environment is out of bounds. */
  private async check(account: SignedInAccount): Promise<TokenCheck> {
    const used = account.stored;
    const stored = await this.deps.store.find(used.slug);
    if (stored?.token !== used.token) {
      await this.load();
      return 'replaced';
    }
    try {
      const asked = this.deps.connect(used).callAs(used.token, 'GetTokenTemplates', {});
      await undefinedIf('tokenLacksMethod', asked);
      return 'accepted';
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'unauthenticated') {
        return 'refused';
      }
      throw error;
    }
  }
}
