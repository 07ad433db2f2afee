import type { FileEntry } from '../platform/wire/fileEntry';
import { setTimeout as pause } from 'node:timers/promises';
import { PendingWork, SharedCalls } from '../async/sharedCalls';
import { raceAbort } from '../async/waiting';
import { Canceled } from '../platform/errors';
import { type FilePlace, keyOf, wholeLayer } from './place';

/** A folder's entries by name, as last listed. */
export type Listing = ReadonlyMap<string, FileEntry>;

export interface ListingLimits {
  /** How long a listing may be used, in milliseconds. */
  readonly lifetime: number;
  /** A listing older than this, in milliseconds, doesn't prove that a name is missing, because it may be new. */
  readonly absence: number;
  /** The maximum number of entries in all folders. The least recently used folders are dropped first. */
  readonly entries: number;
}

/** Limits the number of cached folders, because empty ones don't count towards the entry limit. */
const maxFolders = 20_000;

interface CachedListing {
  readonly listing: Listing;
  readonly at: number;
  /** Whether anyone but a search has used it. */
  readonly isShown: boolean;
}

/** Caches listings by folder key, with a lifetime and a size limit. */
export class ListingCache {
  // A Map keeps its insertion order, so the first key is the least recently used folder.
  private readonly known = new Map<string, CachedListing>();
  private entryCount = 0;

  constructor(
    readonly limits: ListingLimits,
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.entryCount;
  }

  get keys(): readonly string[] {
    return [...this.known.keys()];
  }

  /** Returns the listing regardless of its age. */
  last(key: string): Listing | undefined {
    return this.known.get(key)?.listing;
  }

  /** Returns the listing's age in milliseconds. If it isn't cached, it was requested just now. */
  age(key: string): number {
    return this.now() - (this.known.get(key)?.at ?? this.now());
  }

  /** Returns the listing if it's recent enough, and marks it as used. */
  fresh(key: string): Listing | undefined {
    const known = this.known.get(key);
    if (known === undefined || this.now() - known.at >= this.limits.lifetime) {
      return undefined;
    }
    this.known.delete(key);
    this.known.set(key, known);
    return known.listing;
  }

  keep(key: string, listing: Listing, { isShown = true } = {}): void {
    this.drop(key);
    this.known.set(key, { listing, at: this.now(), isShown });
    this.entryCount += listing.size;
    for (const oldest of this.known.keys()) {
      const isBound = this.entryCount <= this.limits.entries && this.known.size <= maxFolders;
      if (isBound || oldest === key) {
        break;
      }
      this.drop(oldest);
    }
  }

  /** Marks a listing as shown, and returns whether it wasn't before. */
  show(key: string): boolean {
    const known = this.known.get(key);
    if (known === undefined || known.isShown) {
      return false;
    }
    this.known.set(key, { ...known, isShown: true });
    return true;
  }

  /** Adds new entries to the cached listing without changing its age. */
  note(key: string, within: Listing, entries: Listing): void {
    const known = this.known.get(key);
    if (known?.listing === within) {
      const listing = new Map([...within, ...entries]);
      this.entryCount += listing.size - within.size;
      this.known.set(key, { ...known, listing });
    }
  }

  drop(key: string): void {
    this.entryCount -= this.known.get(key)?.listing.size ?? 0;
    this.known.delete(key);
  }

  clear(): void {
    this.known.clear();
    this.entryCount = 0;
  }
}

export interface ListingRequest {
  /** A regular expression for the names. */
  readonly filter?: string | undefined;
  /** Ends the request. Only searches have one: they list many folders that no one looks at. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects if the platform doesn't prove that the folder is empty. */
  readonly isProof?: boolean;
}

export type FetchListing = (folder: FilePlace, request: ListingRequest) => Promise<readonly FileEntry[]>;

/** Who has used a listing: only searches, a search first and then someone who shows it, or only the latter. */
type ListingUse = 'searched' | 'searchedAndShown' | 'shown';

