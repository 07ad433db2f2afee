import { GrowingWork } from '../async/growingWork';
import type { Listing } from '../containers/listingCache';
import { type FilePlace, isPathWithin, isSameContainer, nameOf } from '../containers/place';
import { isPlatformError } from '../platform/errors';
import { type FileEntry, isReadableType } from '../platform/wire/fileEntry';
import { contentsOf, foldersAtOnce } from './folderWalk';
import { letterMask, type NameQuery } from './nameQuery';
import { type FoundName, type NamesInFolder, searchNames } from './nameSearch';
import { PathFilter } from './pathFilter';
import type { RequestPace } from './requestPace';

/** How long a folder's names count as current if nothing was heard of it, in milliseconds. */
const lifetime = 600_000;
/** So many failures in a row mean that the server doesn't answer anymore, and not that a few folders can't be listed. */
const mostFailures = 3;

export interface NameIndexDeps {
  /** Returns a folder's entries if they are known to be current, without a request. */
  readonly knownListing: (folder: FilePlace) => Listing | undefined;
  readonly list: (folder: FilePlace, signal: AbortSignal) => Promise<Listing>;
  readonly pace: RequestPace;
  /** Returns how many more names the index may hold. */
  readonly room: (index: NameIndex) => number;
  readonly now: () => number;
}

interface IndexedFolder extends NamesInFolder {
  names: readonly string[];
  masks: readonly number[];
  readonly folders: Map<string, IndexedFolder>;
  /** When its names were requested, or `undefined` if they must be listed. */
  listedAt: number | undefined;
  /** When a change in it was noticed. A listing that was requested before doesn't show it. */
  changedAt: number;
  error: unknown;
  /** Folders that aren't entered. */
  excluded: readonly string[];
  links: number;
}

/** What an index has and what it lacks. */
export interface NameIndexState {
  readonly files: number;
  readonly isGrowing: boolean;
  /** There are more names than it may hold. */
  readonly isFull: boolean;
  /** Why the server stopped answering. */
  readonly stopped: unknown;
  readonly unreadable: readonly { readonly path: string; readonly error: unknown }[];
  /** The names of folders that aren't entered, because of the settings. */
  readonly excluded: readonly string[];
  /** How many links to folders weren't followed. */
  readonly links: number;
}

/**
 * The names of all files below a folder. Listens to listings and changes, but sends requests only while it's refreshed,
 * which a user starts.
 */
export class NameIndex {
  private readonly filter: PathFilter;
  private readonly top: IndexedFolder;
  private readonly ending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private underway: Promise<void> | undefined;
  private isFull = false;
  private stopped: unknown;
  private failuresInARow = 0;
  /** Names and folders, which both need memory. */
  size = 1;

  constructor(
    readonly root: FilePlace,
    readonly exclude: readonly string[],
    private readonly deps: NameIndexDeps,
  ) {
    this.filter = new PathFilter(root, { include: '', exclude });
    this.top = emptyFolder(root.path);
  }

  /** Calls the listener after each change, until it's removed by the returned function. */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get isDisposed(): boolean {
    return this.ending.signal.aborted;
  }

  /** Whether the names below this folder are here, or will be. */
  covers(folder: FilePlace): boolean {
    if (this.isDisposed || !isSameContainer(folder, this.root) || !isPathWithin(folder.path, this.root.path)) {
      return false;
    }
    const { found, isWhole } = this.nearest(folder.path);
    return isWhole
      ? !this.isFull || folder.path === this.root.path
      : found.listedAt === undefined && !this.isFull && !this.filter.isExcluded(folder.path);
  }

  /** Returns the best matches below a folder. */
  search(folder: string, query: NameQuery, most: number): readonly FoundName[] {
    return searchNames(this.below(folder), query, { from: folder, most });
  }

  /** Returns the first files below a folder, those near to it first. */
  first(folder: string, most: number): readonly FoundName[] {
    const found: FoundName[] = [];
    for (const { path, names } of this.below(folder)) {
      for (const name of names) {
        if (found.length >= most) {
          return found;
        }
        found.push({ folder: path, name, score: 0 });
      }
    }
    return found;
  }

  /** Whether a file of this path is here, or `undefined` if its folder isn't known well enough to tell. */
  has(path: string): boolean | undefined {
    const end = path.lastIndexOf('/');
    const { found, isWhole } = this.nearest(path.slice(0, end) || '/');
    if (!isWhole || found.listedAt === undefined || found.error !== undefined) {
      return undefined;
    }
    const isHere = found.names.includes(path.slice(end + 1));
    return isHere || (!this.isFull && !this.filter.isExcluded(path) ? false : undefined);
  }

