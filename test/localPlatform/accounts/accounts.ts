import { join } from 'node:path';
import * as v from 'valibot';
import type { Behaviour } from '../behaviour';
import type { Clock } from '../clock';
import { openKept, type Kept } from '../kept';
import { codes, Refusal } from '../refusal';
import { accountSchema, sessionSchema, tokenSchema, type Account, type Session, type Token } from './account';
import { digest, hashPassword, isPassword, masked, newSessionValue, newTokenKey } from './secrets';
import { customTemplate, permits, tokenTemplates } from './templates';

const keptSchema = v.strictObject({
  nextId: v.number(),
  accounts: v.array(accountSchema),
  sessions: v.array(sessionSchema),
  tokens: v.array(tokenSchema),
});
type KeptAccounts = v.InferOutput<typeof keptSchema>;

export interface Client {
  readonly host: string;
  readonly userAgent: string;
}

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly authType?: Account['authType'];
  readonly status?: Account['status'];
  readonly environments?: Account['environments'];
}

export interface NewToken {
  readonly description: string;
  readonly tokenTemplate?: string;
  readonly apiList?: readonly string[];
  readonly expiresAt?: number;
}

/** Accounts with their sessions and tokens. */
export class Accounts {
  readonly #kept: Kept<KeptAccounts>;
  readonly #clock: Clock;
  readonly #behaviour: Behaviour;

  private constructor(kept: Kept<KeptAccounts>, clock: Clock, behaviour: Behaviour) {
    this.#kept = kept;
    this.#clock = clock;
    this.#behaviour = behaviour;
  }

  static async open(dataFolder: string, clock: Clock, behaviour: Behaviour): Promise<Accounts> {
    const initial = { nextId: 1001, accounts: [], sessions: [], tokens: [] };
    return new Accounts(await openKept(join(dataFolder, 'accounts.json'), keptSchema, initial), clock, behaviour);
  }

  save(): Promise<void> {
    return this.#kept.save();
  }

  get all(): readonly Account[] {
    return this.#kept.value.accounts;
  }

  /** By email address, whatever its case, or by user id. */
  find(login: string): Account | undefined {
    return this.all.find(({ email, uid }) => email.toLowerCase() === login.toLowerCase() || String(uid) === login);
  }

  async add(account: NewAccount): Promise<Account> {
    const row: Account = {
      uid: this.#kept.value.nextId++,
      email: account.email,
      password: await hashPassword(account.password),
      authType: account.authType ?? 'PASSWORD',
      status: account.status ?? 'ENABLED',
      environments: account.environments ?? '*',
    };
    this.#kept.value.accounts.push(row);
    await this.save();
    return row;
  }

  async setPassword(account: Account, password: string): Promise<void> {
    account.password = await hashPassword(password);
    await this.save();
  }

  /** Fails with 701 unless this is the account's password. */
  async demandPassword(account: Account | undefined, password: string): Promise<Account> {
    if (account === undefined || !(await isPassword(password, account.password))) {
      throw new Refusal(codes.badCredentials, 'authentication failed', {}, 'hx-core');
    }
    return account;
  }

  /** Opens a session that the next save stores. Doesn't save itself, because tests open a thousand sessions. */
  openSession(account: Account, client: Client): string {
    const value = newSessionValue();
    this.#addSession(account.uid, client, { digest: digest(value) });
    return value;
  }

  sessionsOf(uid: number): readonly Session[] {
    return this.#kept.value.sessions.filter((session) => session.uid === uid && this.#isAlive(session));
  }

  async endSessions(ended: (session: Session) => boolean): Promise<void> {
    this.#kept.value.sessions = this.#kept.value.sessions.filter((session) => !ended(session));
    await this.save();
  }

