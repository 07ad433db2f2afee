import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { KeyedQueue } from '../../async/waiting';
import { JsonFolder, unlessMissing, writeWhole } from '../../storage/jsonFolder';
import { type Entry, type JournalRecord, lineOf, parseLog, type KeptText } from './entry';
import { excessOf, isUnfinished, type JournalLimits, textsOf, usualLimits } from './policies';
import { Texts } from './texts';

const ending = '.log';
/** A log that nothing was added to for so long becomes part of the log of a window that is open. */
const idleAfter = 86_400_000;
/** So long after the last change, half a record is no longer one that is being written. */
const writtenWithin = 10_000;

type JournalTrouble =
  /** `full`: the texts that are never removed take all the space. */
  { readonly kind: 'damaged' | 'full' } | { readonly kind: 'notWritten'; readonly error: unknown };

type NewEntry = Omit<Entry, 'id' | 'at' | 'window' | 'before' | 'after'> & {
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

/**
 * What texts were before they changed, on this computer, for all windows. Each window adds records to its own log in the
 * folder of an account, and reads those of others. Windows don't wait for each other: what they do at once may leave
 * something twice, but removes nothing that is needed. Only the owner can read the files.
 */
export class Journal {
  private readonly window = randomUUID();
  private readonly queue = new KeyedQueue();
  private readonly known = new Map<string, Log>();
  private readonly told = new Set<string>();

  constructor(
    readonly folder: string,
    private readonly host: {
      /** Whether the person agreed to keep earlier versions. */
      readonly hasConsent: () => boolean;
      /** Called once for each damaged record or text, and once if the disk can't be written, until it can be again. */
      readonly onTrouble: (trouble: JournalTrouble) => void;
    },
    private readonly limits: JournalLimits = usualLimits,
    private readonly now: () => number = Date.now,
  ) {}

  /** Notes an entry, and returns whether it's kept. Never rejects, because no save may depend on it. */
  append({ before, after, ...entry }: NewEntry): Promise<boolean> {
    return this.change(async () => {
      if (this.limits.policies[entry.cause].needsConsent && !this.host.hasConsent()) {
        return false;
      }
      const texts = this.texts(entry.place.account);
      // It may be the only copy of a text.
      const flush = entry.state !== 'verified';
      const store = async (text: string | null | undefined) =>
        typeof text === 'string' ? texts.store(text, { flush }) : text;
      const stored = { before: await store(before), after: await store(after) };
      const noted = { ...entry, id: randomUUID(), at: this.now(), window: this.window, ...stored };
      await this.add(noted, { flush });
      for (const one of textsOf(noted)) {
        if (!(await texts.has(one))) {
          // Another window has removed it while no record had it.
          await Promise.all([before, after].map(store));
        }
      }
      return true;
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

  /** Removes what is beyond the limits, and what windows left that were closed in the middle of something. */
  tidy(): Promise<boolean> {
    return this.change(async () => {
      await this.compact(await this.accounts());
      await new JsonFolder(this.folder, v.string()).removeUnfinished(Date.now() - idleAfter);
      return true;
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
    return `${account}/${this.window}${ending}`;
  }

  private change(work: () => Promise<boolean>): Promise<boolean> {
    return this.queue.take('', async () => {
      try {
        const isDone = await work();
        await this.removeExcess();
        this.told.delete('');
        return isDone;
      } catch (error) {
        this.tell('', { kind: 'notWritten', error });
        return false;
      }
    });
  }

  /** @param what tells one trouble from another */
  private tell(what: string, trouble: JournalTrouble): void {
    if (!this.told.has(what)) {
      this.told.add(what);
      this.host.onTrouble(trouble);
    }
  }

  private async add(entry: Entry, { flush }: { readonly flush: boolean }): Promise<void> {
    const name = this.ownLog(entry.place.account);
    const path = join(this.folder, name);
    for (let isInPlace = false; !isInPlace;) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, 'a', 0o600);
      try {
        const { size } = await file.stat();
        const added = file.appendFile(lineOf(entry)).then(() => (flush ? file.sync() : undefined));
        await added.catch(async (error: unknown) => {
          // Half a record would look damaged.
          await file.truncate(size);
          throw error;
        });
        const version = await file.stat();
        const known = this.known.get(name);
        if (known?.version.size === size) {
          this.known.set(name, { ...known, version, records: [...known.records, entry] });
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

  /** Returns the logs of all windows. */
  private async logs(accounts: readonly string[]): Promise<readonly Log[]> {
    const names = accounts.map(async (account) => {
      const found = (await unlessMissing(readdir(join(this.folder, account)))) ?? [];
      return found.filter((name) => name.endsWith(ending)).map((name) => `${account}/${name}`);
    });
    const all = await Promise.all((await Promise.all(names)).flat().map((name) => this.read(name)));
    const existing = all.filter((log) => log !== undefined);
    // If one is missing, another window is moving its records, maybe to a log that was read before.
    return existing.length < all.length ? this.logs(accounts) : existing;
  }

  private async read(name: string): Promise<Log | undefined> {
    const path = join(this.folder, name);
    const version = await unlessMissing(stat(path));
    const known = this.known.get(name);
    if (version === undefined || (known !== undefined && isSame(known.version, version))) {
      return version && known;
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
      if (name !== this.ownLog(account) && Date.now() - version.mtimeMs > idleAfter) {
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
  const entries = new Map(records.flatMap((record) => ('dropped' in record ? [] : [[record.id, record] as const])));
  return { entries: [...entries.values()].filter(({ id }) => !dropped.has(id)), dropped };
}

function isSame(one: Log['version'], other: Log['version']): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino;
}
