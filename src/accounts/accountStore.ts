import { type FSWatcher, watch } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Disposable, EventEmitter, l10n, type SecretStorage } from 'vscode';
import { namesIn, readIfThere } from '../storage/privateFiles';
import { KeyedQueue } from '../async/keyedQueue';
import { parseAccount, parseSlugs, type StoredAccount } from './storedAccount';

/** The names of all accounts. Each account is a secret of its own, so that two windows do not undo each other's changes. */
const namesKey = 'gantry.accounts';
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
      this.report(new Error(l10n.t('What is stored of the account {0} cannot be read. Sign in to it again.', slug)));
    }
    const signedOut = (await this.markers.all()).get(slug) ?? 0;
    return account?.slug === slug && signedOut <= (account.since ?? 0) ? account : undefined;
  }

  put(account: StoredAccount): Promise<void> {
    return this.writes.take(namesKey, async () => {
      await this.secrets.store(keyOf(account.slug), JSON.stringify(account));
      await this.markers.unmark(account.slug);
      const known = await this.names();
      if (!known.includes(account.slug)) {
        await this.secrets.store(namesKey, JSON.stringify([...known, account.slug]));
      }
    });
  }

  remove(slug: string): Promise<void> {
    return this.writes.take(namesKey, async () => {
      await this.secrets.store(namesKey, JSON.stringify((await this.names()).filter((name) => name !== slug)));
      await this.secrets.delete(keyOf(slug));
      await this.markers.mark(slug);
    });
  }

  /** Tells when any window changed what is stored. */
  onDidChange(changed: () => void): Disposable {
    return Disposable.from(
      this.markers.onDidChange(changed),
      this.secrets.onDidChange(({ key }) => (key === namesKey || key.startsWith(keyOf('')) ? changed() : undefined)),
    );
  }

  private async names(): Promise<readonly string[]> {
    const text = await this.secrets.get(namesKey);
    return (text === undefined ? undefined : parseSlugs(text)) ?? [];
  }
}

/**
 * Which accounts were signed out and when, in a folder that all windows share. VS Code in the browser gives each window its
 * own copy of the secrets and tells no other of a change, so a window would go on with an account that another signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly watching: Promise<FSWatcher>;
  /** An account was signed out in some window. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly folder: string,
    report: (error: unknown) => void,
  ) {
    this.watching = mkdir(folder, { recursive: true }).then(() => {
      const watcher = watch(folder, { persistent: false }, () => this.changed.fire());
      return watcher.on('error', report);
    });
    this.watching.catch(report);
  }

  async mark(slug: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, slug), String(Date.now()));
  }

  async unmark(slug: string): Promise<void> {
    await rm(join(this.folder, slug), { force: true });
  }

  /** When each account was signed out, in milliseconds since the epoch. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const slugs = await namesIn(this.folder);
    const marked = await Promise.all(slugs.map(async (slug) => [slug, await this.when(slug)] as const));
    return new Map(marked);
  }

  dispose(): void {
    this.changed.dispose();
    // Where watching failed, that was reported, and nothing is left to close.
    void this.watching.then((watcher) => watcher.close()).catch(() => undefined);
  }

  private async when(slug: string): Promise<number> {
    // Without a file, it was removed between listing and reading: the account is signed in again.
    return Number(await readIfThere(join(this.folder, slug))) || 0;
  }
}
