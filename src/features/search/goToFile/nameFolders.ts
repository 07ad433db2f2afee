import type { Listing } from '../../../containers/listingCache';
import { type FilePlace, isPathWithin, isSameContainer } from '../../../containers/place';
import type { PathFilter } from '../../../containers/pathFilter';
import { isReadableType } from '../../../platform/wire/fileEntry';
import { letterMask, type NamesInFolder } from './nameSearch';

export interface NamedFolder extends NamesInFolder {
  readonly folders: readonly NamedFolder[];
  /** When its names were requested, or `undefined` if they must be listed. */
  readonly listedAt: number | undefined;
  /** Why it couldn't be listed. */
  readonly error: unknown;
  /** The names of folders in it that aren't entered, because of the settings. */
  readonly excluded: readonly string[];
  /** How many links to folders are in it. They aren't followed. */
  readonly links: number;
}

type OwnFolder = { -readonly [K in Exclude<keyof NamedFolder, 'folders' | 'only'>]: NamedFolder[K] } & {
  folders: readonly OwnFolder[];
  /** When a change in it was noticed. A listing that was requested before doesn't show it. */
  changedAt: number;
  /** What `fingerprintOf` returns for its listing. */
  content: number | undefined;
};

/** A folder and those below it by their paths, with the names of their files. */
export class NameFolders {
  private readonly all: Map<string, OwnFolder>;
  private readonly top: OwnFolder;
  /** The number of names and folders, which both need memory. */
  size = 1;

  /** @param room returns how many more names and folders there may be */
  constructor(
    private readonly root: FilePlace,
    private readonly filter: PathFilter,
    private readonly room: () => number,
  ) {
    this.top = emptyFolder(root.path);
    this.all = new Map([[root.path, this.top]]);
  }

  get(path: string): NamedFolder | undefined {
    return this.all.get(path);
  }

  /** Returns the folder and all that are known below it, those near to it first. */
  *below(path: string): Iterable<NamedFolder> {
    const folder = this.all.get(path);
    let level = folder === undefined ? [] : [folder];
    while (level.length > 0) {
      yield* level;
      level = level.flatMap(({ folders }) => folders);
    }
  }

  /** Returns the folder of this path, or the nearest above it that's known. */
  nearest(path: string): NamedFolder {
    return this.above(path).find((folder) => folder !== undefined) ?? this.top;
  }

  /** Whether the place is the root or below it. */
  contains(place: FilePlace): boolean {
    return isSameContainer(place, this.root) && isPathWithin(place.path, this.root.path);
  }

  /** Replaces a folder's names. Returns whether there was room for all. */
  put(path: string, listing: Listing, askedAt: number): boolean {
    const folder = this.all.get(path);
    if (folder === undefined) {
      return true;
    }
    folder.content = fingerprintOf(listing);
    const [, ...above] = this.above(path);
    const leadsUp = folder.content !== undefined && above.some((one) => one?.content === folder.content);
    const { names, folders, excluded, links } = leadsUp ? linkUp : this.contentOf(path, listing);
    const areFoldersComplete = this.setFolders(folder, folders);
    const isComplete = this.setNames(folder, names) && areFoldersComplete;
    Object.assign(folder, { excluded, links, error: undefined });
    folder.listedAt = isComplete && askedAt > folder.changedAt ? askedAt : undefined;
    return isComplete;
  }

  /** Notes that a folder can't be listed. */
  putError(path: string, error: unknown, listedAt: number | undefined): void {
    const folder = this.all.get(path);
    if (folder !== undefined) {
      this.clear(folder);
      Object.assign(folder, { error, listedAt });
    }
  }

  /** Removes a file, or a folder with everything below it. */
  remove(path: string, now: number): void {
    const { folder, name } = folderAndName(path);
    const above = this.all.get(folder);
    if (above === undefined || path === this.root.path) {
      return;
    }
    above.changedAt = now;
    const others = (names: readonly string[]) => names.filter((one) => one !== name);
    this.setFolders(above, others(above.folders.map((one) => folderAndName(one.path).name)));
    this.setNames(above, others(above.names));
  }

