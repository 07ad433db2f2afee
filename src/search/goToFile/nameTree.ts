import type { Listing } from '../../containers/listingCache';
import { type FilePlace, isPathWithin, isSameContainer } from '../../containers/place';
import { isReadableType } from '../../platform/wire/fileEntry';
import { letterMask } from './nameQuery';
import type { NamesInFolder } from './nameSearch';
import type { PathFilter } from '../../containers/pathFilter';

/** A folder with the names of its files. */
export interface NamedFolder extends NamesInFolder {
  readonly folders: ReadonlyMap<string, NamedFolder>;
  /** When its names were requested, or `undefined` if they must be listed. */
  readonly listedAt: number | undefined;
  /** Why it couldn't be listed. */
  readonly error: unknown;
  /** The names of folders in it that aren't entered, because of the settings. */
  readonly excluded: readonly string[];
  /** How many links to folders are in it. They aren't followed. */
  readonly links: number;
}

interface OwnFolder extends NamedFolder {
  names: readonly string[];
  masks: readonly number[];
  folders: Map<string, OwnFolder>;
  listedAt: number | undefined;
  /** When a change in it was noticed. A listing that was requested before doesn't show it. */
  changedAt: number;
  error: unknown;
  excluded: readonly string[];
  links: number;
  /** What `fingerprintOf` returns for its listing. */
  content: number | undefined;
}

/** The folders below one, and the names of their files. */
export class NameTree {
  private readonly top: OwnFolder;
  /** The number of names and folders, which both need memory. */
  size = 1;

  /** @param room returns how many more names and folders the tree may have */
  constructor(
    private readonly root: FilePlace,
    private readonly filter: PathFilter,
    private readonly room: () => number,
  ) {
    this.top = emptyFolder(root.path);
  }

  /** Returns the folder and all that are known below it, those near to it first. */
  below(path: string): Iterable<NamedFolder> {
    const { found, isWhole } = this.nearest(path);
    return isWhole ? withFoldersBelow(found) : [];
  }

  /** Returns the folder of this path, or the nearest above it that's known. */
  nearest(path: string): { readonly found: NamedFolder; readonly isWhole: boolean } {
    return this.find(path);
  }

  /** Whether the place is the root or below it. */
  contains(place: FilePlace): boolean {
    return isSameContainer(place, this.root) && isPathWithin(place.path, this.root.path);
  }

  /** Replaces a folder's names. Returns whether there was room for all. */
  put(path: string, listing: Listing, askedAt: number): boolean {
    const { found: folder, isWhole } = this.find(path);
    if (!isWhole) {
      return true;
    }
    const { names, folders, excluded, links } = this.contentOf(path, listing);
    const content = fingerprintOf(listing);
    const leadsUp = content !== undefined && this.above(path).some((above) => above.content === content);
    const areFoldersComplete = this.setFolders(folder, leadsUp ? [] : folders);
    const isComplete = this.setNames(folder, leadsUp ? [] : names) && areFoldersComplete;
    Object.assign(folder, leadsUp ? { excluded: [], links: 1, content } : { excluded, links, content });
    folder.error = undefined;
    folder.listedAt = isComplete && askedAt > folder.changedAt ? askedAt : undefined;
    return isComplete;
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

  /** Returns the folders that this path is in. */
  private above(path: string): readonly OwnFolder[] {
    const above: OwnFolder[] = [];
    for (let at = path; at !== this.root.path && at !== '/';) {
      at = folderAndName(at).folder;
      above.push(this.find(at).found);
    }
    return above;
  }

  /** Notes that a folder can't be listed. */
  putError(path: string, error: unknown, listedAt: number | undefined): void {
    const { found } = this.find(path);
    this.clear(found);
    found.error = error;
    found.listedAt = listedAt;
  }

  /** Removes a file, or a folder with everything below it. */
  remove(path: string, now: number): void {
    const { folder: above, name } = folderAndName(path);
    const { found, isWhole } = this.find(above);
    if (!isWhole || path === this.root.path) {
      return;
    }
    found.changedAt = now;
    const folder = found.folders.get(name);
    if (folder !== undefined) {
      this.removeFolder(found, name, folder);
    } else if (found.names.includes(name)) {
      this.setNames(
        found,
        found.names.filter((one) => one !== name),
      );
    }
  }

  /** Notes that something else is in a folder now. */
  outdate(path: string, now: number): void {
    const { found } = this.find(path);
    found.changedAt = now;
    found.listedAt = undefined;
  }

  clearAll(): void {
    this.clear(this.top);
  }

  private find(path: string): { readonly found: OwnFolder; readonly isWhole: boolean } {
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

  private setFolders(folder: OwnFolder, names: readonly string[]): boolean {
    const kept = new Set(names);
    for (const [name, below] of folder.folders) {
      if (!kept.has(name)) {
        this.removeFolder(folder, name, below);
      }
    }
    const added = names.filter((name) => !folder.folders.has(name));
    const fitting = added.slice(0, Math.max(0, this.room()));
    for (const name of fitting) {
      folder.folders.set(name, emptyFolder(pathIn(folder.path, name)));
    }
    this.size += fitting.length;
    return fitting.length === added.length;
  }

  private setNames(folder: OwnFolder, all: readonly string[]): boolean {
    const room = Math.max(0, this.room() + folder.names.length);
    const names = all.length > room ? all.slice(0, room) : all;
    this.size += names.length - folder.names.length;
    folder.names = names;
    folder.masks = names.map((name) => letterMask(name.toLowerCase()));
    return names.length === all.length;
  }

  private removeFolder(above: OwnFolder, name: string, folder: OwnFolder): void {
    this.clear(folder);
    above.folders.delete(name);
    this.size -= 1;
  }

  private clear(folder: OwnFolder): void {
    for (const below of folder.folders.values()) {
      this.clear(below);
    }
    this.size -= folder.names.length + folder.folders.size;
    Object.assign(folder, { ...emptyFolder(folder.path), changedAt: folder.changedAt });
  }
}

/** Divides a path into its folder and its name. */
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

/** Breadth first. */
function* withFoldersBelow(top: NamedFolder): Iterable<NamedFolder> {
  let level: readonly NamedFolder[] = [top];
  while (level.length > 0) {
    yield* level;
    level = level.flatMap(({ folders }) => [...folders.values()]);
  }
}

function emptyFolder(path: string): OwnFolder {
  return {
    ...{ path, names: [], masks: [], folders: new Map<string, OwnFolder>() },
    ...{ listedAt: undefined, changedAt: Number.NEGATIVE_INFINITY, error: undefined, excluded: [], links: 0 },
    content: undefined,
  };
}
