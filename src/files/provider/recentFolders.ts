import { type FilePlace, isInSameNodes, isPathWithin, keyOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';

/** How long VS Code may take to move a folder, from its listing to its deletion, in milliseconds. */
const longestMove = 60 * 60_000;

interface RecentFolder<T> {
  readonly folder: FilePlace;
  readonly found: T;
  readonly at: number;
}

/** What VS Code found in folders, as long as a move that began with it may last. */
export class RecentFolders<T> {
  private readonly recent: BoundedMap<string, RecentFolder<T>>;

  constructor(
    most: number,
    private readonly now: () => number = Date.now,
  ) {
    this.recent = new BoundedMap(most);
  }

  add(folder: FilePlace, found: T): void {
    this.recent.set(keyOf(folder), { folder, found, at: this.now() });
  }

  /** Returns what was found last, if that isn't too long ago. */
  at(folder: FilePlace): T | undefined {
    const one = this.recent.get(keyOf(folder));
    return one !== undefined && this.isRecent(one) ? one.found : undefined;
  }

  all(): readonly RecentFolder<T>[] {
    return [...this.recent.values()];
  }

  /** Returns those at or below a place, and forgets them, so that deleting it a second time works. */
  take(place: FilePlace): readonly RecentFolder<T>[] {
    const above = keyOf(place);
    const taken = [...this.recent].filter(([key]) => isPathWithin(key, above));
    taken.forEach(([key]) => this.recent.delete(key));
    return taken.flatMap(([, one]) => (this.isRecent(one) ? [one] : []));
  }

  /** Forgets those at or below a place, also where a layer or its nodes have the same. */
  forget(place: FilePlace): void {
    for (const [key, { folder }] of [...this.recent]) {
      if (isPathWithin(folder.path, place.path) && isInSameNodes(folder, place)) {
        this.recent.delete(key);
      }
    }
  }

  private isRecent({ at }: RecentFolder<T>): boolean {
    return this.now() - at < longestMove;
  }
}
