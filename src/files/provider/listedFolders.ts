import { FileSystemError, type FileType, l10n, workspace } from 'vscode';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { childOf, type FilePlace, isInSameNodes, isPathWithin, keyOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { isPlatformError } from '../../platform/errors';
import { escapeLinks } from '../../ui/escapeMarkup';
import { versionOf } from '../transfers/containerFolder';
import { isNotAFolder } from './fileSystemErrors';
import type { OverwriteBackups } from './overwriteBackups';
import type { GivenText } from './readFile';
import { RecentFolders } from './recentFolders';

/** Something in a folder that VS Code's copy of it may lack. */
interface Uncopied {
  readonly place: FilePlace;
  readonly kind: 'created' | 'changed';
}

/** A file as VS Code has read it. */
interface ReadFile {
  readonly version: string | undefined;
  /** An editor showed it already. */
  readonly isOpen: boolean;
}

/** What VS Code has listed and read, by key. */
interface CopiedContent {
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, ReadFile>;
}

/**
 * The folders that VS Code has listed, and the files that it has read. If it moves a folder to another file system, it
 * copies what it was given, and deletes the folder at the end.
 */
export class ListedFolders {
  /**
   * VS Code takes a folder whose listing failed for an empty one, and copies nothing from it. A listing that succeeds in
   * between, for the Explorer, doesn't make the copy complete.
   */
  private readonly failed = new RecentFolders<undefined>(10_000);
  /** The names that VS Code was given. */
  private readonly given = new RecentFolders<Set<string>>(2_000);
  /** The files that VS Code has read. Other files may change all the time, such as logs. */
  private readonly read = new RecentFolders<ReadFile>(10_000);
  /** The folders that weren't deleted because of what VS Code's copy may lack. */
  private readonly refused = new RecentFolders<undefined>(100);
  /** The files that VS Code is reading, such as those of a folder that it's copying. */
  private readonly reading = new Set<FilePlace>();

  constructor(
    private readonly containers: Pick<Containers, 'list'>,
    private readonly listings: Pick<Listings, 'forget'>,
    private readonly backups: Pick<OverwriteBackups, 'isBackup'>,
  ) {}

  /** Remembers a listing for VS Code, and passes it on. */
  async note(folder: FilePlace, listing: Promise<[string, FileType][]>): Promise<[string, FileType][]> {
    try {
      const entries = await listing;
      this.give(folder, entries);
      return entries;
    } catch (error) {
      if (isMissing(error)) {
        // If it's created later, VS Code has copied nothing from it.
        this.give(folder, []);
      } else {
        this.failed.add(folder, undefined);
      }
      throw error;
    }
  }

  /** Remembers which version of a file VS Code gets, and passes its text on. */
  async noteRead(place: FilePlace, reading: Promise<GivenText>): Promise<string> {
    const isOpen = isOpenDocument(place);
    this.reading.add(place);
    try {
      const { text, listed } = await reading;
      this.read.add(place, { version: listed && versionOf(listed), isOpen });
      return text;
    } finally {
      this.reading.delete(place);
    }
  }

  /**
   * Makes what this window has created or changed known in the folders that VS Code has listed, except in those that it
   * may be copying: the copy may lack it.
   */
  noteOwn(place: FilePlace): void {
    this.given.forget(place);
    let isBeingCopied = false;
    for (const { folder, found } of this.given.all()) {
      const above = folder.path === '/' ? '/' : `${folder.path}/`;
      if (!place.path.startsWith(above) || !isInSameNodes(folder, place)) {
        continue;
      }
      if (this.isBeingRead(folder, place)) {
        isBeingCopied = true;
      } else {
        found.add(place.path.slice(above.length).split('/', 1).join());
      }
    }
    if (!isBeingCopied) {
      this.read.forget(place);
    }
  }

  /** Refuses once to delete a folder that VS Code may have moved to another file system without some of its files. */
  async ensureCopied(place: FilePlace): Promise<void> {
    const [failed, given, read] = [this.failed.take(place), this.given.take(place), this.read.take(place)];
    const wasRefused = this.refused.take(place).some(({ folder }) => keyOf(folder) === keyOf(place));
    for (const { folder } of failed) {
      if (!(await this.isEmpty(folder).catch(isMissing))) {
        this.refused.add(place, undefined);
        const text = l10n.t(
          "Couldn't delete {1}: {0} couldn't be listed earlier. If you moved {1}, check the copy first; otherwise delete it again.",
          folder.path,
          place.path,
        );
        throw FileSystemError.NoPermissions(escapeLinks(text));
      }
    }
    const folders = new Set(given.map(({ folder }) => keyOf(folder)));
    // A retried move lists the folder and reads its files. The Explorer lists it, too, and editors read files again, but
    // comparing it because of those could refuse every delete of a folder with a log.
    const mayBeMove =
      folders.has(keyOf(place)) && read.some(({ folder, found }) => !found.isOpen && !isOpenDocument(folder));
    if (wasRefused && !mayBeMove) {
      return;
    }
    const copied = { folders, files: new Map(read.map(({ folder, found }) => [keyOf(folder), found])) };
    const uncopied = await Promise.all(given.map(({ folder, found }) => this.uncopiedIn(folder, found, copied)));
    const [first] = uncopied.flatMap((one) => one ?? []);
    if (first !== undefined) {
      this.refused.add(place, undefined);
      // Otherwise VS Code would get the same old listing, and the next delete would be refused, too.
      this.listings.forget(place);
      throw FileSystemError.NoPermissions(escapeLinks(uncopiedText(first, place)));
    }
  }

  /** Returns something in the folder that VS Code wasn't told of, or a file that has changed since VS Code read it. */
  private async uncopiedIn(
    folder: FilePlace,
    given: ReadonlySet<string>,
    { folders, files }: CopiedContent,
  ): Promise<Uncopied | undefined> {
    // What can't be listed is deleted as the user wants it: nothing suggests a loss.
    const entries = await this.containers.list(folder).catch(() => []);
    for (const entry of entries) {
      const place = childOf(folder, entry.name);
      const key = keyOf(place);
      const isGiven = given.has(entry.name) || folders.has(key) || files.has(key);
      if (!isGiven && !this.backups.isBackup(place)) {
        return { place, kind: 'created' };
      }
      const version = files.get(key)?.version;
      if (version !== undefined && version !== versionOf(entry)) {
        return { place, kind: 'changed' };
      }
    }
    return undefined;
  }

  private give(folder: FilePlace, entries: readonly (readonly [name: string, type: FileType])[]): void {
    // While VS Code copies a folder, the Explorer may list it, too. What's new in it isn't copied unless it's read.
    const copied = this.isBeingRead(folder) ? this.given.at(folder) : undefined;
    this.given.add(folder, copied ?? new Set(entries.map(([name]) => name)));
  }

  /** Whether VS Code reads a file in the folder. One that this window changes doesn't count. */
  private isBeingRead(folder: FilePlace, changed?: FilePlace): boolean {
    const isChanged = (file: FilePlace) => file.path === changed?.path && isInSameNodes(file, changed);
    return [...this.reading].some((file) => isPathWithin(keyOf(file), keyOf(folder)) && !isChanged(file));
  }

  /** Whether a folder certainly has nothing but what VS Code has just deleted in it. */
  async isEmpty(folder: FilePlace): Promise<boolean> {
    const entries = await this.containers.list(folder, { isProof: true });
    return entries.every(({ name }) => this.backups.isBackup(childOf(folder, name)));
  }
}

function isMissing(error: unknown): boolean {
  const isNotFound = isPlatformError(error)
    ? error.kind === 'notFound'
    : error instanceof FileSystemError && ['FileNotFound', 'FileNotADirectory'].includes(error.code);
  return isNotFound || isNotAFolder(error);
}

function isOpenDocument(place: FilePlace): boolean {
  const uri = uriOf(place).toString();
  return workspace.textDocuments.some((document) => document.uri.toString() === uri);
}

function uncopiedText({ place, kind }: Uncopied, { path }: FilePlace): string {
  return kind === 'created'
    ? l10n.t(
        "Couldn't delete {1}: {0} was created after VS Code listed its folder. If you moved {1}, check the copy first; otherwise delete it again.",
        place.path,
        path,
      )
    : l10n.t(
        "Couldn't delete {1}: {0} was changed after VS Code read it. If you moved {1}, check the copy first; otherwise delete it again.",
        place.path,
        path,
      );
}
