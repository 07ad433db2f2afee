import { type FileEntry, isSameEntry } from '../platform/wire/fileEntry';
import type { Listing } from './listingCache';

/**
 * Whether a folder and one above it have the same content. A platform may list a link as what it leads to, so this is
 * the only sign that a link leads back up, where a walk would never end. A single folder proves nothing, because the
 * same happens in `a/a/a`. If it is such a link, the server itself refuses a path that follows too many of them. Files
 * may have changed between the two listings, such as logs.
 */
export function looksLikeLoop(above: Listing, below: Listing): boolean {
  const entries = [...below.values()];
  const isTelling = entries.length > 1 || entries.some(({ isDir }) => !isDir);
  return isTelling && above.size === below.size && entries.every((entry) => looksAlike(entry, above.get(entry.name)));
}

function looksAlike(one: FileEntry, other: FileEntry | undefined): boolean {
  return one.isDir === other?.isDir && one.permission === other.permission && (!one.isDir || isSameEntry(one, other));
}
