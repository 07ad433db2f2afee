import {
  type AuthenticationProvider,
  type AuthenticationProviderAuthenticationSessionsChangeEvent,
  type AuthenticationProviderSessionOptions,
  type AuthenticationSession,
  CancellationError,
  Disposable,
  EventEmitter,
} from 'vscode';
import type { Account, Accounts } from './accounts';
import { sessionScopes } from '../manifest';
import { escapeIcons } from '../ui/escapeMarkup';

/**
 * Lists the accounts in VS Code's Accounts menu. The session's access token is only the account's name and grants
 * nothing, because the real token never leaves Gantry.
 */
export class GantryAuthentication implements AuthenticationProvider, Disposable {
  private readonly changed = new EventEmitter<AuthenticationProviderAuthenticationSessionsChangeEvent>();
  private readonly following: Disposable;
  private listed: readonly AuthenticationSession[] = [];
  readonly onDidChangeSessions = this.changed.event;

  constructor(
    private readonly accounts: Accounts,
    private readonly ask: {
      /** Returns `undefined` if the user cancels. */
      readonly signIn: () => Promise<Account | undefined>;
      readonly signOut: (account: Account) => Promise<unknown>;
    },
  ) {
    this.following = accounts.onDidChange(() => this.announce());
  }

  async getSessions(
    _scopes?: readonly string[],
    { account }: AuthenticationProviderSessionOptions = {},
  ): Promise<AuthenticationSession[]> {
    await this.accounts.firstRead;
    return this.accounts.list.map(sessionOf).filter(({ id }) => account === undefined || account.id === id);
  }

  async createSession(): Promise<AuthenticationSession> {
    const account = await this.ask.signIn();
    if (account === undefined) {
      throw new CancellationError();
    }
    return sessionOf(account);
  }

  async removeSession(id: string): Promise<void> {
    const account = this.accounts.find(id);
    if (account !== undefined) {
      await this.ask.signOut(account);
    }
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }

  private announce(): void {
    const before = this.listed;
    const now = this.accounts.list.map(sessionOf);
    const without = (these: readonly AuthenticationSession[], those: readonly AuthenticationSession[]) =>
      these.filter(({ id }) => !those.some((other) => other.id === id));
    this.listed = now;
    const change = { added: without(now, before), removed: without(before, now), changed: [] };
    if (change.added.length + change.removed.length > 0) {
      this.changed.fire(change);
    }
  }
}

function sessionOf({ slug, label, host }: Account): AuthenticationSession {
  const account = { id: slug, label: escapeIcons(`${label} (${host})`) };
  return { id: slug, accessToken: slug, account, scopes: sessionScopes };
}
