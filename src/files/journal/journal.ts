import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { KeyedQueue } from '../../async/waiting';
import { unfinishedEnding } from '../../storage/storageKeys';
import type { Presence, WindowOwner } from '../../storage/windows';
import { JsonFolder, someAtOnce, unlessMissing, writeWhole } from '../../storage/stores';
import { allIn, entriesIn, type Log, logEnding, Logs, merge, Texts, unfinishedName } from './journalFiles';
import {
  type Entry,
  excessOf,
  isUnfinished,
  type JournalLimits,
  type KeptText,
  lineOf,
  type MarkCause,
  textsOf,
  usualLimits,
} from './entry';

/** A log that nothing was added to for so long becomes part of the log of a window that is open. */
const idleAfter = 86_400_000;

export type JournalTrouble =
  | { readonly kind: 'damaged' }
  /** The texts that are never removed take more than this. */
  | { readonly kind: 'full'; readonly bytes: number }
  | { readonly kind: 'notWritten'; readonly error: unknown }
  /** No redeploy knows of an edit that it may discard. */
  | { readonly kind: 'editNotNoted'; readonly error: unknown };

type NewEntry = Omit<
  Entry,
  'id' | 'at' | 'owner' | 'before' | 'after' | 'foundOldAt' | 'offeredBy' | 'cause' | 'deployed' | 'saves'
> & {
  readonly cause: Exclude<Entry['cause'], MarkCause>;
  readonly at?: number;
  /** An unfinished entry replaces the one with the same ID. */
  readonly id?: string;
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
};

/** `notWanted`: the person hasn't agreed, or has signed out. */
export type Kept = 'kept' | 'notWanted' | 'failed';

/**
 * What texts were before they changed, on this computer, for all windows. Each window adds records to its own log in the
 * folder of an account, and reads those of others. Windows don't wait for each other: what they do at once may leave
 * something twice, but removes nothing that is needed. Only the owner can read the files.
 */
export class Journal {
  private readonly queue = new KeyedQueue();
  /** Texts that may hold secrets, by account and a random name. */
  private readonly inMemory = new Map<string, string>();
  private readonly told = new Set<string>();
  private readonly logs;
  /** The entries that were last checked against the limits. */
  private checked: unknown;

  constructor(
    readonly folder: string,
    readonly host: {
      readonly presence: Presence;
      /** Whether the person agreed to keep earlier versions. */
      readonly hasConsent: () => boolean;
      /** Whether the account was signed out, so that nothing of it may be kept anymore. */
      readonly isForgotten: (account: string) => Promise<boolean>;
      /** Whether the file usually holds secrets, so that its text isn't always kept on the disk. */
      readonly mayHoldSecrets: (place: Entry['place']) => boolean;
      /** Called once for each damaged record, mark, or text, and once if the disk can't be written, until it can be again. */
      readonly onTrouble: (trouble: JournalTrouble) => void;
    },
    private readonly limits: JournalLimits = usualLimits,
    readonly now: () => number = Date.now,
  ) {
    this.logs = new Logs(folder, (what) => this.tell(what, { kind: 'damaged' }));
  }

  get owner(): WindowOwner {
    return this.host.presence.owner;
  }

  /** Notes an entry. Never rejects, because no save may depend on it. */
  async append({ before, after, id = randomUUID(), ...entry }: NewEntry): Promise<Kept> {
    const { account } = entry.place;
    const { hasConsent, isForgotten } = this.host;
    const needsConsent = this.limits.policies[entry.cause].needsConsent === true && !this.isOnlyCopy(entry);
    let kept: Kept = 'failed';
    await this.change(async () => {
      if ((needsConsent && !hasConsent()) || (await isForgotten(account))) {
        kept = 'notWanted';
        return;
      }
      await this.write({ at: this.now(), ...entry, id, owner: { ...this.owner } }, [before, after]);
      this.told.delete('');
      kept = 'kept';
      if (await isForgotten(account)) {
        // Signed out meanwhile, and its folder may have been removed before this entry was in it.
        await this.remove(account, [id]);
        await this.compact([account]);
        kept = 'notWanted';
      }
    });
    return kept;
  }

  /** Removes entries, with the texts that nothing else has. */
  drop(account: string, ...ids: readonly string[]): Promise<void> {
    return this.change(() => this.remove(account, ids));
  }

  /** Notes what became of an unfinished entry. */
  settle(account: string, id: string, state: Exclude<Entry['state'], 'pending'>): Promise<void> {
    return this.change(async () => {
      const name = unfinishedName(account, id);
      const path = join(this.folder, name);
      for (const entry of entriesIn((await this.logs.read(name))?.records ?? []).slice(-1)) {
        const settled = { ...entry, state };
        if (isUnfinished(settled)) {
          await writeWhole(path, lineOf(settled), { flush: this.isOnlyCopy(settled) });
        } else {
          await this.logs.add(this.ownLog(account), [settled], { flush: false });
          await rm(path, { force: true });
        }
      }
    });
  }

