import type { FileEntry } from '../platform/wire/fileEntry';
import { childOf, type FilePlace } from '../remote/place';

type Entries = ReadonlyMap<string, FileEntry>;

/** What is being changed from here at the moment. While it is, nobody can say whose change a listing shows. */
export class OwnChanges {
  private readonly underway = new Map<string, number>();

  begin(place: FilePlace, done: Promise<unknown>): void {
    const key = anywhere(place);
    this.underway.set(key, (this.underway.get(key) ?? 0) + 1);
    const settled = () => this.end(key);
    done.then(settled, settled);
  }

  /** A listing in which whatever is being changed is as it was before. */
  setAside(folder: FilePlace, before: Entries, listed: Entries): Entries {
    if (this.underway.size === 0) {
      return listed;
    }
    const mixed = new Map(listed);
    for (const name of new Set([...before.keys(), ...listed.keys()])) {
      const was = before.get(name);
      if (!this.underway.has(anywhere(childOf(folder, name)))) {
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

  private end(key: string): void {
    const left = (this.underway.get(key) ?? 0) - 1;
    if (left > 0) {
      this.underway.set(key, left);
    } else {
      this.underway.delete(key);
    }
  }
}

/** A change of a file in a layer is one on all its nodes. */
function anywhere({ account, environment, path }: FilePlace): string {
  return JSON.stringify([account, environment, path]);
}