  stateBelow(folder: string): NameIndexState {
    const unreadable: NameIndexState['unreadable'][number][] = [];
    const excluded = new Set<string>();
    let [files, links] = [0, 0];
    for (const one of this.below(folder)) {
      files += one.names.length;
      links += one.links;
      one.excluded.forEach((name) => excluded.add(name));
      if (one.error !== undefined) {
        unreadable.push({ path: one.path, error: one.error });
      }
    }
    const { isFull, stopped, underway } = this;
    return { files, links, isGrowing: underway !== undefined, isFull, stopped, unreadable, excluded: [...excluded] };
  }

  /** Lists the folders whose names aren't known or may have changed. Resolves when that's done; never rejects. */
  refresh(): Promise<void> {
    this.underway ??= this.walk().finally(() => {
      this.underway = undefined;
      this.changed();
    });
    return this.underway;
  }

  /** Whether a refresh would send requests. */
  get needsRefresh(): boolean {
    return [...this.below(this.root.path)].some((folder) => this.isOutdated(folder));
  }

  /** Takes over a listing that was made for something else. */
  noteListing(folder: FilePlace, listing: Listing, askedAt: number): void {
    const { found, isWhole } = this.nearest(folder.path);
    if (isWhole && isSameContainer(folder, this.root) && isPathWithin(folder.path, this.root.path)) {
      this.put(found, listing, askedAt);
    }
  }

  /** Notes a change, which the next refresh looks at if that's necessary. */
  noteChange(place: FilePlace, kind: 'created' | 'changed' | 'deleted'): void {
    if (!isSameContainer(place, this.root) || !isPathWithin(place.path, this.root.path)) {
      return;
    }
    const { found, isWhole } = this.nearest(place.path);
    if (isWhole) {
      // A folder: what's in it may be different, for example because something was mounted there.
      this.outdate(found);
      if (kind === 'deleted' && found !== this.top) {
        this.remove(place);
      }
    } else if (kind === 'deleted') {
      this.remove(place);
    } else if (kind === 'created' && !this.filter.isExcluded(place.path) && this.has(place.path) !== true) {
      found.changedAt = this.deps.now();
      found.listedAt = undefined;
    }
    this.changed();
  }

  /** Ends all requests and forgets all names. */
  dispose(): void {
    this.ending.abort();
    this.clear(this.top);
    this.changed();
    this.listeners.clear();
  }

  private async walk(): Promise<void> {
    this.stopped = undefined;
    this.failuresInARow = 0;
    this.isFull = false;
    const walking = new AbortController();
    const signal = AbortSignal.any([this.ending.signal, walking.signal]);
    const work = new GrowingWork(foldersAtOnce, signal);
    const stop = (error: unknown) => {
      this.stopped = error;
      walking.abort();
    };
    const enter = (folder: IndexedFolder) =>
      work.add(async () => {
        if (this.deps.room(this) <= 0) {
          this.isFull = true;
          walking.abort();
        } else if (await this.list(folder, signal, stop)) {
          [...folder.folders.values()].filter((below) => this.isOutdated(below)).forEach(enter);
        }
      });
    [...this.below(this.root.path)].filter((folder) => this.isOutdated(folder)).forEach(enter);
    await work.finished();
  }

  /** Returns whether the folder's names are known now. */
  private async list(folder: IndexedFolder, signal: AbortSignal, stop: (error: unknown) => void): Promise<boolean> {
    const place = { ...this.root, path: folder.path };
    const known = this.deps.knownListing(place);
    if (known !== undefined) {
      this.put(folder, known, this.deps.now());
      return true;
    }
    await this.deps.pace.turn(signal);
    // Someone else may have listed it meanwhile, or it may be gone.
    if (signal.aborted || !this.isOutdated(folder) || this.nearest(folder.path).found !== folder) {
      return !signal.aborted;
    }
    const askedAt = this.deps.now();
    try {
      const listing = await this.deps.list(place, signal);
      this.failuresInARow = 0;
      this.put(folder, listing, askedAt);
      return true;
    } catch (error) {
      if (!signal.aborted) {
        this.noteFailure(folder, error, stop);
      }
      return false;
    }
  }

  private noteFailure(folder: IndexedFolder, error: unknown, stop: (error: unknown) => void): void {
    const kind = isPlatformError(error) ? error.kind : undefined;
    const isSilence = kind === 'timeout' || kind === 'unreachable' || kind === 'protocol';
    this.failuresInARow = isSilence ? this.failuresInARow + 1 : 0;
    if (kind === 'notFound' && folder !== this.top) {
      this.remove({ ...this.root, path: folder.path });
    } else if (kind === 'unauthenticated' || kind === 'tokenLacksMethod' || kind === undefined) {
      stop(error);
    } else {
      this.clear(folder);
      folder.error = error;
      // Not asked again before it's outdated, unless the server doesn't answer.
      folder.listedAt = isSilence ? undefined : this.deps.now();
      if (this.failuresInARow >= mostFailures || (isSilence && folder === this.top)) {
        stop(error);
      }
    }
    this.changed();
  }

