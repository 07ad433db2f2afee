import type { Change } from '../files/change';
import type { ContainerFileSystem } from '../files/containerFileSystem';
import type { Listings } from '../remote/listings';
import { parentOf } from '../remote/place';

/** To be told of what was done in containers otherwise than through VS Code. */
export type Happened = (changes: readonly Change[]) => void;

/** Forgets what was known of the folders, and tells VS Code and the views. */
export function tells(listings: Listings, fileSystem: Pick<ContainerFileSystem, 'announceOwn'>): Happened {
  return (changes) => {
    for (const { place } of changes) {
      listings.forget(place);
      listings.forget(parentOf(place) ?? place);
    }
    fileSystem.announceOwn(changes);
  };
}