  /** Lets a session or a token expire now. */
  async expire(secret: string): Promise<void> {
    const hashed = digest(secret);
    for (const token of this.#kept.value.tokens) if (token.digest === hashed) token.expiresAt = this.#clock.now();
    await this.endSessions((session) => session.digest === hashed);
  }

  tokensOf(uid: number): readonly Token[] {
    return this.#kept.value.tokens.filter((token) => token.uid === uid);
  }

  async addToken(uid: number, wanted: NewToken): Promise<{ readonly token: Token; readonly key: string }> {
    const key = newTokenKey();
    const token: Token = {
      id: this.#kept.value.nextId++,
      uid,
      description: wanted.description,
      tokenTemplate: wanted.tokenTemplate ?? customTemplate,
      apiList: [...(wanted.apiList ?? [])],
      digest: digest(key),
      createdOn: this.#clock.now(),
      ...(wanted.expiresAt === undefined ? {} : { expiresAt: wanted.expiresAt }),
    };
    this.#kept.value.tokens.push(token);
    await this.save();
    return { token, key };
  }

  /** Gives a token a new secret. The old one is invalid immediately. */
  async renewToken(token: Token): Promise<string> {
    const key = newTokenKey();
    token.digest = digest(key);
    await this.endSessions(({ tokenId }) => tokenId === token.id);
    return key;
  }

  async removeTokens(ids: ReadonlySet<number>): Promise<void> {
    this.#kept.value.tokens = this.#kept.value.tokens.filter(({ id }) => !ids.has(id));
    await this.endSessions(({ tokenId }) => tokenId !== undefined && ids.has(tokenId));
  }

  /** Returns the account of a session or token that can call the method. Fails with 702 or 8202 otherwise. */
  recognise(secret: string, method: string, client: Client): { readonly account: Account; readonly session: Session } {
    const session = this.#sessionOf(secret, client);
    const account = this.all.find(({ uid }) => uid === session?.uid);
    if (session === undefined || account === undefined) {
      throw new Refusal(codes.badSession, `session [${masked(secret)}] is invalid or expired`, {}, 'hx-core');
    }
    const token = this.#kept.value.tokens.find(({ id }) => id === session.tokenId);
    if (token !== undefined && !permits(methodsOf(token), method)) {
      throw new Refusal(codes.tokenLacksMethod, `the token has no permission to call [${method}]`, {}, 'hx-core');
    }
    session.lastAccess = this.#clock.now();
    if (token !== undefined) token.lastUsed = this.#clock.now();
    return { account, session };
  }

  #sessionOf(secret: string, client: Client): Session | undefined {
    const hashed = digest(secret);
    const session = this.#kept.value.sessions.find((row) => row.digest === hashed && this.#isAlive(row));
    if (session !== undefined) return session;
    const token = this.#kept.value.tokens.find((row) => row.digest === hashed && this.#isValid(row));
    if (token === undefined) return undefined;
    const opened = this.#kept.value.sessions.find(({ tokenId }) => tokenId === token.id);
    return opened ?? this.#addSession(token.uid, client, { tokenId: token.id });
  }

  #isValid({ expiresAt }: Token): boolean {
    return expiresAt === undefined || expiresAt > this.#clock.now();
  }

  #isAlive(session: Session): boolean {
    if (session.tokenId !== undefined) {
      return this.#kept.value.tokens.some((token) => token.id === session.tokenId && this.#isValid(token));
    }
    return session.lastAccess + this.#behaviour.sessionSeconds * 1000 > this.#clock.now();
  }

  #addSession(uid: number, client: Client, by: { digest: string } | { tokenId: number }): Session {
    const now = this.#clock.now();
    const session: Session = { id: this.#kept.value.nextId++, uid, ...client, createdOn: now, lastAccess: now, ...by };
    this.#kept.value.sessions.push(session);
    return session;
  }
}

/** Returns the methods that a token can call: those of its template, or its own. */
export const methodsOf = (token: Token): readonly string[] =>
  tokenTemplates.find(({ name }) => name === token.tokenTemplate)?.apiList ?? token.apiList;
