import { walk } from '../../../async/taskPool';
import type { Listing } from '../../../containers/listingCache';
import type { FilePlace } from '../../../containers/place';
import { isCanceled, isPlatformError } from '../../../platform/errors';
import { FailureStreak, foldersAtOnce, isSilence, type RequestPace } from '../folderWalk';
import { folderAndName, type NamedFolder, NameFolders } from './nameFolders';
import { type FoundName, isNarrower, type NameQuery, type NamesInFolder, searchNames } from './nameSearch';
import { PathFilter } from '../../../containers/pathFilter';

/** How long a folder's names count as current if nothing was heard of it, in milliseconds. */
const lifetime = 600_000;

export interface NameIndexDeps {
  /** Returns a folder's entries if they are known to be current, without a request. */
  readonly knownListing: (folder: FilePlace) => Listing | undefined;
  readonly list: (folder: FilePlace, signal: AbortSignal) => Promise<Listing>;
  readonly pace: Pick<RequestPace, 'turn'>;
  /** Returns how many more names and folders the index may have. */
  readonly room: (index: NameIndex) => number;
  readonly now: () => number;
}

/** What an index has of a folder, and what it lacks. */
export interface NameIndexState {
  readonly files: number;
  readonly isGrowing: boolean;
  /** There are more names than it may have. */
  readonly isFull: boolean;
  /** Why the server stopped answering. */
  readonly stopped: unknown;
  readonly unreadable: readonly { readonly path: string; readonly error: unknown }[];
  /** The names of folders that aren't entered, because of the settings. */
  readonly excluded: readonly string[];
  /** How many links to folders weren't followed. */
  readonly links: number;
}

interface Refresh {
  readonly signal: AbortSignal;
  readonly end: () => void;
  readonly streak: FailureStreak;
}

/**
 * The names of all files below a folder. Listens to listings and changes, but sends requests only while it's refreshed,
 * which a user starts.
 */
export class NameIndex {
  private readonly filter: PathFilter;
  private readonly folders: NameFolders;
  private readonly ending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private underway: Promise<void> | undefined;
  private isFull = false;
  private stopped: unknown;
  /** What the last search found, until something changes. */
  private last:
    { readonly folder: string; readonly query: NameQuery; readonly all: readonly NamesInFolder[] } | undefined;

  constructor(
    readonly root: FilePlace,
    readonly exclude: readonly string[],
    private readonly deps: NameIndexDeps,
  ) {
    this.filter = new PathFilter(root, { excludeSetting: exclude });
    this.folders = new NameFolders(root, this.filter, () => deps.room(this));
  }

  /** The number of names and folders. */
  get size(): number {
    return this.folders.size;
  }

  get isGrowing(): boolean {
    return this.underway !== undefined;
  }

  get isDisposed(): boolean {
    return this.ending.signal.aborted;
  }

  /** Calls the listener after each change, until it's removed by the returned function. */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether the names below this folder are here, or will be. */
  covers(folder: FilePlace): boolean {
    if (this.isDisposed || !this.folders.contains(folder)) {
      return false;
    }
    const { path, listedAt } = this.folders.nearest(folder.path);
    const isComing = path === folder.path || (listedAt === undefined && !this.filter.isExcluded(folder.path));
    return isComing && (!this.isFull || folder.path === this.root.path);
  }

  /** Returns the best matches below a folder. */
  search(folder: string, query: NameQuery, most: number): readonly FoundName[] {
    const isLess = this.last?.folder === folder && isNarrower(query, this.last.query);
    const searched = isLess ? (this.last?.all ?? []) : this.folders.below(folder);
    const { best, all } = searchNames(searched, query, { from: folder, most });
    this.last = { folder, query, all };
    return best;
  }

  /** Returns the first files below a folder, those near to it first. */
  first(folder: string, most: number): readonly FoundName[] {
    const found: FoundName[] = [];
    for (const { path, names } of this.folders.below(folder)) {
      found.push(...names.slice(0, most - found.length).map((name) => ({ folder: path, name })));
      if (found.length >= most) {
        break;
      }
    }
    return found;
  }

  /** Whether a file of this path is here, or `undefined` if its folder isn't known well enough to tell. */
  has(path: string): boolean | undefined {
    const { folder, name } = folderAndName(path);
    const found = this.folders.get(folder);
    if (found?.names.includes(name) === true) {
      return true;
    }
    const isKnown = found?.listedAt !== undefined && found.error === undefined;
    return isKnown && !this.filter.isExcluded(path) ? false : undefined;
  }

  stateBelow(folder: string): NameIndexState {
    const unreadable: NameIndexState['unreadable'][number][] = [];
    const excluded = new Set<string>();
    let [files, links] = [0, 0];
    for (const one of this.folders.below(folder)) {
      files += one.names.length;
      links += one.links;
      one.excluded.forEach((name) => excluded.add(name));
      if (one.error !== undefined) {
        unreadable.push({ path: one.path, error: one.error });
      }
    }
    const { isFull, stopped, isGrowing } = this;
    return { files, links, isGrowing, isFull, stopped, unreadable, excluded: [...excluded] };
  }

