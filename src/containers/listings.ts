import { SharedCalls } from '../async/sharedCalls';
import type { FileEntry } from '../platform/wire/fileEntry';
import { isPlatformError, undefinedIf } from '../platform/errors';
import { EntryLookups } from './entryLookups';
import { ListingCache, type Listing, type ListingLimits } from './listingCache';
import { type FilePlace, keyOf, nameOf, parentOf } from './place';

/** What is known of a place without asking about it alone. */
export type KnownState =
  | { readonly kind: 'there'; readonly entry: FileEntry }
  | { readonly kind: 'absent' }
  /** Its folder has not been listed, and nothing speaks against its being there. */
  | { readonly kind: 'unlisted' };

/** From this many entries on, one of them is asked for by its name instead of listing all. */
const largeFolder = 1_000;
const longestFilter = 255;

const defaultLimits: ListingLimits = { lifetime: 30_000, absence: 2_000, entries: 200_000 };

/**
 * The one cache of what is known of folders. The contract has no stat: a folder's listing answers for everything in it, and
 * "not there" for everything under a folder that is not there.
 */
export class Listings {
  private readonly underway = new SharedCalls<Listing>();
  private readonly known: ListingCache;
  private readonly lookups = new EntryLookups((folder, names) => this.lookUpAll(folder, names));

  /**
   * @param fetch lists one folder on the platform; a filter is a regular expression for the names
   * @param anchors the folders open in the window: for what lies deep under one of them, it is asked first, since
   * VS Code looks for many files that do not exist
   */
  constructor(
    private readonly fetch: (folder: FilePlace, filter?: string) => Promise<readonly FileEntry[]>,
    private readonly anchors: () => readonly FilePlace[] = () => [],
    limits: ListingLimits = defaultLimits,
    now: () => number = Date.now,
  ) {
    this.known = new ListingCache(limits, now);
  }

  get size(): number {
    return this.known.size;
  }

  /** The most entries that are kept, but for a single folder that alone holds more. */
  get bound(): number {
    return this.known.limits.entries;
  }

  list(folder: FilePlace): Promise<Listing> {
    const known = this.known.fresh(keyOf(folder));
    return known === undefined ? this.refresh(folder) : Promise.resolve(known);
  }

  /** Asks the platform again, while what is known goes on answering. */
  refresh(folder: FilePlace): Promise<Listing> {
    return this.underway.get(keyOf(folder)) ?? this.ask(folder);
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
      return await this.entryIn(parent, nameOf(place));
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

  /** Waits for no folder but those in which VS Code looks for much that does not exist. */
  async glance(place: FilePlace): Promise<KnownState> {
    const parent = parentOf(place);
    if (parent === undefined || this.known.fresh(keyOf(parent)) !== undefined || this.isSearched(parent)) {
      return this.lookOnce(place);
    }
    return (await this.liesUnderNothing(parent)) ? { kind: 'absent' } : { kind: 'unlisted' };
  }

  private async lookOnce(place: FilePlace): Promise<KnownState> {
    try {
      const entry = await this.entry(place);
      return entry === undefined ? { kind: 'absent' } : { kind: 'there', entry };
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'forbidden') {
        return { kind: 'unlisted' };
      }
      throw error;
    }
  }

  /**
   * Asks the platform about one place, ignoring cached listings. Callers at about the same time share a listing, which is always
   * sent after they called.
   */
  async lookUp(place: FilePlace): Promise<FileEntry | undefined> {
    const parent = parentOf(place);
    return parent === undefined ? directory(place) : this.lookups.find(parent, nameOf(place));
  }

  /** Writes a file. Lookups in its folder wait a moment for writes that are under way, so that one listing serves them all. */
  whileWriting<T>(file: FilePlace, write: () => Promise<T>): Promise<T> {
    return this.lookups.during(parentOf(file) ?? file, write);
  }

  /** Returns the highest part of this path that the cached listings don't contain. */
  topmostUnlisted(place: FilePlace): FilePlace | undefined {
    const parent = parentOf(place);
    if (parent === undefined) {
      return undefined;
    }
    const listing = this.known.last(keyOf(parent));
    if (listing === undefined) {
      return this.topmostUnlisted(parent);
    }
    return listing.has(nameOf(place)) ? undefined : place;
  }

  /** The next question about this folder, or about anything under it, goes to the platform. */
  forget(folder: FilePlace): void {
    const key = keyOf(folder);
    const below = `${key}/`;
    for (const candidate of [...this.known.keys, ...this.underway.keys]) {
      if (candidate === key || candidate.startsWith(below)) {
        this.known.drop(candidate);
        this.underway.forget(candidate);
      }
    }
  }

  forgetAll(): void {
    this.known.clear();
    this.underway.forgetAll();
  }

  /** Looks up a few entries of a large folder by name if that's cheaper than listing everything. */
  private async lookUpAll(folder: FilePlace, names: ReadonlySet<string>): Promise<Listing> {
    const known = this.known.last(keyOf(folder));
    if (known !== undefined && names.size * largeFolder <= known.size) {
      const found = await this.entriesByName(folder, names, known);
      if (found.size === names.size) {
        return found;
      }
    }
    return (await undefinedIf('notFound', this.ask(folder))) ?? new Map();
  }

  /** Lists the folder once more if the name is missing, and may have appeared since. */
  private async entryIn(folder: FilePlace, name: string): Promise<FileEntry | undefined> {
    const entry = (await this.list(folder)).get(name);
    const isRecent = this.known.age(keyOf(folder)) < this.known.limits.absence;
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
    const answers = await Promise.all(filters.map(({ filter }) => this.fetch(folder, filter)));
    const found = byName(answers.flat().filter(({ name }) => names.has(name)));
    this.known.note(keyOf(folder), known, found);
    return found;
  }

  /** Lists the folder. All callers share one promise, so they continue in the order in which they asked. */
  private ask(folder: FilePlace): Promise<Listing> {
    const key = keyOf(folder);
    return this.underway.start(key, async (isCurrent) => {
      const listing = byName(await this.fetch(folder));
      if (isCurrent()) {
        this.known.keep(key, listing);
      }
      return listing;
    });
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
    return this.isAnchor(above) && !this.known.last(keyOf(above))?.get(nameOf(below))?.isDir;
  }

  /** A folder open in the window, or one with a hidden name below it, such as `.vscode`. */
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
    try {
      const entry = await this.entryIn(above, nameOf(below));
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
    return this.known.fresh(key) !== undefined || this.underway.get(key) !== undefined;
  }
}

function byName(entries: readonly FileEntry[]): Listing {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function directory(place: FilePlace): FileEntry {
  return { absolutePath: place.path, name: nameOf(place), isDir: true };
}