/** The listing requests in progress. Callers that want the same listing share a request. */
export class ListingRequests {
  private readonly calls = new SharedCalls<Listing>();
  private readonly waiting = new WeakMap<Promise<Listing>, Waiting>();

  /** @param keep gets each listing that still counts when it arrives */
  constructor(
    private readonly fetch: FetchListing,
    private readonly keep: (folder: FilePlace, listing: Listing, use: ListingUse) => void,
  ) {}

  get keys(): readonly string[] {
    return this.calls.keys;
  }

  has(key: string): boolean {
    return this.calls.get(key) !== undefined;
  }

  forget(key: string): void {
    this.calls.forget(key);
  }

  forgetAll(): void {
    this.calls.forgetAll();
  }

  /** Joins the request under way, or sends one. All callers without a signal continue in the order in which they asked. */
  share(folder: FilePlace, signal?: AbortSignal): Promise<Listing> {
    const call = this.calls.get(keyOf(folder));
    if (signal === undefined) {
      return call === undefined ? this.start(folder) : this.show(call);
    }
    return signal.aborted
      ? Promise.reject(canceled())
      : this.shareUntil(signal, folder, call ?? this.start(folder, 'search'));
  }

  /** Sends a request, which later callers share. */
  start(folder: FilePlace, by?: 'search'): Promise<Listing> {
    const waiting = new Waiting();
    waiting.isShown = by === undefined;
    const call = this.calls.start(keyOf(folder), async (isCurrent) => {
      const listing = byName(await this.fetch(folder, by === 'search' ? { signal: waiting.signal } : {}));
      if (isCurrent()) {
        this.keep(folder, listing, by === undefined ? 'shown' : waiting.isShown ? 'searchedAndShown' : 'searched');
      }
      return listing;
    });
    this.waiting.set(call, waiting);
    return call;
  }

  private show(call: Promise<Listing>): Promise<Listing> {
    const waiting = this.waiting.get(call);
    if (waiting !== undefined) {
      waiting.isShown = true;
    }
    return call;
  }

  private async shareUntil(signal: AbortSignal, folder: FilePlace, call: Promise<Listing>): Promise<Listing> {
    const waiting = this.waiting.get(call);
    waiting?.join();
    try {
      return await raceAbort(call, signal, canceled());
    } finally {
      if (waiting?.leave() === 'ended') {
        this.abandon(keyOf(folder), call);
      }
    }
  }

  /** Later callers need another request. */
  private abandon(key: string, call: Promise<Listing>): void {
    if (this.calls.get(key) === call) {
      this.calls.forget(key);
    }
  }
}

/** The callers that wait for a request. It's aborted when all of them are searches that were canceled. */
class Waiting {
  isShown = false;
  private searches = 0;
  private readonly ending = new AbortController();

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  join(): void {
    this.searches += 1;
  }

  leave(): 'ended' | 'pending' {
    this.searches -= 1;
    if (this.searches > 0 || this.isShown) {
      return 'pending';
    }
    this.ending.abort();
    return 'ended';
  }
}

function canceled(): Canceled {
  return new Canceled('GetList', { isOutcomeUnknown: false });
}

export function byName(entries: readonly FileEntry[]): Listing {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** How many listings of a folder can run at once before callers share the next one. */
const atOnce = 4;
/** How long a listing waits for the next of the pending changes to end, in milliseconds. */
const usualPatience = 1_000;
/** How many times as long it waits for all of them, because a slow computer or server may still be working on them. */
const longestWait = 3;

interface Batch {
  readonly names: Set<string>;
  readonly found: Promise<Listing>;
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
    private readonly look: (folder: FilePlace, names: ReadonlySet<string>) => Promise<Listing>,
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

  private send(folder: FilePlace, names: ReadonlySet<string>): Promise<Listing> {
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