  /** Whether a refresh would send requests. */
  needsRefresh(): boolean {
    return this.outdated().length > 0;
  }

  /** Lists the folders whose names aren't known or may have changed. Never rejects: the state says what failed. */
  refresh(): Promise<void> {
    this.underway ??= this.walk().finally(() => {
      this.underway = undefined;
      this.changed();
    });
    return this.underway;
  }

  /** Lists a folder and everything below it again. Never rejects either. */
  async refreshAgain(folder: FilePlace): Promise<void> {
    this.noteChange(folder, 'changed');
    // A folder is listed only once in the refresh that is running.
    await this.underway;
    await this.refresh();
  }

  /** Takes over a listing that was made for something else. */
  noteListing(folder: FilePlace, listing: Listing, askedAt: number): void {
    if (this.folders.contains(folder)) {
      this.put(folder.path, listing, askedAt);
    }
  }

  /** Notes a change, which the next refresh looks at if that's necessary. */
  noteChange(place: FilePlace, kind: 'created' | 'changed' | 'deleted'): void {
    if (!this.folders.contains(place)) {
      return;
    }
    const now = this.deps.now();
    if (kind === 'deleted') {
      this.folders.remove(place.path, now);
    } else if (this.folders.get(place.path) !== undefined) {
      // What's in a folder may be different as a whole, for example because something was mounted there.
      [...this.folders.below(place.path)].forEach(({ path }) => this.folders.outdate(path, now));
    } else if (kind === 'created' && !this.filter.isExcluded(place.path) && this.has(place.path) !== true) {
      this.folders.outdate(this.folders.nearest(place.path).path, now);
    }
    this.changed();
  }

  /** Ends all requests and forgets all names. */
  dispose(): void {
    this.ending.abort();
    this.folders.clearAll();
    this.changed();
    this.listeners.clear();
  }

  private async walk(): Promise<void> {
    this.stopped = undefined;
    this.isFull = false;
    const ending = new AbortController();
    const signal = AbortSignal.any([this.ending.signal, ending.signal]);
    const refresh: Refresh = { signal, end: () => ending.abort(), streak: new FailureStreak() };
    // Each folder is listed once.
    const entered = new Set<string>();
    const toEnter = (folders: Iterable<NamedFolder>) => {
      const paths = [...folders].flatMap((one) => (this.isOutdated(one) && !entered.has(one.path) ? one.path : []));
      paths.forEach((path) => entered.add(path));
      return paths;
    };
    await walk(toEnter(this.folders.below(this.root.path)), {
      enter: async (path) => toEnter(await this.enter(path, refresh)),
      atOnce: foldersAtOnce,
      signal,
      onFailure: (path, error) => this.noteFailure(path, error, refresh),
    });
  }

  /** Lists a folder, and returns those in it. */
  private async enter(path: string, { signal, end, streak }: Refresh): Promise<readonly NamedFolder[]> {
    if (this.deps.room(this) <= 0) {
      this.isFull = true;
      end();
      return [];
    }
    if (this.folders.get(path) === undefined) {
      return [];
    }
    const place = { ...this.root, path };
    const known = this.deps.knownListing(place);
    if (known === undefined) {
      await this.deps.pace.turn(signal);
      signal.throwIfAborted();
      const askedAt = this.deps.now();
      const listing = await this.deps.list(place, signal);
      streak.broken();
      this.put(path, listing, askedAt);
    } else {
      this.put(path, known, this.deps.now());
    }
    return this.folders.get(path)?.folders ?? [];
  }

  private noteFailure(path: string, error: unknown, { end, streak }: Refresh): void {
    const isRoot = path === this.root.path;
    if (streak.endsWith(error) || (isRoot && isSilence(error))) {
      // If the user canceled, there's nothing to say.
      this.stopped = isCanceled(error) ? undefined : error;
      end();
    } else if (!isRoot && isPlatformError(error) && error.kind === 'notFound') {
      this.folders.remove(path, this.deps.now());
    } else {
      // Not requested again before it's outdated, unless the server didn't answer.
      this.folders.putError(path, error, isSilence(error) ? undefined : this.deps.now());
    }
    this.changed();
  }

  private put(path: string, listing: Listing, askedAt: number): void {
    const isComplete = this.folders.put(path, listing, askedAt);
    this.isFull ||= !isComplete;
    this.changed();
  }

  private outdated(): readonly NamedFolder[] {
    return [...this.folders.below(this.root.path)].filter((folder) => this.isOutdated(folder));
  }

  private isOutdated({ listedAt }: NamedFolder): boolean {
    return listedAt === undefined || this.deps.now() - listedAt >= lifetime;
  }

  private changed(): void {
    this.last = undefined;
    this.listeners.forEach((listener) => listener());
  }
}