  /** Notes that something else is in a folder now. */
  outdate(path: string, now: number): void {
    const folder = this.all.get(path);
    if (folder !== undefined) {
      Object.assign(folder, { changedAt: now, listedAt: undefined });
    }
  }

  clearAll(): void {
    this.clear(this.top);
  }

  /**
   * Links to folders aren't followed, because they may lead anywhere, even in circles. Those to files can be opened like
   * files.
   */
  private contentOf(path: string, listing: Listing) {
    const names: string[] = [];
    const folders: string[] = [];
    const excluded: string[] = [];
    let links = 0;
    for (const entry of [...listing.values()].sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name, isDir, fileType } = entry;
      if (this.filter.isExcluded(pathIn(path, name))) {
        excluded.push(...(isDir ? [name] : []));
      } else if (!isDir) {
        names.push(...(isReadableType(entry) ? [name] : []));
      } else if (fileType === 'symbolic link') {
        links += 1;
      } else {
        folders.push(name);
      }
    }
    return { names, folders, excluded, links };
  }

  /** Returns what is known of a path and each folder above it, up to the root. */
  private above(path: string): readonly (OwnFolder | undefined)[] {
    const found: (OwnFolder | undefined)[] = [];
    for (let at = path; isPathWithin(at, this.root.path); at = folderAndName(at).folder) {
      found.push(this.all.get(at));
      if (at === '/') {
        break;
      }
    }
    return found;
  }

  private setFolders(folder: OwnFolder, names: readonly string[]): boolean {
    const paths = new Set(names.map((name) => pathIn(folder.path, name)));
    const kept: OwnFolder[] = [];
    for (const below of folder.folders) {
      if (paths.delete(below.path)) {
        kept.push(below);
      } else {
        this.clear(below);
        this.all.delete(below.path);
        this.size -= 1;
      }
    }
    const added = [...paths].slice(0, Math.max(0, this.room())).map(emptyFolder);
    added.forEach((one) => this.all.set(one.path, one));
    this.size += added.length;
    folder.folders = [...kept, ...added];
    return added.length === paths.size;
  }

  private setNames(folder: OwnFolder, all: readonly string[]): boolean {
    const room = Math.max(0, this.room() + folder.names.length);
    const names = all.slice(0, room);
    this.size += names.length - folder.names.length;
    const lower = names.map((name) => name.toLowerCase());
    Object.assign(folder, { names, lower, masks: lower.map(letterMask) });
    return names.length === all.length;
  }

  private clear(folder: OwnFolder): void {
    this.setFolders(folder, []);
    this.setNames(folder, []);
    Object.assign(folder, { ...emptyFolder(folder.path), changedAt: folder.changedAt });
  }
}

/** What's kept of a folder that is one above it. */
const linkUp = { names: [], folders: [], excluded: [], links: 1 };

export function folderAndName(path: string): { readonly folder: string; readonly name: string } {
  const end = path.lastIndexOf('/');
  return { folder: path.slice(0, end) || '/', name: path.slice(end + 1) };
}

export function pathIn(folder: string, name: string): string {
  return `${folder === '/' ? '' : folder}/${name}`;
}

/**
 * Returns a number that is the same for a link and the folder above it that it leads to, because a platform may list a
 * link as what it leads to. A single folder proves nothing, because the same happens in `a/a/a`. Files may have changed
 * between the two listings, such as logs.
 */
function fingerprintOf(listing: Listing): number | undefined {
  let sum = 0;
  let isTelling = listing.size > 1;
  for (const { name, isDir, length, lastModified, permission } of listing.values()) {
    isTelling ||= !isDir;
    sum += hashOf([name, isDir, permission, ...(isDir ? [length, lastModified] : [])].join('\n'));
  }
  return isTelling ? sum : undefined;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function emptyFolder(path: string): OwnFolder {
  return {
    path,
    names: [],
    lower: [],
    masks: [],
    folders: [],
    listedAt: undefined,
    error: undefined,
    changedAt: Number.NEGATIVE_INFINITY,
    excluded: [],
    links: 0,
    content: undefined,
  };
}