  /** Notes more about an unfinished entry. */
  noteMore(entry: Entry, more: Pick<Entry, 'foundOldAt' | 'offeredBy'>): Promise<void> {
    const name = unfinishedName(entry.place.account, entry.id);
    return this.change(async () => {
      // Another window may have noted something, too, or may remove it right now. Then it isn't brought back.
      const [known = entry] = entriesIn((await this.logs.read(name))?.records ?? []).slice(-1);
      await this.logs.addToExisting(name, { ...known, ...more });
    });
  }

  /** Returns the unfinished entries of all accounts, newest first, with what this window is about to add. Reads no texts. */
  unfinished(): Promise<readonly Entry[]> {
    return this.queue.take('', async () => {
      const logs = await this.logs.in(await this.logs.accounts(), [unfinishedEnding]);
      return merge(logs).entries.toSorted((one, other) => other.at - one.at);
    });
  }

  /** Returns the entries of an account, or of all, oldest first. Reads no texts. */
  async entries(account?: string): Promise<readonly Entry[]> {
    const entries = allIn(await this.logs.find(account === undefined ? await this.logs.accounts() : [account]));
    const excess = new Set(excessOf(entries, this.limits, this.now()));
    return entries.filter((entry) => !excess.has(entry)).sort((one, other) => one.at - other.at);
  }

  /** Returns a text of an account, or `undefined` if it's damaged or isn't kept anymore. */
  async text(account: string, stored: KeptText): Promise<string | undefined> {
    if (stored.isInMemory === true) {
      return this.inMemory.get(stored.digest);
    }
    return this.texts(account).read(stored, () => this.tell(account + stored.digest, { kind: 'damaged' }));
  }

  failed(error: unknown): void {
    this.tell('', { kind: 'notWritten', error });
  }

  /** Removes what is beyond the limits, and what windows left that were closed in the middle of something. */
  tidy(): Promise<void> {
    return this.change(async () => {
      await this.compact(await this.logs.accounts());
      await new JsonFolder(this.folder, v.string()).removeUnfinished(Date.now() - idleAfter);
    });
  }

  forgetAccount(account: string): Promise<void> {
    return this.queue.take('', async () => {
      for (const key of [...this.inMemory.keys()].filter((one) => one.startsWith(`${account}/`))) {
        this.inMemory.delete(key);
      }
      // Another window may add something meanwhile.
      await rm(join(this.folder, account), { recursive: true, force: true, maxRetries: 3 });
    });
  }

  private ownLog(account: string): string {
    return `${account}/${this.owner.window}${logEnding}`;
  }

  private texts(account: string): Texts {
    return new Texts(join(this.folder, account, 'texts'));
  }

  private change(work: () => Promise<void>): Promise<void> {
    return this.queue.take('', async () => {
      try {
        await work();
        await this.removeExcess();
      } catch (error) {
        this.failed(error);
      }
    });
  }

  private isOnlyCopy({ cause, state }: Pick<Entry, 'cause' | 'state'>): boolean {
    return state !== 'verified' && this.limits.policies[cause].hasOnlyCopy === true;
  }

  private async write(
    noted: Omit<Entry, 'before' | 'after'>,
    both: readonly (string | null | undefined)[],
  ): Promise<void> {
    const { account } = noted.place;
    const texts = this.texts(account);
    const policy = this.limits.policies[noted.cause];
    const flush = this.isOnlyCopy(noted);
    const isSecret = policy.keepsSecretsInMemory === true && this.host.mayHoldSecrets(noted.place);
    const store = async (text: string | null | undefined) =>
      typeof text !== 'string' ? text : isSecret ? this.remember(account, text) : texts.store(text, { flush });
    const [before, after] = await Promise.all(both.map(store));
    const entry = { ...noted, before, after };
    try {
      await (isUnfinished(entry)
        ? this.writeUnfinished(entry, { flush })
        : this.logs.add(this.ownLog(account), [entry], { flush }));
    } catch (error) {
      await this.removeTexts(account, [entry]);
      throw error;
    }
    for (const one of textsOf(entry)) {
      if (one.isInMemory !== true && !(await texts.has(one))) {
        // Another window has removed it while no record had it.
        await Promise.all(both.map(store));
      }
    }
  }

  private async writeUnfinished(entry: Entry, options: { readonly flush: boolean }): Promise<void> {
    const { account } = entry.place;
    // If that fails, other windows take this one for closed and offer its texts, which is better than losing them.
    await this.host.presence.announce().catch(() => undefined);
    const name = unfinishedName(account, entry.id);
    const replaced = await this.logs.read(name);
    await writeWhole(join(this.folder, name), lineOf(entry), options);
    await this.removeTexts(account, entriesIn(replaced?.records ?? []));
  }

