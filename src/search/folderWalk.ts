import { TaskPool } from '../async/taskPool';
import type { Listing } from '../containers/listingCache';
import { childOf, type FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { PathFilter } from '../containers/pathFilter';

/** How many folders are listed at a time. */
export const foldersAtOnce = 4;

export interface FolderWalkDeps {
  /** Lists a folder when it's its turn. */
  readonly list: (folder: FilePlace, signal: AbortSignal) => Promise<Listing>;
  readonly filter: PathFilter;
  readonly signal: AbortSignal;
  readonly onFile: (file: FilePlace, entry: FileEntry) => void;
  /** Told of excluded files and folders, and of links. */
  readonly onSkipped: (skipped: {
    readonly place: FilePlace;
    readonly isFolder: boolean;
    readonly reason: 'excluded' | 'link';
  }) => void;
  /** Told of a folder that couldn't be listed. If it throws, the walk ends. */
  readonly onFailure: (folder: FilePlace, error: unknown) => void;
  readonly onListed?: (folder: FilePlace) => void;
}

/** A folder to enter, with the listings of those above it that were entered before. */
interface Step {
  readonly folder: FilePlace;
  readonly above: readonly Listing[];
}

/** Finds the files below a folder, those near to it first. Links aren't followed as far as they can be told. */
export async function walkFolder(root: FilePlace, deps: FolderWalkDeps): Promise<void> {
  const work = new TaskPool(foldersAtOnce, deps.signal);
  const add = (step: Step) => work.add(() => enter(step, deps, add));
  add({ folder: root, above: [] });
  await work.finished();
}

async function enter({ folder, above }: Step, deps: FolderWalkDeps, add: (step: Step) => void): Promise<void> {
  const { filter, onFile, onSkipped } = deps;
  const listing = await listed(folder, deps);
  if (deps.signal.aborted) {
    return;
  }
  if (above.some((one) => isSameFolder(one, listing))) {
    onSkipped({ place: folder, isFolder: true, reason: 'link' });
    return;
  }
  for (const entry of inOrder(listing)) {
    const place = childOf(folder, entry.name);
    const isLink = entry.fileType === 'symbolic link';
    const isFolder = entry.isDir && !isLink;
    if (!(entry.isDir ? filter.mayContain(place.path) : filter.isIncluded(place.path))) {
      continue;
    }
    if (filter.isExcluded(place.path)) {
      onSkipped({ place, isFolder, reason: 'excluded' });
    } else if (isLink) {
      onSkipped({ place, isFolder: entry.isDir, reason: 'link' });
    } else if (isFolder) {
      add({ folder: place, above: [...above, listing] });
    } else {
      onFile(place, entry);
    }
  }
}

/** Returns nothing if it fails. */
async function listed(folder: FilePlace, deps: FolderWalkDeps): Promise<Listing> {
  try {
    const listing = await deps.list(folder, deps.signal);
    deps.onListed?.(folder);
    return listing;
  } catch (error) {
    if (!deps.signal.aborted) {
      deps.onFailure(folder, error);
    }
    return new Map();
  }
}

/**
 * Whether a folder and one above it have the same content. A platform may list a link as what it leads to, so this is
 * the only sign that a link leads back up, where the walk would never end. A single folder proves nothing, because the
 * same happens in `a/a/a`. If it is such a link, the server itself refuses a path that follows too many of them. Files
 * may have changed between the two listings, such as logs.
 */
function isSameFolder(above: Listing, below: Listing): boolean {
  const entries = [...below.values()];
  const isTelling = entries.length > 1 || entries.some(({ isDir }) => !isDir);
  return isTelling && above.size === below.size && entries.every((entry) => isSameEntry(entry, above.get(entry.name)));
}

function isSameEntry(one: FileEntry, other: FileEntry | undefined): boolean {
  return (
    one.isDir === other?.isDir &&
    one.permission === other.permission &&
    (!one.isDir || (one.length === other.length && one.lastModified === other.lastModified))
  );
}

function inOrder(listing: Listing): readonly FileEntry[] {
  return [...listing.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
