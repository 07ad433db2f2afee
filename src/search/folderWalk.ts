import { GrowingWork } from '../async/growingWork';
import type { Listing } from '../containers/listingCache';
import { childOf, type FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { PathFilter } from './pathFilter';

/** How many folders are listed at a time. */
const foldersAtOnce = 4;

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

/**
 * Finds the files below a folder, those near to it first. Links aren't followed, because they may lead anywhere, even
 * in circles.
 */
export async function walkFolder(root: FilePlace, deps: FolderWalkDeps): Promise<void> {
  const work = new GrowingWork(foldersAtOnce, deps.signal);
  const enter = (folder: FilePlace) =>
    work.add(async () => {
      const listing = await listed(folder, deps);
      for (const entry of inOrder(listing)) {
        const place = childOf(folder, entry.name);
        if (entry.isDir && entry.fileType !== 'symbolic link') {
          if (deps.filter.isExcluded(place.path)) {
            deps.onSkipped({ place, isFolder: true, reason: 'excluded' });
          } else if (deps.filter.mayContain(place.path)) {
            enter(place);
          }
        } else if (deps.filter.isIncluded(place.path)) {
          if (deps.filter.isExcluded(place.path)) {
            deps.onSkipped({ place, isFolder: false, reason: 'excluded' });
          } else if (entry.fileType === 'symbolic link') {
            deps.onSkipped({ place, isFolder: entry.isDir, reason: 'link' });
          } else {
            deps.onFile(place, entry);
          }
        }
      }
    });
  enter(root);
  await work.finished();
}

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

function inOrder(listing: Listing): readonly FileEntry[] {
  return [...listing.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
