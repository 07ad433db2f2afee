import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import * as v from 'valibot';
import { KeyedQueue } from '../../async/waiting';
import { JsonFolder, unlessMissing, writeWhole } from '../../storage/jsonFolder';
import { unfinishedEnding } from '../../storage/storageKeys';
import type { Presence, WindowOwner } from '../../storage/windowPresence';
import { type Entry, type JournalRecord, lineOf, parseLog, type KeptText } from './entry';
import { excessOf, isUnfinished, type JournalLimits, textsOf, usualLimits } from './policies';
import { Texts } from './texts';

const ending = '.log';
/** A log that nothing was added to for so long becomes part of the log of a window that is open. */
const idleAfter = 86_400_000;
/** So long after the last change, half a record is no longer one that is being written. */
const writtenWithin = 10_000;

export type JournalTrouble =
  | { readonly kind: 'damaged' }
  /** The texts that are never removed take all the space. */
  | { readonly kind: 'full' }
  | { readonly kind: 'notWritten'; readonly error: unknown };

type NewEntry = Omit<Entry, 'id' | 'at' | 'owner' | 'before' | 'after' | 'foundOldAt'> & {
  /** An unfinished entry replaces the one with the same ID. */
  readonly id?: string;
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
};

interface Log {
  readonly account: string;
  /** Below the journal's folder. */
  readonly name: string;
  readonly version: { readonly mtimeMs: number; readonly size: number; readonly ino: number };
  readonly records: readonly JournalRecord[];
}

/** `notWanted`: the person hasn't agreed, or has signed out. */
export type Kept = 'kept' | 'notWanted' | 'failed';

/**
 * What texts were before they changed, on this computer, for all windows. Each window adds records to its own log in the
 * folder of an account, and reads those of others. Windows don't wait for each other: what they do at once may leave
 * something twice, but removes nothing that is needed. Only the owner can read the files.
 */
export class Journal {
  private readonly queue = new KeyedQueue();
  private readonly known = new Map<string, Log>();
  private readonly told = new Set<string>();

  constructor(
    readonly folder: string,
    private readonly host: {
      readonly presence: Presence;
      /** Whether the person agreed to keep earlier versions. */
      readonly hasConsent: () => boolean;
      /** Whether the account was signed out, so that nothing of it may be kept anymore. */
      readonly isForgotten: (account: string) => Promise<boolean>;
      /** Called once for each damaged record or text, and once if the disk can't be written, until it can be again. */
      readonly onTrouble: (trouble: JournalTrouble) => void;
    },
    private readonly limits: JournalLimits = usualLimits,
    readonly now: () => number = Date.now,
  ) {}

  get owner(): WindowOwner {
    return this.host.presence.owner;
  }

  /** Notes an entry. Never rejects, because no save may depend on it. */
  async append({ before, after, id = randomUUID(), ...entry }: NewEntry): Promise<Kept> {
    const { account } = entry.place;
    const { hasConsent, isForgotten } = this.host;
    let kept: Kept = 'failed';
    await this.change(async () => {
      const noted = { ...entry, id, at: this.now(), owner: { ...this.owner } };
      const needsConsent = entry.state === 'verified' && this.limits.policies[entry.cause].needsConsent;
      if ((needsConsent && !hasConsent()) || (await isForgotten(account))) {
        kept = 'notWanted';
        return;
      }
      const texts = this.texts(account);
      // It may be the only copy of a text.
      const flush = entry.state !== 'verified';
      const store = async (text: string | null | undefined) =>
        typeof text === 'string' ? texts.store(text, { flush }) : text;
      const [storedBefore, storedAfter] = await Promise.all([before, after].map(store));
      const stored = { ...noted, before: storedBefore, after: storedAfter };
      await (isUnfinished(stored) ? this.writeUnfinished(stored) : this.add(account, stored, { flush }));
      for (const one of textsOf(stored)) {
        if (!(await texts.has(one))) {
          // Another window has removed it while no record had it.
          await Promise.all([before, after].map(store));
        }
      }
      kept = 'kept';
      if (await isForgotten(account)) {
        // Signed out meanwhile, and its folder may have been removed before this entry was in it.
        await this.remove(account, id);
        kept = 'notWanted';
      }
    });
    return kept;
  }

  /** Removes entries, with the texts that nothing else has. */
  drop(account: string, ...ids: readonly string[]): Promise<void> {
    return this.change(async () => {
      for (const id of ids) {
        await this.remove(account, id);
      }
    });
  }

  /** Notes that an unfinished entry was found to be old. */
  noteOld(entry: Entry, foundOldAt: number | undefined): Promise<void> {
    return this.change(async () => {
      const path = join(this.folder, unfinishedName(entry.place.account, entry.id));
      // Another window may have removed it meanwhile.
      if ((await unlessMissing(stat(path))) !== undefined) {
        await writeWhole(path, lineOf({ ...entry, foundOldAt }), { flush: true });
      }
    });
  }

