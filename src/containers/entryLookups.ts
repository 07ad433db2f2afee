import { setTimeout as pause } from 'node:timers/promises';
import { PendingWork } from '../async/pendingWork';
import type { FileEntry } from '../platform/wire/fileEntry';
import { type FilePlace, keyOf, wholeLayer } from './place';

type Entries = ReadonlyMap<string, FileEntry>;

/** How many listings of a folder can run at once before callers share the next one. */
const atOnce = 4;
/** How long a listing waits for the next of the pending changes to end, in milliseconds. */
const usualPatience = 1_000;
/** How many times as long it waits for all of them, because a slow computer or server may still be working on them. */
const longestWait = 3;

interface Batch {
  readonly names: Set<string>;
  readonly found: Promise<Entries>;
}

/**
 * Looks up entries on the platform, with one listing for several entries of a folder. A caller joins a listing only
 * before it's sent, so the listing shows everything that the caller did before.
 */
export class EntryLookups {
  private readonly waiting = new Map<string, Batch>();
  private readonly running = new PendingWork();
  private readonly changes = new PendingWork();

  constructor(
    private readonly look: (folder: FilePlace, names: ReadonlySet<string>) => Promise<Entries>,
    /** Mutable, so that tests that count requests don't depend on the computer's speed. */
    public patience = usualPatience,
  ) {}

  async find(folder: FilePlace, name: string): Promise<FileEntry | undefined> {
    const key = keyOf(folder);
    const waiting = this.waiting.get(key);
    if (waiting !== undefined) {
      waiting.names.add(name);
      return (await waiting.found).get(name);
    }
    if (this.changesIn(folder).length === 0 && this.running.in(key).length < atOnce) {
      return (await this.send(folder, new Set([name]))).get(name);
    }
    const names = new Set([name]);
    const found = this.turn(folder).then(() => {
      this.waiting.delete(key);
      return this.send(folder, names);
    });
    this.waiting.set(key, { names, found });
    return (await found).get(name);
  }

  /** A listing requested during the change waits a moment, so that it includes the change. */
  during<T>(folder: FilePlace, change: () => Promise<T>): Promise<T> {
    return this.changes.add(layerKey(folder), change());
  }

  private send(folder: FilePlace, names: ReadonlySet<string>): Promise<Entries> {
    return this.running.add(keyOf(folder), this.look(folder, names));
  }

  /** Also waits for changes that start in the meantime, so that a hundred writes need only one listing. */
  private async turn(folder: FilePlace): Promise<void> {
    const latest = performance.now() + longestWait * this.patience;
    for (let changes = this.changesIn(folder); changes.length > 0; changes = this.changesIn(folder)) {
      const wait = Math.min(this.patience, latest - performance.now());
      if (wait <= 0 || !(await isOverWithin(wait, Promise.race(changes)))) {
        break;
      }
    }
    while (this.running.in(keyOf(folder)).length >= atOnce) {
      await Promise.race(this.running.in(keyOf(folder)));
    }
  }

  private changesIn(folder: FilePlace): readonly Promise<void>[] {
    return this.changes.in(layerKey(folder));
  }
}

async function isOverWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  const late = pause(milliseconds, false, { signal: waiting.signal }).catch(() => false);
  const isOver = await Promise.race([work.then(() => true), late]);
  waiting.abort();
  return isOver;
}

/** A change to a layer affects all its nodes, so they share a key. */
function layerKey(folder: FilePlace): string {
  return keyOf(wholeLayer(folder));
}