  private async remove(account: string, ids: readonly string[]): Promise<void> {
    const { finished, unfinished } = await this.logs.find([account]);
    const isRemoved = ({ id }: Entry) => ids.includes(id);
    await someAtOnce(ids, (id) => rm(join(this.folder, unfinishedName(account, id)), { force: true }));
    // A window that was closed while it settled an entry left it in both.
    const inLogs = finished.entries.filter(isRemoved);
    if (inLogs.length > 0) {
      const dropped = inLogs.map(({ id }) => ({ dropped: id }));
      await this.logs.add(this.ownLog(account), dropped, { flush: false });
    }
    await this.removeTexts(account, [...inLogs, ...unfinished.filter(isRemoved)]);
  }

  private remember(account: string, text: string): KeptText {
    // A digest would tell something about the text.
    const digest = `${account}/${randomUUID()}`;
    this.inMemory.set(digest, text);
    return { digest, bytes: 0, isInMemory: true };
  }

  private async removeTexts(account: string, entries: readonly Entry[]): Promise<void> {
    const digests = entries.flatMap(textsOf).map(({ digest }) => digest);
    digests.forEach((digest) => this.inMemory.delete(digest));
    if (digests.length > 0) {
      await this.texts(account).removeUnused(() => this.used(account), new Set(digests));
    }
  }

  /** @param what identifies the trouble, so that each is reported once, and again if it was over (`undefined`) in between */
  tell(what: string, trouble: JournalTrouble | undefined): void {
    if (trouble === undefined) {
      this.told.delete(what);
    } else if (!this.told.has(what)) {
      this.told.add(what);
      this.host.onTrouble(trouble);
    }
  }

  private async removeExcess(): Promise<void> {
    const accounts = await this.logs.accounts();
    const found = await this.logs.find(accounts);
    const { finished, unfinished } = found;
    if (unfinished.flatMap(textsOf).reduce((sum, { bytes }) => sum + bytes, 0) > this.limits.bytes) {
      this.tell('full', { kind: 'full', bytes: this.limits.bytes });
    }
    if (finished === this.checked) {
      return;
    }
    this.checked = finished;
    // Not for each entry, because that rewrites logs.
    if (excessOf(allIn(found), this.limits, this.now(), { slack: 1.1 }).length > 0) {
      await this.compact(accounts);
    }
  }

  /** After each step, all that is kept is in a log, or in two. */
  private async compact(accounts: readonly string[]): Promise<void> {
    const taken = new Set<string>();
    for (const { account, name, version } of await this.logs.in(accounts)) {
      if (name.endsWith(logEnding) && name !== this.ownLog(account) && Date.now() - version.mtimeMs > idleAfter) {
        // Another window may take it, too.
        const renamed = `${account}/${randomUUID()}${logEnding}`;
        await unlessMissing(rename(join(this.folder, name), join(this.folder, renamed)));
        taken.add(renamed);
      }
    }
    const logs = await this.logs.in(accounts);
    const beyond = excessOf(allIn(await this.logs.find(accounts)), this.limits, this.now());
    const excess = beyond.map(({ id }) => id);
    beyond.flatMap(textsOf).forEach(({ digest }) => this.inMemory.delete(digest));
    for (const account of accounts) {
      const all = logs.filter((log) => log.account === account);
      const own = this.ownLog(account);
      const ours = all.filter(({ name }) => name === own || taken.has(name));
      const dropped = new Set([...merge(all).dropped, ...excess]);
      const kept = merge(ours).entries.filter(({ id }) => !dropped.has(id));
      // Until their windows leave them out, too.
      const others = merge(all.filter((log) => !ours.includes(log))).entries.filter(({ id }) => dropped.has(id));
      const records = [...kept, ...others.map(({ id }) => ({ dropped: id }))].map(lineOf);
      const lines = [...records, ...ours.flatMap(({ foreign }) => foreign.map((line) => `\n${line}\n`))];
      if (lines.length > 0) {
        await writeWhole(join(this.folder, own), lines.join(''), { flush: true });
      }
      const isUnreadable = ({ records, isDamaged, name, version }: Log) =>
        isDamaged &&
        records.length === 0 &&
        name.endsWith(unfinishedEnding) &&
        Date.now() - version.mtimeMs > idleAfter;
      const merged = ours.filter((log) => log.name !== own || lines.length === 0);
      for (const { name } of [...merged, ...all.filter(isUnreadable)]) {
        await rm(join(this.folder, name), { force: true });
      }
      await this.texts(account).removeUnused(() => this.used(account));
    }
  }

  /** Tells which texts any entry has. */
  private async used(account: string): Promise<Pick<ReadonlySet<string>, 'has'>> {
    const { finished, unfinished, isForeign } = await this.logs.find([account]);
    const others = new Set(unfinished.flatMap(textsOf).map(({ digest }) => digest));
    return { has: (digest) => isForeign || others.has(digest) || finished.digests.has(digest) };
  }
}
