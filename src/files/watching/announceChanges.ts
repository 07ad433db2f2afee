import { FileChangeType } from 'vscode';
import type { ContainerFileSystem, FileChange } from '../provider/containerFileSystem';
import type { Listings } from '../../containers/listings';
import { parentOrSelf } from '../../containers/place';

/** Announces container changes that weren't made through VS Code: to VS Code, the views and the cached listings. */
export function announceChanges(listings: Listings, fileSystem: Pick<ContainerFileSystem, 'announce' | 'announceOwn'>) {
  return (changes: readonly FileChange[]): void => {
    // The platform creates missing folders, such as the one that an archive is unpacked into.
    const created = changes.flatMap(({ place }) => listings.topmostUnlisted(parentOrSelf(place)) ?? []);
    for (const folder of created) {
      listings.forget(parentOrSelf(folder));
    }
    if (created.length > 0) {
      fileSystem.announce(created.map((place) => ({ place, type: FileChangeType.Created })));
    }
    for (const { place } of changes) {
      listings.forget(parentOrSelf(place));
    }
    fileSystem.announceOwn(changes);
  };
}
