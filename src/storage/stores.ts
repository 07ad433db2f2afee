import { createHash, randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { KeyedQueue } from '../async/waiting';

const privateFile = 0o600;
const privateFolder = 0o700;
const ending = '.json';
/** The suffix of a file that is being written. A crash may leave one behind. */
const unfinished = '.unfinished';
const filesAtOnce = 50;

interface JsonFolderOptions {
  /** Rejects invalid files instead of skipping them. */
  readonly isStrict?: boolean;
}

const target = v.object({ nodeGroup: v.string(), nodeId: v.exactOptional(v.number()) });
/** A file's place, as part of a stored value. */
export const storedPlace = v.object({
  kind: v.literal('file'),
  account: v.string(),
  environment: v.string(),
  target,
  path: v.string(),
});

/** One file, while nothing else in this window changes it. */
export interface JsonFile<T> {
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Values on this computer, each in a file that only its owner can read, in a folder that all windows share. A key is
 * the path of a file in the folder, such as `account/name`. Changes of one key run one after another. Rejects if a file
 * can't be read: only a missing one counts as empty.
 */
export class JsonFolder<T> {
  // Changes of a folder wait for changes of its files, and the other way around.
  private readonly queue = new KeyedQueue((one, other) => one.startsWith(other) || other.startsWith(one));
  private readonly schema;

  constructor(
    readonly path: string,
    schema: v.GenericSchema<unknown, T>,
    private readonly options: JsonFolderOptions = {},
  ) {
    this.schema = v.pipe(v.string(), v.parseJson(), schema);
  }

  async read(key: string): Promise<T | undefined> {
    const text = await unlessMissing(readFile(this.fileOf(key), 'utf8'));
    if (text === undefined) {
      return undefined;
    }
    if (this.options.isStrict === true) {
      return v.parse(this.schema, text);
    }
    const parsed = v.safeParse(this.schema, text);
    return parsed.success ? parsed.output : undefined;
  }

  /** The keys below a folder, sorted. */
  async keys(under = ''): Promise<readonly string[]> {
    const files = await this.filesIn(under);
    return files.flatMap((file) => (file.endsWith(ending) ? file.slice(0, -ending.length) : [])).sort();
  }

  /** The values below a folder by key, sorted. */
  async list(under = '', isWanted: (key: string) => boolean = () => true): Promise<ReadonlyMap<string, T>> {
    const keys = (await this.keys(under)).filter(isWanted);
    const values = await someAtOnce(keys, async (key) => [key, await this.read(key)] as const);
    return new Map(values.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
  }

  /** Runs the work while nothing else in this window changes the file. */
  change<R>(key: string, work: (file: JsonFile<T>) => Promise<R>): Promise<R> {
    const file = this.fileOf(key);
    return this.queue.take(key + ending, () =>
      work({
        read: () => this.read(key),
        write: (value) => writeWhole(file, JSON.stringify(value)),
        remove: () => rm(file, { force: true }),
      }),
    );
  }

  /** Writes all of it or nothing, even if several windows write at once. */
  write(key: string, value: T): Promise<void> {
    return this.change(key, (file) => file.write(value));
  }

  remove(key: string): Promise<void> {
    return this.change(key, (file) => file.remove());
  }

  /** Removes a folder and everything in it, including unfinished files and those of other versions. */
  removeAll(under: string): Promise<void> {
    // Another window may write into the folder while it's being emptied.
    return this.queue.take(`${under}/`, () =>
      rm(join(this.path, under), { recursive: true, force: true, maxRetries: 3 }),
    );
  }

  /** Removes files that crashes left unfinished before a time, in milliseconds since the epoch. */
  async removeUnfinished(before: number): Promise<void> {
    for (const name of (await this.filesIn('')).filter((one) => one.endsWith(unfinished))) {
      const file = join(this.path, name);
      // Another window may have finished it meanwhile.
      if (((await unlessMissing(stat(file)))?.mtimeMs ?? before) < before) {
        await rm(file, { force: true });
      }
    }
  }

  /** Calls back when any window changes a file in the folder. Creates the folder. */
  watch(changed: () => void, onDidFail: (error: unknown) => void): { dispose(): void } {
    const watching = mkdir(this.path, { recursive: true, mode: privateFolder }).then(() =>
      watch(this.path, { persistent: false }, changed).on('error', onDidFail),
    );
    watching.catch(onDidFail);
    return {
      dispose: () => {
        // If watching failed, that was reported and there's nothing to close.
        void watching.then((watcher) => watcher.close()).catch(() => undefined);
      },
    };
  }

  /** Settles when all pending changes are done. */
  async settled(): Promise<void> {
    await this.queue.take('', () => Promise.resolve());
  }

  /** Returns the paths of all files below a folder, relative to this one. */
  private async filesIn(under: string): Promise<readonly string[]> {
    const entries = (await unlessMissing(readdir(join(this.path, under), { withFileTypes: true }))) ?? [];
    const found = await Promise.all(
      entries.map(async (entry) => {
        const path = under === '' ? entry.name : `${under}/${entry.name}`;
        return entry.isDirectory() && !path.endsWith(ending) ? await this.filesIn(path) : [path];
      }),
    );
    return found.flat();
  }

  private fileOf(key: string): string {
    return join(this.path, key + ending);
  }
}

/** The part of VS Code's `Memento` that is used. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * Values by name in a memory that all windows share. What another version of Gantry stored, and this one can't read, counts as
 * none.
 */
export class StoredRecord<T extends v.GenericSchema> {
  private readonly schema;

  constructor(
    private readonly memory: Memory,
    private readonly key: string,
    value: T,
  ) {
    this.schema = v.record(v.string(), value);
  }

  get(name: string): v.InferOutput<T> | undefined {
    return this.all()[name];
  }

  async set(name: string, value: v.InferOutput<T>): Promise<void> {
    await this.memory.update(this.key, { ...this.all(), [name]: value });
  }

  async remove(isRemoved: (name: string) => boolean): Promise<void> {
    const left = Object.entries(this.all()).filter(([name]) => !isRemoved(name));
    await this.memory.update(this.key, left.length === 0 ? undefined : Object.fromEntries(left));
  }

  private all(): Readonly<Record<string, v.InferOutput<T>>> {
    const parsed = v.safeParse(this.schema, this.memory.get(this.key));
    return parsed.success ? parsed.output : {};
  }
}

/** A short name for a text of any length, safe in file names. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** Writes all of it or nothing. With `flush`, it survives a loss of power. */
export async function writeWhole(file: string, text: string, { flush = false } = {}): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: privateFolder });
  const partial = `${file}.${randomUUID()}${unfinished}`;
  try {
    await writeFile(partial, text, { mode: privateFile, flush });
    await chmod(partial, privateFile);
    await rename(partial, file);
    if (flush) {
      await flushFolder(dirname(file));
    }
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Does something with files. A process can open only so many at once. */
export async function someAtOnce<I, R>(items: readonly I[], work: (item: I) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += filesAtOnce) {
    results.push(...(await Promise.all(items.slice(start, start + filesAtOnce).map(work))));
  }
  return results;
}

/** Makes sure that a new name in the folder survives a loss of power, too. Not every system can do that. */
export async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder).catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close();
}

/** Makes sure that what another write left to the system survives a loss of power. Returns whether the file is there. */
export async function flushFile(file: string): Promise<boolean> {
  const opened = await unlessMissing(open(file, 'r+'));
  try {
    await opened?.sync();
  } finally {
    await opened?.close();
  }
  return opened !== undefined;
}

export async function unlessMissing<R>(looking: Promise<R>): Promise<R | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
