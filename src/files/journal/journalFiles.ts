import { constants, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { digestOf, flushFile, flushFolder, someAtOnce, unlessMissing, writeWhole } from '../../storage/stores';
import { unfinishedEnding } from '../../storage/storageKeys';
import { type Entry, type JournalRecord, type KeptText, lineOf, parseLog, textsOf } from './entry';
import { randomUUID } from 'node:crypto';

export const logEnding = '.log';
/** So long after the last change, half a record is no longer one that is being written. */
const writtenWithin = 10_000;

/** The records of a window, or an unfinished entry. */
export interface Log {
  readonly account: string;
  /** Below the journal's folder. */
  readonly name: string;
  readonly version: { readonly mtimeMs: number; readonly size: number; readonly ino: number };
  readonly records: readonly JournalRecord[];
  /** Lines that another version of Gantry wrote. */
  readonly foreign: readonly string[];
  readonly isDamaged: boolean;
}

/** What the logs of some accounts have. */
interface Merged {
  readonly entries: readonly Entry[];
  readonly dropped: ReadonlySet<string>;
  /** Of all texts. */
  readonly digests: ReadonlySet<string>;
}

interface Found {
  readonly finished: Merged;
  readonly unfinished: readonly Entry[];
  /** Whether it isn't known which texts some records have, because another version of Gantry wrote them, or one is damaged. */
  readonly isForeign: boolean;
}

/** The files with records below a folder, which other windows change, too. Each account has a folder in it. */
export class Logs {
  private readonly known = new Map<string, Log>();
  /** Thousands of records needn't be merged again for each change that isn't to a log. */
  private readonly merged = new Map<string, { readonly logs: readonly Log[]; readonly result: Merged }>();

  /** @param onDamage called for each damaged record, with what tells it from others */
  constructor(
    private readonly folder: string,
    private readonly onDamage: (what: string) => void,
  ) {}

  /** Adds records to a log. With `flush`, they survive a loss of power. */
  async add(name: string, records: readonly JournalRecord[], { flush }: { readonly flush: boolean }): Promise<void> {
    const path = join(this.folder, name);
    for (let isInPlace = false; !isInPlace;) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, 'a', 0o600);
      try {
        const { size } = await file.stat();
        await appendTo(file, size, records, { flush });
        const version = await file.stat();
        const known = this.known.get(name);
        if (known?.version.size === size) {
          this.known.set(name, { ...known, version, records: [...known.records, ...records] });
        }
        // Otherwise, another window has moved the records meanwhile, and may have missed this one.
        isInPlace = (await unlessMissing(stat(path)))?.ino === version.ino;
        if (flush && size === 0) {
          await flushFolder(dirname(path));
        }
      } finally {
        await file.close();
      }
    }
  }

  /** Adds a record to a log or an unfinished entry, unless it's gone. */
  async addToExisting(name: string, record: JournalRecord): Promise<void> {
    // Never creates it. Another window may add something at the same time.
    const file = await unlessMissing(open(join(this.folder, name), constants.O_RDWR | constants.O_APPEND));
    try {
      // If it's removed or replaced from here on, this changes a file that has no name anymore.
      await (file && appendTo(file, (await file.stat()).size, [record], { flush: true }));
    } finally {
      await file?.close();
    }
  }

  async accounts(): Promise<readonly string[]> {
    const found = (await unlessMissing(readdir(this.folder, { withFileTypes: true }))) ?? [];
    return found.filter((one) => one.isDirectory()).map(({ name }) => name);
  }

  /** Returns the logs of all windows, and the unfinished entries, or only these. */
  async in(
    accounts: readonly string[],
    endings: readonly string[] = [logEnding, unfinishedEnding],
  ): Promise<readonly Log[]> {
    const found = accounts.map(async (account) => {
      const names = (await unlessMissing(readdir(join(this.folder, account)))) ?? [];
      return names.filter((name) => endings.includes(extname(name))).map((name) => `${account}/${name}`);
    });
    const names = (await Promise.all(found)).flat();
    const all = await someAtOnce(names, (name) => this.read(name));
    // If a log is missing, another window is moving its records, maybe to a log that was read before.
    const isMoving = names.some((name, index) => name.endsWith(logEnding) && all[index] === undefined);
    return isMoving ? this.in(accounts, endings) : all.filter((log) => log !== undefined);
  }

  /** Returns what accounts have. If no log has changed, `finished` is the same object. */
  async find(accounts: readonly string[]): Promise<Found> {
    const all = await this.in(accounts);
    const logs = all.filter(({ name }) => name.endsWith(logEnding));
    const key = accounts.join('/');
    const known = this.merged.get(key);
    const isKnown = known?.logs.length === logs.length && logs.every((log, index) => log === known.logs[index]);
    const finished = isKnown ? known.result : merge(logs);
    this.merged.set(key, { logs, result: finished });
    const entries = all.filter(({ name }) => name.endsWith(unfinishedEnding));
    return {
      finished,
      unfinished: entries.flatMap(({ records }) => entriesIn(records).slice(-1)),
      isForeign: all.some(
        ({ foreign, name, isDamaged }) => foreign.length > 0 || (isDamaged && name.endsWith(unfinishedEnding)),
      ),
    };
  }

  /** Returns a log, or `undefined` if it isn't there. */
  async read(name: string): Promise<Log | undefined> {
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
    const { records, foreign, damaged } = parseLog(text);
    const log = { account: dirname(name), name, version, records, foreign, isDamaged: damaged.length > 0 };
    if (text.endsWith('\n') || Date.now() - version.mtimeMs > writtenWithin) {
      damaged.forEach((line) => this.onDamage(name + line));
      this.known.set(name, log);
    }
    return log;
  }
}

