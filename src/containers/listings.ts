import type { FileEntry } from '../platform/wire/fileEntry';
import { isPlatformError, onPlatformError, undefinedIf } from '../platform/errors';
import {
  ListingCache,
  type Listing,
  type ListingLimits,
  byName,
  EntryLookups,
  type FetchListing,
  ListingRequests,
} from './listingCache';
import { type FilePlace, isPathWithin, keyOf, nameOf, parentOf, parentOrSelf } from './place';

/** What the cache knows about a place. */
type KnownState =
  | { readonly kind: 'there'; readonly entry: FileEntry }
  | { readonly kind: 'absent' }
  /** Its folder hasn't been listed, and nothing suggests that it's missing. */
  | { readonly kind: 'unlisted' };

/** From this size on, look up a single entry by name instead of listing the whole folder. */
const largeFolder = 1_000;
const longestFilter = 255;

const defaultLimits: ListingLimits = { lifetime: 30_000, absence: 2_000, entries: 200_000 };

/**
 * The only cache of folder listings. The API has no stat, so a folder's listing also provides the metadata of its
 * entries, and proves that everything below a missing folder is missing.
 */
export class Listings {
  private readonly cache: ListingCache;
  private readonly requests: ListingRequests;
  readonly lookups = new EntryLookups((folder, names) => this.lookUpAll(folder, names));

  /**
   * @param fetch lists one folder on the platform
   * @param anchors the folders open in the window. They are listed first, because VS Code looks for many files deep
   * below them that don't exist.
   * @param onFirstShown called when a folder that only a search listed is first shown
   */
  constructor(
    private readonly fetch: FetchListing,
    private readonly anchors: () => readonly FilePlace[] = () => [],
    private readonly onFirstShown: (folder: FilePlace, listing: Listing) => void = () => undefined,
    limits: ListingLimits = defaultLimits,
    now: () => number = Date.now,
  ) {
    this.cache = new ListingCache(limits, now);
    this.requests = new ListingRequests(fetch, (folder, listing, use) => {
      this.cache.keep(keyOf(folder), listing, { isShown: use !== 'searched' });
      if (use === 'searchedAndShown') {
        this.onFirstShown(folder, listing);
      }
    });
  }

  get size(): number {
    return this.cache.size;
  }

  /** The maximum number of cached entries, unless a single folder has more. */
  get bound(): number {
    return this.cache.limits.entries;
  }

  /** Returns the listing if the cache has a recent one. */
  known(folder: FilePlace): Listing | undefined {
    return this.cache.fresh(keyOf(folder));
  }

  /** @param signal only for a search: aborts its request, unless others wait for it, too */
  list(folder: FilePlace, signal?: AbortSignal): Promise<Listing> {
    const known = this.known(folder);
    if (known === undefined) {
      return this.requests.share(folder, signal);
    }
    if (signal === undefined && this.cache.show(keyOf(folder))) {
      this.onFirstShown(folder, known);
    }
    return Promise.resolve(known);
  }

  /** Like `list`, but an empty listing is certain: something may be deleted or hidden because of it. */
  async proven(folder: FilePlace): Promise<Listing> {
    const listing = await this.list(folder);
    if (listing.size > 0) {
      return listing;
    }
    const proven = byName(await this.fetch(folder, { isProof: true }));
    if (proven.size > 0) {
      this.cache.drop(keyOf(folder));
    }
    return proven;
  }

  /** Lists the folder again. Until then, the cached listing stays in use. */
  refresh(folder: FilePlace): Promise<Listing> {
    return this.requests.share(folder);
  }

  /** Returns `undefined` if the entry doesn't exist. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    const parent = parentOf(place);
    if (parent === undefined) {
      return directory(place);
    }
    if (await this.isKnownToBeMissing(parent)) {
      return undefined;
    }
    try {
      return await this.entryIn(parent, nameOf(place));
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      if (error.kind === 'notFound') {
        return undefined;
      }
      if (error.kind === 'forbidden') {
        return this.entryWithoutParent(place, error);
      }
      throw error;
    }
  }

  /** Lists a folder only if VS Code probes it for files that mostly don't exist. Otherwise uses the cache. */
  async peek(place: FilePlace): Promise<KnownState> {
    const parent = parentOf(place);
    if (parent === undefined || this.cache.fresh(keyOf(parent)) !== undefined || this.isSearched(parent)) {
      return this.lookOnce(place);
    }
    return (await this.isKnownToBeMissing(parent)) ? { kind: 'absent' } : { kind: 'unlisted' };
  }

  /** Whether none of these places has an entry. */
  async areMissing(places: readonly FilePlace[]): Promise<boolean> {
    const found = await Promise.all(places.map((place) => this.entry(place)));
    return found.every((entry) => entry === undefined);
  }

  private async lookOnce(place: FilePlace): Promise<KnownState> {
    const unlisted = onPlatformError<KnownState>(() => ({ kind: 'unlisted' }), 'forbidden');
    const known = (entry?: FileEntry): KnownState =>
      entry === undefined ? { kind: 'absent' } : { kind: 'there', entry };
    return this.entry(place).then(known).catch(unlisted);
  }

  /**
   * Asks the platform about one place, ignoring cached listings. Callers at about the same time share a listing, which
   * is always sent after they called.
   */
  async lookUp(place: FilePlace): Promise<FileEntry | undefined> {
    const parent = parentOf(place);
    return parent === undefined ? directory(place) : this.lookups.find(parent, nameOf(place));
  }

