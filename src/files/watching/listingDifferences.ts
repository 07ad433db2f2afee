import { type FileEntry, isSameEntry } from '../../platform/wire/fileEntry';
import { childOf, type FilePlace } from '../../containers/place';
import { PendingWork } from '../../async/sharedCalls';

export interface ListingDifference {
  readonly name: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** Returns the changes between two listings of a folder. */
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
    } else if (!entry.isDir && !(isSameEntry(was, entry) && was.permission === entry.permission)) {
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

type Entries = ReadonlyMap<string, FileEntry>;

/** The changes that Gantry is making. Until they end, a listing doesn't show who changed an entry. */
export class OwnChanges {
  private readonly underway = new PendingWork();

  begin(place: FilePlace, done: Promise<unknown>): void {
    void this.underway.add(anywhere(place), done);
  }

  /** Returns the listing with the entries that Gantry is changing as they were before. */
  withoutPendingChanges(folder: FilePlace, before: Entries, listed: Entries): Entries {
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

/** The results of Gantry's own changes in a folder since its last check. */
export class OwnResults {
  /** The entry after a change, or `unchecked` if the folder wasn't listed during the change. */
  private readonly results = new Map<string, FileEntry | 'unchecked' | 'gone'>();
  /** The last listed entries of names that Gantry is changing, for example while verifying a save. */
  private readonly verified = new Map<string, FileEntry>();

  verify(entry: FileEntry): void {
    this.verified.set(entry.name, entry);
  }

  /** @param isUnderway whether the change is still running, so that its last listed entry is its result */
  done(name: string, result: 'there' | 'gone', { isUnderway }: { readonly isUnderway: boolean }): void {
    const left = (isUnderway ? this.verified.get(name) : undefined) ?? 'unchecked';
    this.results.set(name, result === 'gone' ? 'gone' : left);
    this.verified.delete(name);
  }

  /** Returns the folder as Gantry left it. If a change wasn't checked, the current entry counts as its result. */
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

/** Leaves out the node, because a change to a layer affects all its nodes. */
function anywhere({ account, environment, path }: FilePlace): string {
  return JSON.stringify([account, environment, path]);
}
