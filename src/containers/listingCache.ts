import type { FileEntry } from '../platform/wire/fileEntry';

/** What a folder held when it was last listed, by name. */
export type Listing = ReadonlyMap<string, FileEntry>;

export interface ListingLimits {
  /** How long a listing answers questions, in milliseconds. */
  readonly lifetime: number;
  /** A listing older than this, in milliseconds, doesn't prove that a name is missing: the file may have been created since. */
  readonly absence: number;
  /** How many entries are kept over all folders; the folders not looked at for longest go first. */
  readonly entries: number;
}

/** Empty folders hold no entries, and are kept too. */
const mostFolders = 20_000;

interface Known {
  readonly listing: Listing;
  readonly at: number;
}

/** Listings by the keys of their folders, for a while and up to a bound. */
export class ListingCache {
  // A Map keeps its insertion order: the first key is the folder not looked at for longest.
  private readonly known = new Map<string, Known>();
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

  /** However old it is. */
  last(key: string): Listing | undefined {
    return this.known.get(key)?.listing;
  }

  /** How long ago it was listed, in milliseconds. A listing that isn't cached was only just requested. */
  age(key: string): number {
    return this.now() - (this.known.get(key)?.at ?? this.now());
  }

  /** One that is young enough to answer; it has been looked at now. */
  fresh(key: string): Listing | undefined {
    const known = this.known.get(key);
    if (known === undefined || this.now() - known.at >= this.limits.lifetime) {
      return undefined;
    }
    this.known.delete(key);
    this.known.set(key, known);
    return known.listing;
  }

  keep(key: string, listing: Listing): void {
    this.drop(key);
    this.known.set(key, { listing, at: this.now() });
    this.entryCount += listing.size;
    for (const oldest of this.known.keys()) {
      const isBound = this.entryCount <= this.limits.entries && this.known.size <= mostFolders;
      if (isBound || oldest === key) {
        break;
      }
      this.drop(oldest);
    }
  }

  /** Adds entries that were just found to the cached listing, without changing the listing's age. */
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
