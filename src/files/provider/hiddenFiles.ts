import { type FileStat, FileSystemError, FileType, l10n, Uri } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import type { FolderTrust } from './folderTrust';

export interface HiddenFilesDeps {
  readonly trust: FolderTrust;
  /** A change to a hidden file was refused, so that the user can be asked. */
  onRefused(): void;
}

/** Finds files, hidden ones too. */
export interface FileFinder {
  stat(uri: Uri): Promise<FileStat>;
  entries(folder: Uri): Promise<readonly (readonly [name: string, type: FileType])[]>;
}

/**
 * The files that the user hasn't trusted. Reading them fails as if they didn't exist; creating or changing them fails with an
 * error. Folder listings still show them.
 */
export class HiddenFiles {
  constructor(private readonly deps: HiddenFilesDeps) {}

  ensureShown(uri: Uri): void {
    if (this.hiddenAt(uri) !== undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
  }

  /** Refuses to delete or move a folder that contains hidden entries not created in this window. */
  async ensureNoneIn(uri: Uri, finder: FileFinder): Promise<void> {
    if (this.hiddenAt(uri) !== undefined) {
      throw this.refusal(uri);
    }
    const place = filePlaceOf(uri);
    if (place === undefined || !this.deps.trust.mayContainHidden(place) || !isFolder(await finder.stat(uri))) {
      return;
    }
    for (const [name] of await finder.entries(uri)) {
      await this.ensureNoneIn(Uri.joinPath(uri, name), finder);
    }
  }

  /** Creates something. At a hidden path, the platform refuses if it exists; otherwise, the new entry is visible. */
  async make(uri: Uri, finder: FileFinder, work: (mayOverwrite: boolean) => Promise<void>): Promise<void> {
    const hidden = this.hiddenAt(uri);
    await (hidden === undefined ? work(true) : this.deps.trust.whileMaking(this.makeHidden(uri, hidden, finder, work)));
  }

  private async makeHidden(
    uri: Uri,
    hidden: FilePlace,
    finder: FileFinder,
    work: (mayOverwrite: boolean) => Promise<void>,
  ): Promise<void> {
    try {
      await work(false);
    } catch (error) {
      throw saysExists(error) ? this.refusal(uri) : error;
    }
    await this.deps.trust.made(hidden, isFolder(await finder.stat(uri)) ? 'folder' : 'file');
  }

  private hiddenAt(uri: Uri): FilePlace | undefined {
    const place = filePlaceOf(uri);
    return place !== undefined && this.deps.trust.hides(place) ? place : undefined;
  }

  private refusal(uri: Uri): FileSystemError {
    this.deps.onRefused();
    const path = filePlaceOf(uri)?.path ?? uri.path;
    return FileSystemError.NoPermissions(
      l10n.t("Couldn't change {0}: it's hidden until you trust the files in the opened folder.", path),
    );
  }
}

function isFolder({ type }: FileStat): boolean {
  return (type & FileType.Directory) !== 0;
}

function saysExists(error: unknown): boolean {
  return (
    (error instanceof FileSystemError && error.code === 'FileExists') ||
    (isPlatformError(error) && error.kind === 'exists')
  );
}
