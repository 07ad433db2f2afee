import { walk } from '../../async/walk';
import type { Listing } from '../../containers/listingCache';
import { childOf, type FilePlace } from '../../containers/place';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { PathFilter } from '../../containers/pathFilter';

/** How many folders are listed at a time. */
export const foldersAtOnce = 4;

export interface FolderWalkDeps {
  /** Lists a folder when it's its turn. */
  readonly list: (folder: FilePlace) => Promise<Listing>;
  readonly filter: PathFilter;
  readonly signal: AbortSignal;
  readonly onFile: (file: FilePlace, entry: FileEntry) => void;
  /** Gets each excluded file and folder, and each link. */
  readonly onSkipped: (skipped: {
    readonly place: FilePlace;
    readonly isFolder: boolean;
    readonly reason: 'excluded' | 'link';
  }) => void;
  /** Gets each folder that couldn't be listed. If it throws, the walk ends. */
  readonly onFailure: (folder: FilePlace, error: unknown) => void;
}

/** A folder to enter, with the listings of those above it that were entered before. */
interface Step {
  readonly folder: FilePlace;
  readonly above: readonly Listing[];
}

/** Finds the files below a folder, those near to it first. Links aren't followed as far as they can be told. */
export async function walkFolder(root: FilePlace, deps: FolderWalkDeps): Promise<void> {
  await walk<Step>([{ folder: root, above: [] }], {
    enter: (step) => enter(step, deps),
    atOnce: foldersAtOnce,
    signal: deps.signal,
    onFailure: ({ folder }, error) => deps.onFailure(folder, error),
  });
}

/** Returns the folders in it to enter next. */
async function enter({ folder, above }: Step, deps: FolderWalkDeps): Promise<readonly Step[]> {
  const { filter, signal, onFile, onSkipped } = deps;
  const listing = await deps.list(folder);
  if (signal.aborted) {
    return [];
  }
  if (above.some((one) => looksLikeLoop(one, listing))) {
    onSkipped({ place: folder, isFolder: true, reason: 'link' });
    return [];
  }
  const below: Step[] = [];
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
      below.push({ folder: place, above: [...above, listing] });
    } else {
      onFile(place, entry);
    }
  }
  return below;
}

/**
 * Whether a folder and one above it have the same content. A platform may list a link as what it leads to, so this is
 * the only sign that a link leads back up, where the walk would never end. A single folder proves nothing, because the
 * same happens in `a/a/a`. If it is such a link, the server itself refuses a path that follows too many of them. Files
 * may have changed between the two listings, such as logs.
 */
function looksLikeLoop(above: Listing, below: Listing): boolean {
  const entries = [...below.values()];
  const isTelling = entries.length > 1 || entries.some(({ isDir }) => !isDir);
  return isTelling && above.size === below.size && entries.every((entry) => looksAlike(entry, above.get(entry.name)));
}

function looksAlike(one: FileEntry, other: FileEntry | undefined): boolean {
  return (
    one.isDir === other?.isDir &&
    one.permission === other.permission &&
    (!one.isDir || (one.length === other.length && one.lastModified === other.lastModified))
  );
}

function inOrder(listing: Listing): readonly FileEntry[] {
  return [...listing.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