/** Adds records to a file of this size, all or none. */
async function appendTo(
  file: FileHandle,
  size: number,
  records: readonly JournalRecord[],
  { flush }: { readonly flush: boolean },
): Promise<void> {
  try {
    await file.appendFile(records.map(lineOf).join(''));
    await (flush ? file.sync() : undefined);
  } catch (error) {
    // Half a record would look damaged.
    await file.truncate(size);
    throw error;
  }
}

/** Returns the entries in the logs. Those that windows have moved may be in two. */
export function merge(logs: readonly Log[]): Merged {
  const records = logs.flatMap((log) => log.records);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? record.dropped : [])));
  const entries = new Map(entriesIn(records).map((entry) => [entry.id, entry]));
  const left = [...entries.values()].filter(({ id }) => !dropped.has(id));
  return { entries: left, dropped, digests: new Set(left.flatMap(textsOf).map(({ digest }) => digest)) };
}

/** Returns all entries once. A finished one is in both if its window was closed while it settled it. */
export function allIn({ finished, unfinished }: Found): readonly Entry[] {
  return [...new Map([...unfinished, ...finished.entries].map((entry) => [entry.id, entry])).values()];
}

export function entriesIn(records: readonly JournalRecord[]): readonly Entry[] {
  return records.flatMap((record) => ('dropped' in record ? [] : record));
}

function isSame(one: Log['version'], other: Log['version']): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino;
}

/** Follows the digest in the name of a text that no record seems to have. */
const aside = '-';

export function digestOfText(text: string): string {
  return digestOf(JSON.stringify(text));
}

/** The texts of an account, each in a file that is named for its digest. Windows share them without waiting for each other. */
export class Texts {
  constructor(private readonly folder: string) {}

  /** Writes the text unless its file has it: the file may be damaged. With `flush`, the text survives a loss of power. */
  async store(text: string, options: { readonly flush: boolean }): Promise<KeptText> {
    const json = JSON.stringify(text);
    const digest = digestOf(json);
    const isThere = (await this.readFile(digest)) === json;
    // Another window may put it aside before it's flushed.
    if (!isThere || (options.flush && !(await flushFile(this.fileOf(digest))))) {
      await writeWhole(this.fileOf(digest), json, options);
    }
    return { digest, bytes: Buffer.byteLength(json) };
  }

  async has({ digest }: KeptText): Promise<boolean> {
    return (await unlessMissing(stat(this.fileOf(digest)))) !== undefined;
  }

  /** Returns a text, or `undefined` if it isn't kept anymore. Calls back if it's damaged. */
  async read({ digest }: KeptText, onDamage: () => void): Promise<string | undefined> {
    const json = (await this.readFile(digest)) ?? (await this.readAside(digest)) ?? (await this.readFile(digest));
    const text: unknown = json !== undefined && digestOf(json) === digest ? JSON.parse(json) : undefined;
    if (typeof text === 'string') {
      return text;
    }
    if (json !== undefined) {
      onDamage();
    }
    return undefined;
  }

  /**
   * Removes what no record has. Each is renamed first. A record that another window adds until then is found when the logs
   * are read again. After adding one later, that window misses the text, and stores it again.
   *
   * @param used reads all logs
   * @param among only these
   */
  async removeUnused(
    used: () => Promise<Pick<ReadonlySet<string>, 'has'>>,
    among?: ReadonlySet<string>,
  ): Promise<void> {
    const seemUsed = await used();
    for (const name of among ?? (await this.names())) {
      if (!/\W/.test(name) && !seemUsed.has(name)) {
        await this.move(name, `${name}${aside}${randomUUID()}`);
      }
    }
    // Also those of a window that was closed at this point.
    const renamed = (await this.names()).filter((name) => name.includes(aside) && !name.includes('.'));
    const isUsed = await used();
    for (const name of renamed) {
      const [digest = ''] = name.split(aside);
      await (isUsed.has(digest) ? this.move(name, digest) : rm(this.fileOf(name), { force: true }));
    }
  }

  private async readAside(digest: string): Promise<string | undefined> {
    const name = (await this.names()).find((one) => one.startsWith(digest + aside));
    return name === undefined ? undefined : this.readFile(name);
  }

  private readFile(name: string): Promise<string | undefined> {
    return unlessMissing(readFile(this.fileOf(name), 'utf8'));
  }

  private async names(): Promise<readonly string[]> {
    return (await unlessMissing(readdir(this.folder))) ?? [];
  }

  private async move(from: string, to: string): Promise<void> {
    await unlessMissing(rename(this.fileOf(from), this.fileOf(to)));
  }

  private fileOf(name: string): string {
    return join(this.folder, name);
  }
}

export function unfinishedName(account: string, id: string): string {
  return `${account}/${id}${unfinishedEnding}`;
}