  /** Writes a file. Lookups in its folder wait briefly for pending writes, so that one listing serves them all. */
  whileWriting<T>(file: FilePlace, write: () => Promise<T>): Promise<T> {
    return this.lookups.during(parentOrSelf(file), write);
  }

  /** Returns the entry as this window last listed it, however long ago that was. */
  lastListed(place: FilePlace): FileEntry | undefined {
    return this.cache.last(keyOf(parentOrSelf(place)))?.get(nameOf(place));
  }

  /** Returns a folder's entries as this window last listed them. */
  lastListing(folder: FilePlace): Listing | undefined {
    return this.cache.last(keyOf(folder));
  }

  /** Returns the highest part of this path that the cached listings don't contain. */
  topmostUnlisted(place: FilePlace): FilePlace | undefined {
    const parent = parentOf(place);
    if (parent === undefined) {
      return undefined;
    }
    const listing = this.cache.last(keyOf(parent));
    if (listing === undefined) {
      return this.topmostUnlisted(parent);
    }
    return listing.has(nameOf(place)) ? undefined : place;
  }

  /** Drops the cached listings of this folder and everything below it. */
  forget(folder: FilePlace): void {
    const key = keyOf(folder);
    for (const candidate of [...this.cache.keys, ...this.requests.keys]) {
      if (isPathWithin(candidate, key)) {
        this.cache.drop(candidate);
        this.requests.forget(candidate);
      }
    }
  }

  forgetAll(): void {
    this.cache.clear();
    this.requests.forgetAll();
  }

  /** Looks up a few entries of a large folder by name if that's cheaper than listing everything. */
  private async lookUpAll(folder: FilePlace, names: ReadonlySet<string>): Promise<Listing> {
    const known = this.cache.last(keyOf(folder));
    if (known !== undefined && names.size * largeFolder <= known.size) {
      const found = await this.entriesByName(folder, names, known);
      if (found.size === names.size) {
        return found;
      }
    }
    return (await undefinedIf('notFound', this.requests.start(folder))) ?? new Map();
  }

  /** Lists the folder once more if the name is missing, and may have appeared since. */
  private async entryIn(folder: FilePlace, name: string): Promise<FileEntry | undefined> {
    const entry = (await this.list(folder)).get(name);
    const isRecent = this.cache.age(keyOf(folder)) < this.cache.limits.absence;
    return entry !== undefined || isRecent || this.isProbed(folder, name)
      ? entry
      : (await this.refresh(folder)).get(name);
  }

  /** Filters are undocumented, so only a response that contains an entry counts. */
  private async entriesByName(folder: FilePlace, names: ReadonlySet<string>, known: Listing): Promise<Listing> {
    const filters = [...names].map((name) => ({ name, filter: `^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$` }));
    if (filters.some(({ filter }) => filter.length > longestFilter)) {
      return new Map();
    }
    const answers = await Promise.all(filters.map(({ filter }) => this.fetch(folder, { filter })));
    const found = byName(answers.flat().filter(({ name }) => names.has(name)));
    this.cache.note(keyOf(folder), known, found);
    return found;
  }

  /** Whether a cached listing above already shows that the path down to `folder` doesn't exist. */
  private async isKnownToBeMissing(folder: FilePlace): Promise<boolean> {
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

  /** If an expired listing contains the next folder, there's no need to list the anchor again. */
  private isUnlistedAnchor(above: FilePlace, below: FilePlace): boolean {
    return this.isAnchor(above) && !this.cache.last(keyOf(above))?.get(nameOf(below))?.isDir;
  }

  /** Whether the folder is open in the window, or is a hidden folder such as `.vscode` below one. */
  private isSearched(folder: FilePlace): boolean {
    if (this.isAnchor(folder)) {
      return true;
    }
    const parent = nameOf(folder).startsWith('.') ? parentOf(folder) : undefined;
    return parent !== undefined && this.isSearched(parent);
  }

  /** Whether VS Code and its extensions constantly probe for this name on their own. */
  private isProbed(folder: FilePlace, name: string): boolean {
    return this.isSearched(folder) && (name.startsWith('.') || !this.isAnchor(folder));
  }

  private isAnchor(folder: FilePlace): boolean {
    const key = keyOf(folder);
    return this.anchors().some((anchor) => keyOf(anchor) === key);
  }

  private async lacks(above: FilePlace, below: FilePlace): Promise<boolean> {
    return this.entryIn(above, nameOf(below)).then(
      // A link may point to a folder, so only a missing entry proves absence.
      (entry) => entry === undefined,
      // A folder that can't be listed proves nothing: its subfolder may still be readable.
      () => false,
    );
  }

  /** Lists the folder itself, because that can work even if listing its parent is forbidden. */
  private async entryWithoutParent(place: FilePlace, parentError: Error): Promise<FileEntry> {
    await this.list(place).catch(() => {
      throw parentError;
    });
    return directory(place);
  }

  private isKnownOrUnderway(folder: FilePlace): boolean {
    const key = keyOf(folder);
    return this.cache.fresh(key) !== undefined || this.requests.has(key);
  }
}

function directory(place: FilePlace): FileEntry {
  return { absolutePath: place.path, name: nameOf(place), isDir: true };
}
