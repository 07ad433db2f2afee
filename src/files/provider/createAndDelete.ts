import { FileSystemError, l10n, Uri } from 'vscode';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import type { OverwriteBackups } from './overwriteBackups';
import { type FilePlace, uriParts } from '../../containers/place';

export interface CreateAndDeleteDeps {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly backups: Pick<OverwriteBackups, 'delete'>;
}

/** Makes folders and deletes. */
export class CreateAndDelete {
  constructor(private readonly deps: CreateAndDeleteDeps) {}

  async createFolder(folder: FilePlace): Promise<void> {
    if (folder.path === '/') {
      throw FileSystemError.FileExists(Uri.from(uriParts(folder)));
    }
    await this.deps.containers.createFolder(folder);
  }

  async delete(place: FilePlace, { recursive }: { readonly recursive: boolean }): Promise<void> {
    const { containers, listings, backups } = this.deps;
    const uri = Uri.from(uriParts(place));
    if (place.path === '/') {
      throw FileSystemError.NoPermissions(l10n.t("A container's root cannot be deleted."));
    }
    // What is known may be old: nothing is called gone, or empty, without a fresh look.
    const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
    if (entry === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    if (entry.isDir && !recursive && (await listings.refresh(place)).size > 0) {
      throw new FileSystemError(l10n.t('{0} is not empty.', place.path));
    }
    // VS Code always deletes what it overwrites recursively.
    const remove = () => containers.delete(place);
    await (recursive ? backups.delete(place, entry, remove) : remove());
  }
}
