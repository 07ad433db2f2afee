import { FileSystemError, type FileType, l10n } from 'vscode';
import type { Containers } from '../../containers/containers';
import { childOf, type FilePlace, isInSameNodes, keyOf } from '../../containers/place';
import { isPlatformError } from '../../platform/errors';
import { escapeLinks } from '../../ui/escapeMarkup';
import { isNotAFolder } from './fileSystemErrors';
import type { OverwriteBackups } from './overwriteBackups';
import { RecentFolders } from './recentFolders';

/**
 * The folders that VS Code has listed. If it moves a folder to another file system, it copies what it was given, and
 * deletes the folder at the end.
 */
export class ListedFolders {
  /**
   * VS Code takes a folder whose listing failed for an empty one, and copies nothing from it. A listing that succeeds in
   * between, for the Explorer, doesn't make the copy complete.
   */
  private readonly failed = new RecentFolders<undefined>(10_000);
  /** The names that VS Code was given. */
  private readonly given = new RecentFolders<Set<string>>(2_000);
  /** The folders that weren't deleted because of what appeared in them. */
  private readonly refused = new RecentFolders<undefined>(100);

  constructor(
    private readonly containers: Pick<Containers, 'list'>,
    private readonly backups: Pick<OverwriteBackups, 'isBackup'>,
  ) {}

  /** Remembers a listing for VS Code, and passes it on. */
  async note(folder: FilePlace, listing: Promise<[string, FileType][]>): Promise<[string, FileType][]> {
    try {
      const entries = await listing;
      this.given.add(folder, new Set(entries.map(([name]) => name)));
      return entries;
    } catch (error) {
      this.failed.add(folder, undefined);
      throw error;
    }
  }

  /** Makes what this window has created known in the folders that VS Code has listed. */
  noteOwn(place: FilePlace): void {
    this.given.take(place);
    for (const { folder, found } of this.given.all()) {
      const above = folder.path === '/' ? '/' : `${folder.path}/`;
      if (place.path.startsWith(above) && isInSameNodes(folder, place)) {
        found.add(place.path.slice(above.length).split('/', 1).join());
      }
    }
  }

  /** Refuses once to delete a folder that VS Code may have moved to another file system without some of its files. */
  async ensureCopied(place: FilePlace): Promise<void> {
    const [failed, given] = [this.failed.take(place), this.given.take(place)];
    const wasRefused = this.refused.take(place).some(({ folder }) => keyOf(folder) === keyOf(place));
    for (const { folder } of failed) {
      if (!(await this.isEmpty(folder))) {
        const text = l10n.t(
          "Couldn't delete {1}: {0} couldn't be listed earlier. If you moved {1}, check the copy first; otherwise delete it again.",
          folder.path,
          place.path,
        );
        throw FileSystemError.NoPermissions(escapeLinks(text));
      }
    }
    if (wasRefused) {
      // Some folders get files all the time.
      return;
    }
    const gained = await Promise.all(given.map(({ folder, found }) => this.gainOf(folder, found)));
    const [first] = gained.flatMap((one) => one ?? []);
    if (first !== undefined) {
      this.refused.add(place, undefined);
      const text = l10n.t(
        "Couldn't delete {1}: {0} was created after VS Code listed its folder. If you moved {1}, check the copy first; otherwise delete it again.",
        first.path,
        place.path,
      );
      throw FileSystemError.NoPermissions(escapeLinks(text));
    }
  }

  /** Returns something in the folder that VS Code wasn't told of, and that isn't from this window. */
  private async gainOf(folder: FilePlace, given: ReadonlySet<string>): Promise<FilePlace | undefined> {
    // What can't be listed is deleted as the user wants it: nothing suggests a loss.
    const entries = await this.containers.list(folder).catch(() => []);
    const gained = entries.filter(({ name }) => !given.has(name)).map(({ name }) => childOf(folder, name));
    return gained.find((one) => !this.backups.isBackup(one));
  }

  /** Whether a folder certainly holds nothing, or is gone. */
  private async isEmpty(folder: FilePlace): Promise<boolean> {
    return this.containers.list(folder, { isProof: true }).then(
      (entries) => entries.length === 0,
      (error: unknown) => isNotAFolder(error) || (isPlatformError(error) && error.kind === 'notFound'),
    );
  }
}
