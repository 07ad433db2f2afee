import type { FileEntry } from '../../platform/wire/fileEntry';
import { childOf, type FilePlace } from '../../containers/place';
import { Underway } from '../underway';

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

type Entries = ReadonlyMap<string, FileEntry>;

/** What is being changed from here at the moment. While it is, nobody can say whose change a listing shows. */
export class OwnChanges {
  private readonly underway = new Underway();

  begin(place: FilePlace, done: Promise<unknown>): void {
    this.underway.add(anywhere(place), done);
  }

  /** A listing in which whatever is being changed is as it was before. */
  setAside(folder: FilePlace, before: Entries, listed: Entries): Entries {
    if (this.underway.isEmpty) {
      return listed;
    }
    const mixed = new Map(listed);
    for (const name of new Set([...before.keys(), ...listed.keys()])) {
      const was = before.get(name);
      if (!this.isUnderway(folder, name)) {
        continue;
      }
      if (was === undefined) {
        mixed.delete(name);
      } else {
        mixed.set(name, was);
      }
    }
    return mixed;
  }

  isUnderway(folder: FilePlace, name: string): boolean {
    return !this.underway.isEmpty && this.underway.has(anywhere(childOf(folder, name)));
  }
}

/** What Gantry's own changes left in one folder since it was last compared. */
export class OwnResults {
  /** The entry that a change left, or `unchecked` if nobody has listed it during the change. */
  private readonly results = new Map<string, FileEntry | 'unchecked' | 'gone'>();
  /** The last listed entries of names that Gantry is changing, for example while verifying a save. */
  private readonly verified = new Map<string, FileEntry>();

  verify(entry: FileEntry): void {
    this.verified.set(entry.name, entry);
  }

  /** @param isUnderway whether the change is still under way, so that its last listed entry is its result */
  done(name: string, result: 'there' | 'gone', { isUnderway }: { readonly isUnderway: boolean }): void {
    const left = (isUnderway ? this.verified.get(name) : undefined) ?? 'unchecked';
    this.results.set(name, result === 'gone' ? 'gone' : left);
    this.verified.delete(name);
  }

  /** The folder as Gantry left it. If it wasn't checked after a change, its current state counts as the result of that change. */
  apply(before: Entries, listed: Entries): Entries {
    if (this.results.size === 0) {
      return before;
    }
    const left = new Map(before);
    for (const [name, result] of this.results) {
      const entry = result === 'unchecked' ? (listed.get(name) ?? before.get(name)) : result;
      if (entry === undefined || entry === 'gone') {
        left.delete(name);
      } else {
        left.set(name, entry);
      }
    }
    return left;
  }

  clear(): void {
    this.results.clear();
    this.verified.clear();
  }
}

/** A change of a file in a layer is one on all its nodes. */
function anywhere({ account, environment, path }: FilePlace): string {
  return JSON.stringify([account, environment, path]);
}
