import type { FileEntry } from '../platform/wire/fileEntry';
import { isPlatformError } from '../platform/errors';
import { type FilePlace, keyOf, nameOf, parentOf } from './place';

/** What a folder held when it was last listed, by name. */
export type Listing = ReadonlyMap<string, FileEntry>;

export interface ListingLimits {
  /** How long a listing answers questions, in milliseconds. */
  readonly lifetime: number;
  /** How many entries are kept over all folders; the folders not looked at for longest go first. */
  readonly entries: number;
}

interface Known {
  readonly listing: Listing;
  readonly at: number;
}

const defaultLimits: ListingLimits = { lifetime: 30_000, entries: 200_000 };

/**
 * The one cache of what is known of folders. The contract has no stat: a folder's listing answers for everything in it, and
 * "not there" for everything under a folder that is not there.
 */
export class Listings {
  // A Map keeps its insertion order: the first key is the folder not looked at for longest.
  private readonly known = new Map<string, Known>();
  private readonly underway = new Map<string, Promise<Listing>>();
  private entryCount = 0;

  /**
   * @param fetch lists one folder on the platform
   * @param anchors the folders open in the window: for what lies deep under one of them, it is asked first, since
   * VS Code looks for many files that do not exist
   */
  constructor(
    private readonly fetch: (folder: FilePlace) => Promise<readonly FileEntry[]>,
    private readonly anchors: () => readonly FilePlace[] = () => [],
    private readonly limits: ListingLimits = defaultLimits,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.entryCount;
  }

  list(folder: FilePlace): Promise<Listing> {
    const key = keyOf(folder);
    const known = this.fresh(key);
    if (known !== undefined) {
      return Promise.resolve(known);
    }
    return this.underway.get(key) ?? this.ask(folder, key);
  }

  /** Asks the platform again, while what is known goes on answering. */
  refresh(folder: FilePlace): Promise<Listing> {
    const key = keyOf(folder);
    return this.underway.get(key) ?? this.ask(folder, key);
  }

  /** `undefined` where nothing of this name is there. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    const parent = parentOf(place);
    if (parent === undefined) {
      return directory(place);
    }
    if (await this.liesUnderNothing(parent)) {
      return undefined;
    }
    try {
      return (await this.list(parent)).get(nameOf(place));
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      if (error.kind === 'notFound') {
        return undefined;
      }
      if (error.kind === 'forbidden') {
        return this.entryOfItsOwn(place, error);
      }
      throw error;
    }
  }

  /** The next question about this folder, or about anything under it, goes to the platform. */
  forget(folder: FilePlace): void {
    const key = keyOf(folder);
    const below = `${key}/`;
    for (const candidate of [...this.known.keys(), ...this.underway.keys()]) {
      if (candidate === key || candidate.startsWith(below)) {
        this.drop(candidate);
        // Whoever waits for it still gets its answer, but it is neither kept nor given to anyone new.
        this.underway.delete(candidate);
      }
    }
  }

  forgetAll(): void {
    this.known.clear();
    this.underway.clear();
    this.entryCount = 0;
  }

  private async ask(folder: FilePlace, key: string): Promise<Listing> {
    const asked = this.fetch(folder).then(byName);
    this.underway.set(key, asked);
    try {
      const listing = await asked;
      if (this.underway.get(key) === asked) {
        this.keep(key, listing);
      }
      return listing;
    } finally {
      if (this.underway.get(key) === asked) {
        this.underway.delete(key);
      }
    }
  }

  /** Whether some folder above is already known to lack the next step of the way down to `folder`. */
  private async liesUnderNothing(folder: FilePlace): Promise<boolean> {
    if (this.isKnownOrUnderway(folder)) {
      return false;
    }
    let below = folder;
    for (let above = parentOf(folder); above !== undefined; below = above, above = parentOf(above)) {
      if (this.isKnownOrUnderway(above) || this.isUnlistedAnchor(above, below)) {
        return this.lacks(above, below);
      }
    }
    return false;
  }

  /** An expired listing that holds the next step is hint enough to ask further down at once. */
  private isUnlistedAnchor(above: FilePlace, below: FilePlace): boolean {
    const key = keyOf(above);
    return (
      this.anchors().some((anchor) => keyOf(anchor) === key) && !this.known.get(key)?.listing.get(nameOf(below))?.isDir
    );
  }

  private async lacks(above: FilePlace, below: FilePlace): Promise<boolean> {
    try {
      const entry = (await this.list(above)).get(nameOf(below));
      // A link may lead to a folder, so only what is certainly absent is called absent.
      return entry === undefined;
    } catch {
      // It proves nothing that this folder cannot be listed: the one further down is asked itself.
      return false;
    }
  }

  /** A folder whose parent may not be listed can still be listed itself. */
  private async entryOfItsOwn(place: FilePlace, parentError: Error): Promise<FileEntry> {
    try {
      await this.list(place);
    } catch {
      throw parentError;
    }
    return directory(place);
  }

  private isKnownOrUnderway(folder: FilePlace): boolean {
    const key = keyOf(folder);
    return this.fresh(key) !== undefined || this.underway.has(key);
  }

  private fresh(key: string): Listing | undefined {
    const known = this.known.get(key);
    if (known === undefined || this.now() - known.at >= this.limits.lifetime) {
      return undefined;
    }
    this.known.delete(key);
    this.known.set(key, known);
    return known.listing;
  }

  private keep(key: string, listing: Listing): void {
    this.drop(key);
    this.known.set(key, { listing, at: this.now() });
    this.entryCount += listing.size;
    for (const oldest of this.known.keys()) {
      if (this.entryCount <= this.limits.entries || oldest === key) {
        break;
      }
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.entryCount -= this.known.get(key)?.listing.size ?? 0;
    this.known.delete(key);
  }
}

function byName(entries: readonly FileEntry[]): Listing {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function directory(place: FilePlace): FileEntry {
  return { absolutePath: place.path, name: nameOf(place), isDir: true };
}