  /** Returns the unfinished entries of all accounts, newest first, with what this window is about to add. Reads no texts. */
  unfinished(): Promise<readonly Entry[]> {
    return this.queue.take('', async () => {
      const logs = await this.logs(await this.accounts(), [unfinishedEnding]);
      return merge(logs).entries.toSorted((one, other) => other.at - one.at);
    });
  }

  /** Returns the entries of an account, oldest first. Reads no texts. */
  async entries(account: string): Promise<readonly Entry[]> {
    const { entries } = merge(await this.logs([account]));
    const excess = new Set(excessOf(entries, this.limits, this.now()));
    return entries.filter((entry) => !excess.has(entry)).sort((one, other) => one.at - other.at);
  }

  /** Returns a text of an account, or `undefined` if it's damaged or isn't kept anymore. */
  text(account: string, stored: KeptText): Promise<string | undefined> {
    return this.texts(account).read(stored, () => this.tell(account + stored.digest, { kind: 'damaged' }));
  }

  /** Tells that something couldn't be kept. */
  failed(error: unknown): void {
    this.tell('', { kind: 'notWritten', error });
  }

  /** Removes what is beyond the limits, and what windows left that were closed in the middle of something. */
  tidy(): Promise<void> {
    return this.change(async () => {
      await this.compact(await this.accounts());
      await new JsonFolder(this.folder, v.string()).removeUnfinished(Date.now() - idleAfter);
    });
  }

  /** Removes everything of an account. */
  forgetAccount(account: string): Promise<void> {
    // Another window may add something meanwhile.
    const remove = () => rm(join(this.folder, account), { recursive: true, force: true, maxRetries: 3 });
    return this.queue.take('', remove);
  }

  private texts(account: string): Texts {
    return new Texts(join(this.folder, account, 'texts'));
  }

  private ownLog(account: string): string {
    return `${account}/${this.owner.window}${ending}`;
  }

  private change(work: () => Promise<void>): Promise<void> {
    return this.queue.take('', async () => {
      try {
        await work();
        await this.removeExcess();
        this.told.delete('');
      } catch (error) {
        this.failed(error);
      }
    });
  }

  private async writeUnfinished(entry: Entry): Promise<void> {
    const { account } = entry.place;
    // If that fails, other windows take this one for closed and offer its texts, which is better than losing them.
    await this.host.presence.announce().catch(() => undefined);
    const name = unfinishedName(account, entry.id);
    const replaced = await this.read(name);
    await writeWhole(join(this.folder, name), lineOf(entry), { flush: true });
    await this.removeTexts(account, entriesIn(replaced?.records ?? []));
  }

  private async remove(account: string, id: string): Promise<void> {
    const name = unfinishedName(account, id);
    const unfinished = await this.read(name);
    const entries =
      unfinished === undefined ? merge(await this.logs([account])).entries : entriesIn(unfinished.records);
    const removed = entries.filter((entry) => entry.id === id);
    if (unfinished !== undefined) {
      await rm(join(this.folder, name), { force: true });
    } else if (removed.length > 0) {
      await this.add(account, { dropped: id }, { flush: false });
    }
    await this.removeTexts(account, removed);
  }

  private async removeTexts(account: string, entries: readonly Entry[]): Promise<void> {
    const digests = entries.flatMap(textsOf).map(({ digest }) => digest);
    if (digests.length > 0) {
      await this.texts(account).removeUnused(() => this.digests(account), new Set(digests));
    }
  }

  /** @param what tells one trouble from another */
  private tell(what: string, trouble: JournalTrouble): void {
    if (!this.told.has(what)) {
      this.told.add(what);
      this.host.onTrouble(trouble);
    }
  }

