import type { FileEntry } from '../../platform/wire/fileEntry';

export interface ListingDifference {
  readonly name: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** What a second listing of a folder shows to have happened since the first. */
export function listingDifferences(
  before: ReadonlyMap<string, FileEntry>,
  after: ReadonlyMap<string, FileEntry>,
): readonly ListingDifference[] {
  const found: ListingDifference[] = [];
  for (const [name, entry] of after) {
    const was = before.get(name);
    if (was === undefined) {
      found.push({ name, kind: 'created' });
    } else if (was.isDir !== entry.isDir) {
      found.push({ name, kind: 'deleted' }, { name, kind: 'created' });
    } else if (!entry.isDir && isOther(was, entry)) {
      found.push({ name, kind: 'changed' });
    }
  }
  for (const name of before.keys()) {
    if (!after.has(name)) {
      found.push({ name, kind: 'deleted' });
    }
  }
  return found;
}

function isOther(was: FileEntry, is: FileEntry): boolean {
  return was.length !== is.length || was.lastModified !== is.lastModified || was.permission !== is.permission;
}