  private put(folder: IndexedFolder, listing: Listing, askedAt: number): void {
    const { files, folders, skipped } = contentsOf({ ...this.root, path: folder.path }, listing, this.filter);
    const links = skipped.filter(({ reason }) => reason === 'link').map(({ place }) => nameOf(place));
    const linkedFiles = links.filter((name) => listing.get(name)?.isDir === false);
    const names = [...files.flatMap(({ entry }) => (isReadableType(entry) ? entry.name : [])), ...linkedFiles];
    const kept = new Set(folders.map(nameOf));
    for (const [name, below] of folder.folders) {
      if (!kept.has(name)) {
        this.clear(below);
        folder.folders.delete(name);
        this.size -= 1;
      }
    }
    const added = folders.filter((place) => !folder.folders.has(nameOf(place)));
    const fitting = added.slice(0, Math.max(0, this.deps.room(this)));
    for (const place of fitting) {
      folder.folders.set(nameOf(place), emptyFolder(place.path));
      this.size += 1;
    }
    const isComplete = this.setNames(folder, names) && fitting.length === added.length;
    this.isFull ||= !isComplete;
    folder.excluded = skipped.filter(({ reason }) => reason === 'excluded').map(({ place }) => nameOf(place));
    folder.links = links.length - linkedFiles.length;
    folder.error = undefined;
    folder.listedAt = isComplete && askedAt > folder.changedAt ? askedAt : undefined;
    this.changed();
  }

  /** Returns whether there was room for all. */
  private setNames(folder: IndexedFolder, all: readonly string[]): boolean {
    const room = Math.max(0, this.deps.room(this) + folder.names.length);
    const names = all.length > room ? all.slice(0, room) : all;
    this.size += names.length - folder.names.length;
    folder.names = names;
    folder.masks = names.map((name) => letterMask(name.toLowerCase()));
    return names.length === all.length;
  }

  private remove({ path }: FilePlace): void {
    const end = path.lastIndexOf('/');
    const { found, isWhole } = this.nearest(path.slice(0, end) || '/');
    const name = path.slice(end + 1);
    if (!isWhole || path === this.root.path) {
      return;
    }
    found.changedAt = this.deps.now();
    const folder = found.folders.get(name);
    if (folder !== undefined) {
      this.clear(folder);
      found.folders.delete(name);
      this.size -= 1;
    } else if (found.names.includes(name)) {
      this.setNames(
        found,
        found.names.filter((one) => one !== name),
      );
    }
  }

  private clear(folder: IndexedFolder): void {
    for (const below of folder.folders.values()) {
      this.clear(below);
    }
    this.size -= folder.names.length + folder.folders.size;
    Object.assign(folder, { ...emptyFolder(folder.path), changedAt: folder.changedAt });
  }

  private outdate(top: IndexedFolder): void {
    for (const folder of withFoldersBelow(top)) {
      folder.changedAt = this.deps.now();
      folder.listedAt = undefined;
    }
  }

  private isOutdated({ listedAt }: IndexedFolder): boolean {
    return listedAt === undefined || this.deps.now() - listedAt >= lifetime;
  }

  private below(path: string): Iterable<IndexedFolder> {
    const { found, isWhole } = this.nearest(path);
    return isWhole ? withFoldersBelow(found) : [];
  }

  /** Returns the folder of this path, or the nearest above it that's known. */
  private nearest(path: string): { readonly found: IndexedFolder; readonly isWhole: boolean } {
    let found = this.top;
    const rest = path.slice(this.root.path === '/' ? 0 : this.root.path.length);
    for (const name of rest.split('/').filter((one) => one !== '')) {
      const next = found.folders.get(name);
      if (next === undefined) {
        return { found, isWhole: false };
      }
      found = next;
    }
    return { found, isWhole: isPathWithin(path, this.root.path) };
  }

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }
}

/** Breadth first. */
function* withFoldersBelow(top: IndexedFolder): Iterable<IndexedFolder> {
  let level: readonly IndexedFolder[] = [top];
  while (level.length > 0) {
    yield* level;
    level = level.flatMap(({ folders }) => [...folders.values()]);
  }
}

function emptyFolder(path: string): IndexedFolder {
  return {
    ...{ path, names: [], masks: [], folders: new Map<string, IndexedFolder>() },
    ...{ listedAt: undefined, changedAt: Number.NEGATIVE_INFINITY, error: undefined, excluded: [], links: 0 },
  };
}

/** Returns entries as a listing. */
export function listingOf(entries: readonly FileEntry[]): Listing {
  return new Map(entries.map((entry) => [entry.name, entry]));
}
