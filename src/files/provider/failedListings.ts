import { type FilePlace, isPathWithin, keyOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';

/** How long VS Code may take to move a folder, from its listing to its deletion, in milliseconds. */
const longestMove = 60 * 60_000;
const mostFolders = 10_000;

interface FailedListing {
  readonly folder: FilePlace;
  readonly at: number;
}

/**
 * The folders whose listing failed. VS Code takes such a folder for an empty one: if it moves the folder to another file
 * system, it copies nothing from it and deletes it at the end. A listing that succeeds in between, for the Explorer,
 * doesn't make the copy complete.
 */
export class FailedListings {
  private readonly failed = new BoundedMap<string, FailedListing>(mostFolders);

  constructor(private readonly now: () => number = Date.now) {}

  add(folder: FilePlace): void {
    this.failed.set(keyOf(folder), { folder, at: this.now() });
  }

  /** Returns those at or below a place, and forgets them, so that deleting it a second time works. */
  take(place: FilePlace): readonly FilePlace[] {
    const found = [...this.failed].filter(([key]) => isPathWithin(key, keyOf(place)));
    found.forEach(([key]) => this.failed.delete(key));
    return found.flatMap(([, { folder, at }]) => (this.now() - at < longestMove ? [folder] : []));
  }
}
