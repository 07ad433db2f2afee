import type { FileEntry } from '../platform/wire/fileEntry';

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
