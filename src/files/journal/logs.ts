import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { flushFolder, someAtOnce, unlessMissing } from '../../storage/jsonFolder';
import { unfinishedEnding } from '../../storage/storageKeys';
import { type Entry, type JournalRecord, lineOf, parseLog, textsOf } from './entry';

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
        const added = file.appendFile(records.map(lineOf).join('')).then(() => (flush ? file.sync() : undefined));
        await added.catch(async (error: unknown) => {
          // Half a record would look damaged.
          await file.truncate(size);
          throw error;
        });
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
    const file = await unlessMissing(open(join(this.folder, name), 'r+'));
    try {
      // If it's removed or replaced from here on, this changes a file that has no name anymore.
      await file?.write(lineOf(record), (await file.stat()).size);
      await file?.sync();
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

/** Returns the entries in the logs. Those that windows have moved may be in two. */
export function merge(logs: readonly Log[]): Merged {
  const records = logs.flatMap((log) => log.records);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? record.dropped : [])));
  const entries = new Map(entriesIn(records).map((entry) => [entry.id, entry]));
  const left = [...entries.values()].filter(({ id }) => !dropped.has(id));
  return { entries: left, dropped, digests: new Set(left.flatMap(textsOf).map(({ digest }) => digest)) };
}

export function entriesIn(records: readonly JournalRecord[]): readonly Entry[] {
  return records.flatMap((record) => ('dropped' in record ? [] : record));
}

function isSame(one: Log['version'], other: Log['version']): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino;
}
