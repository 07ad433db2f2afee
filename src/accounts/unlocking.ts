import { type Disposable, EventEmitter } from 'vscode';
import type { PlatformClient } from '../platform/client';
import { failed } from '../platform/failureTexts';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { resultCodes } from '../platform/resultCodes';
import { isSameAccount, type StoredAccount } from './storedAccount';
import { closeSession, type OpenedSession, openSession, type PasswordOperations, passwordOperations } from './tokens';

/** A short session of an account. Neither it nor the password is ever stored. */
export interface Unlocked extends PasswordOperations {
  readonly until: Date;
}

interface Open {
  readonly client: PlatformClient;
  readonly opened: OpenedSession;
  readonly unlocked: Unlocked;
  readonly timer: NodeJS.Timeout;
}

const fiveMinutes = 5 * 60 * 1000;

/** Codes by which the platform says that the session or the password is no longer accepted. */
const endings: ReadonlySet<number | undefined> = new Set([
  resultCodes.badSession,
  resultCodes.badCredentials,
  resultCodes.badPassword,
]);

/** Accounts unlocked with their password. Each has a session that is signed out after a while. */
export class Unlocking implements Disposable {
  private readonly open = new Map<string, Open>();
  private readonly closing = new Set<Promise<void>>();
  private readonly changed = new EventEmitter<string>();
  /** Fires with the slug of an account that was unlocked or locked. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: {
      readonly stored: (slug: string) => Promise<StoredAccount | undefined>;
      readonly connect: (account: StoredAccount) => PlatformClient;
      /** How long a session is kept, in milliseconds. */
      readonly lifetime?: number;
    },
  ) {}

  of(slug: string): Unlocked | undefined {
    return this.open.get(slug)?.unlocked;
  }

  get isAnyOpen(): boolean {
    return this.open.size > 0;
  }

  async unlock(slug: string, login: string, password: string): Promise<Unlocked> {
    const account = await this.deps.stored(slug);
    if (account === undefined) {
      throw lockedAgain(slug);
    }
    await this.lock(slug);
    const client = this.deps.connect(account);
    const opened = await openSession(client, login, password);
    // If the keychain can't be read now, nothing says that the account was signed out.
    const stored = await this.deps.stored(slug).catch(() => account);
    if (stored === undefined || !isSameAccount(stored, account)) {
      // It was signed out meanwhile, in any window, which found nothing to lock.
      await this.close(client, opened);
      throw lockedAgain(slug);
    }
    // Replace a session that was opened in the meantime right away, and sign it out.
    const locked = this.lock(slug);
    const lifetime = this.deps.lifetime ?? fiveMinutes;
    const timer = setTimeout(() => void this.lock(slug), lifetime);
    const perform = <T>(work: () => Promise<T>) => this.perform(slug, opened, work);
    const unlocked = { until: new Date(Date.now() + lifetime), ...passwordOperations(client, opened, perform) };
    this.open.set(slug, { client, opened, unlocked, timer });
    this.changed.fire(slug);
    await locked;
    return unlocked;
  }

  /** Signs out the session. Resolves when the platform has answered. */
  async lock(slug: string): Promise<void> {
    const open = this.open.get(slug);
    if (open === undefined) {
      return;
    }
    this.open.delete(slug);
    clearTimeout(open.timer);
    this.changed.fire(slug);
    await this.close(open.client, open.opened);
  }

  /** Signs out all sessions when the window closes. */
  async lockAll(): Promise<void> {
    await Promise.all([...this.open.keys()].map((slug) => this.lock(slug)));
    await Promise.all(this.closing);
  }

  dispose(): void {
    void this.lockAll();
    this.changed.dispose();
  }

  private async close(client: PlatformClient, { session }: OpenedSession): Promise<void> {
    const closing = closeSession(client, session);
    this.closing.add(closing);
    await closing.finally(() => this.closing.delete(closing));
  }

  /**
   * Refuses work if the account was locked in the meantime. Locks it if the platform ended the session, or no longer
   * accepts the password.
   */
  private async perform<T>(slug: string, { session }: OpenedSession, work: () => Promise<T>): Promise<T> {
    if (this.open.get(slug)?.opened.session !== session) {
      throw lockedAgain(slug);
    }
    try {
      return await work();
    } catch (error) {
      if (isPlatformError(error) && endings.has(error.result)) {
        await this.lock(slug);
      }
      throw error;
    }
  }
}

function lockedAgain(slug: string): PlatformError {
  return failed({ kind: 'unauthenticated', operation: 'Signin', target: slug, obstacle: 'locked' });
}