  private async add(account: string, record: JournalRecord, { flush }: { readonly flush: boolean }): Promise<void> {
    const name = this.ownLog(account);
    const path = join(this.folder, name);
    for (let isInPlace = false; !isInPlace;) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, 'a', 0o600);
      try {
        const { size } = await file.stat();
        const added = file.appendFile(lineOf(record)).then(() => (flush ? file.sync() : undefined));
        await added.catch(async (error: unknown) => {
          // Half a record would look damaged.
          await file.truncate(size);
          throw error;
        });
        const version = await file.stat();
        const known = this.known.get(name);
        if (known?.version.size === size) {
          this.known.set(name, { ...known, version, records: [...known.records, record] });
        }
        // Otherwise, another window has moved the records meanwhile, and may have missed this one.
        isInPlace = (await unlessMissing(stat(path)))?.ino === version.ino;
      } finally {
        await file.close();
      }
    }
  }

  private async accounts(): Promise<readonly string[]> {
    const found = (await unlessMissing(readdir(this.folder, { withFileTypes: true }))) ?? [];
    return found.filter((one) => one.isDirectory()).map(({ name }) => name);
  }

  /** Returns the logs of all windows, and the unfinished entries, or only these. */
  private async logs(
    accounts: readonly string[],
    endings: readonly string[] = [ending, unfinishedEnding],
  ): Promise<readonly Log[]> {
    const found = accounts.map(async (account) => {
      const names = (await unlessMissing(readdir(join(this.folder, account)))) ?? [];
      return names.filter((name) => endings.includes(extname(name))).map((name) => `${account}/${name}`);
    });
    const names = (await Promise.all(found)).flat();
    const all = await Promise.all(names.map((name) => this.read(name)));
    // If a log is missing, another window is moving its records, maybe to a log that was read before.
    const isMoving = names.some((name, index) => name.endsWith(ending) && all[index] === undefined);
    return isMoving ? this.logs(accounts, endings) : all.filter((log) => log !== undefined);
  }

  private async read(name: string): Promise<Log | undefined> {
    const path = join(this.folder, name);
    const version = await unlessMissing(stat(path));
    const known = this.known.get(name);
    if (version === undefined) {
      this.known.delete(name);
      return undefined;
    }
    if (known !== undefined && isSame(known.version, version)) {
      return known;
    }
    const text = await unlessMissing(readFile(path, 'utf8'));
    if (text === undefined) {
      return undefined;
    }
    const { records, damaged } = parseLog(text);
    const log = { account: dirname(name), name, version, records };
    if (text.endsWith('\n') || Date.now() - version.mtimeMs > writtenWithin) {
      damaged.forEach((line) => this.tell(name + line, { kind: 'damaged' }));
      this.known.set(name, log);
    }
    return log;
  }

  private async removeExcess(): Promise<void> {
    const accounts = await this.accounts();
    const { entries } = merge(await this.logs(accounts));
    const unfinished = entries.filter(isUnfinished).flatMap(textsOf);
    if (unfinished.reduce((sum, { bytes }) => sum + bytes, 0) > this.limits.bytes) {
      this.tell('full', { kind: 'full' });
    }
    // Not for each entry, because that rewrites logs.
    if (excessOf(entries, this.limits, this.now(), { slack: 1.1 }).length > 0) {
      await this.compact(accounts);
    }
  }

  /** After each step, all that is kept is in a log, or in two. */
  private async compact(accounts: readonly string[]): Promise<void> {
    const taken = new Set<string>();
    for (const { account, name, version } of await this.logs(accounts)) {
      if (name.endsWith(ending) && name !== this.ownLog(account) && Date.now() - version.mtimeMs > idleAfter) {
        // Another window may take it, too.
        const renamed = `${account}/${randomUUID()}${ending}`;
        await unlessMissing(rename(join(this.folder, name), join(this.folder, renamed)));
        taken.add(renamed);
      }
    }
    const logs = await this.logs(accounts);
    const excess = excessOf(merge(logs).entries, this.limits, this.now()).map(({ id }) => id);
    for (const account of accounts) {
      const all = logs.filter((log) => log.account === account);
      const own = this.ownLog(account);
      const ours = all.filter(({ name }) => name === own || taken.has(name));
      const dropped = new Set([...merge(all).dropped, ...excess]);
      const kept = merge(ours).entries.filter(({ id }) => !dropped.has(id));
      // Until their windows leave them out, too.
      const others = merge(all.filter((log) => !ours.includes(log))).entries.filter(({ id }) => dropped.has(id));
      const lines = [...kept, ...others.map(({ id }) => ({ dropped: id }))].map(lineOf);
      if (lines.length > 0) {
        await writeWhole(join(this.folder, own), lines.join(''), { flush: kept.some(isUnfinished) });
      }
      for (const { name } of ours.filter((log) => log.name !== own || lines.length === 0)) {
        await rm(join(this.folder, name), { force: true });
      }
      await this.texts(account).removeUnused(() => this.digests(account));
    }
  }

  private async digests(account: string): Promise<ReadonlySet<string>> {
    const { entries } = merge(await this.logs([account]));
    return new Set(entries.flatMap(textsOf).map(({ digest }) => digest));
  }
}

/** Returns the entries in the logs. Those that windows have moved may be in two. */
function merge(logs: readonly Log[]): { readonly entries: readonly Entry[]; readonly dropped: ReadonlySet<string> } {
  const records = logs.flatMap((log) => log.records);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? record.dropped : [])));
  const entries = new Map(entriesIn(records).map((entry) => [entry.id, entry]));
  return { entries: [...entries.values()].filter(({ id }) => !dropped.has(id)), dropped };
}

function entriesIn(records: readonly JournalRecord[]): readonly Entry[] {
  return records.flatMap((record) => ('dropped' in record ? [] : record));
}

function unfinishedName(account: string, id: string): string {
  return `${account}/${id}${unfinishedEnding}`;
}

function isSame(one: Log['version'], other: Log['version']): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino;
}
