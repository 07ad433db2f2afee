import { GrowingWork } from '../async/growingWork';
import type { Listing } from '../containers/listingCache';
import { childOf, type FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { PathFilter } from './pathFilter';

/** How many folders are listed at a time. */
export const foldersAtOnce = 4;

export interface FolderWalkDeps {
  /** Lists a folder when it's its turn. */
  readonly list: (folder: FilePlace, signal: AbortSignal) => Promise<Listing>;
  readonly filter: PathFilter;
  readonly signal: AbortSignal;
  readonly onFile: (file: FilePlace, entry: FileEntry) => void;
  /** Told of folders and links that aren't entered. */
  readonly onSkipped: (place: FilePlace, reason: 'excluded' | 'link') => void;
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
      const { files, folders, skipped } = contentsOf(folder, await listed(folder, deps), deps.filter);
      skipped.forEach(({ place, reason }) => deps.onSkipped(place, reason));
      files.forEach(({ file, entry }) => deps.onFile(file, entry));
      folders.forEach(enter);
    });
  enter(root);
  await work.finished();
}

interface FolderContents {
  readonly files: readonly { readonly file: FilePlace; readonly entry: FileEntry }[];
  /** The folders to enter. */
  readonly folders: readonly FilePlace[];
  readonly skipped: readonly { readonly place: FilePlace; readonly reason: 'excluded' | 'link' }[];
}

/** Divides a folder's entries into files, folders to enter, and what isn't entered. */
export function contentsOf(folder: FilePlace, listing: Listing, filter: PathFilter): FolderContents {
  const files: FolderContents['files'][number][] = [];
  const folders: FilePlace[] = [];
  const skipped: FolderContents['skipped'][number][] = [];
  for (const entry of inOrder(listing)) {
    const place = childOf(folder, entry.name);
    const isLink = entry.fileType === 'symbolic link';
    if (entry.isDir && !isLink) {
      if (filter.isExcluded(place.path)) {
        skipped.push({ place, reason: 'excluded' });
      } else if (filter.mayContain(place.path)) {
        folders.push(place);
      }
    } else if (filter.isIncluded(place.path) && !filter.isExcluded(place.path)) {
      if (isLink) {
        skipped.push({ place, reason: 'link' });
      } else {
        files.push({ file: place, entry });
      }
    }
  }
  return { files, folders, skipped };
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
