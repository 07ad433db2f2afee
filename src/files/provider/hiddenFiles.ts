import { type FileStat, FileSystemError, FileType, l10n, Uri } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import type { FolderTrust } from './folderTrust';
import type { StatAndList } from './statAndList';
import { escapeLinks } from '../../ui/escapeMarkup';

/**
 * The files that the user hasn't trusted. Reading them fails as if they didn't exist; creating or changing them fails with an
 * error. Folder listings still show them.
 */
export class HiddenFiles {
  /**
   * @param statAndList finds files, hidden ones too
   * @param onRefused called when a change to a hidden file was refused, so that the user can be asked
   */
  constructor(
    private readonly trust: FolderTrust,
    private readonly statAndList: StatAndList,
    private readonly onRefused: () => void,
  ) {}

  ensureShown(uri: Uri): void {
    if (this.hiddenAt(uri) !== undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
  }

  /** Refuses to delete or move a folder that contains hidden entries not created in this window. */
  async ensureNoneIn(uri: Uri): Promise<void> {
    if (this.hiddenAt(uri) !== undefined) {
      throw this.refusal(uri);
    }
    const place = filePlaceOf(uri);
    if (place === undefined || !this.trust.mayContainHidden(place) || !isFolder(await this.statAndList.stat(uri))) {
      return;
    }
    for (const [name] of await this.statAndList.entries(uri).catch(refuseUnlisted(place))) {
      await this.ensureNoneIn(Uri.joinPath(uri, name));
    }
  }

  /** Creates something. At a hidden path, the platform refuses if it exists; otherwise, the new entry is visible. */
  async create(uri: Uri, work: (mayOverwrite: boolean) => Promise<void>): Promise<void> {
    const hidden = this.hiddenAt(uri);
    await (hidden === undefined ? work(true) : this.trust.whileMaking(this.createHidden(uri, hidden, work)));
  }

  private async createHidden(
    uri: Uri,
    hidden: FilePlace,
    work: (mayOverwrite: boolean) => Promise<void>,
  ): Promise<void> {
    try {
      await work(false);
    } catch (error) {
      throw saysExists(error) ? this.refusal(uri) : error;
    }
    await this.trust.made(hidden, isFolder(await this.statAndList.stat(uri)) ? 'folder' : 'file');
  }

  private hiddenAt(uri: Uri): FilePlace | undefined {
    const place = filePlaceOf(uri);
    return place !== undefined && this.trust.hides(place) ? place : undefined;
  }

  private refusal(uri: Uri): FileSystemError {
    this.onRefused();
    const path = filePlaceOf(uri)?.path ?? uri.path;
    const text = l10n.t("Couldn't change {0}: it's hidden until you trust the files in the opened folder.", path);
    return FileSystemError.NoPermissions(escapeLinks(text));
  }
}

/** For `catch`: some platforms list no empty folder, so trying again doesn't help. */
function refuseUnlisted({ path }: FilePlace): (error: unknown) => never {
  return (error) => {
    if (!isPlatformError(error) || error.obstacle !== 'listMissing') {
      throw error;
    }
    const text = l10n.t(
      "Couldn't check {0} for files that are hidden until you trust the opened folder: the platform's response has no list of files. To move it, trust the opened folder; to delete it anyway, use the Environments view.",
      path,
    );
    throw FileSystemError.NoPermissions(escapeLinks(text));
  };
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
