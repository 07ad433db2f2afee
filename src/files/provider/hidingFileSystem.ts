import { FileSystemError, type FileSystemProvider, FileType, l10n, Uri } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import type { FolderTrust } from './folderTrust';

/**
 * Wraps the file system and hides files that the user hasn't trusted. Reading them fails as if they didn't exist; creating
 * or changing them fails with an error. Folder listings still show them.
 *
 * @param onRefused called when a change to a hidden file was refused, so that the user can be asked
 */
export function hidingFileSystem(
  fileSystem: FileSystemProvider,
  trust: FolderTrust,
  onRefused: () => void,
): FileSystemProvider {
  const hiddenAt = (uri: Uri): FilePlace | undefined => {
    const place = filePlaceOf(uri);
    return place !== undefined && trust.hides(place) ? place : undefined;
  };
  const demandShown = (uri: Uri): void => {
    if (hiddenAt(uri) !== undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
  };
  const refuse = (uri: Uri): FileSystemError => {
    onRefused();
    const path = filePlaceOf(uri)?.path ?? uri.path;
    return FileSystemError.NoPermissions(
      l10n.t("Couldn't change {0}: it's hidden until you trust the files in the opened folder.", path),
    );
  };
  const demandChangeable = (uri: Uri): void => {
    if (hiddenAt(uri) !== undefined) {
      throw refuse(uri);
    }
  };
  /** Refuses to delete or move a folder in which something is hidden, next to what was created in this window. */
  const demandNothingHiddenIn = async (uri: Uri): Promise<void> => {
    demandChangeable(uri);
    const place = filePlaceOf(uri);
    if (place === undefined || !trust.mayHideIn(place) || !isFolder((await fileSystem.stat(uri)).type)) {
      return;
    }
    for (const [name] of await fileSystem.readDirectory(uri)) {
      await demandNothingHiddenIn(Uri.joinPath(uri, name));
    }
  };
  /** Creates something. At a hidden path, the platform refuses if it exists; otherwise, what was created is visible. */
  const make = async (uri: Uri, work: (overwrite: boolean) => unknown): Promise<void> => {
    const hidden = hiddenAt(uri);
    await (hidden === undefined ? work(true) : trust.whileMaking(makeHidden(uri, hidden, work)));
  };
  const makeHidden = async (uri: Uri, hidden: FilePlace, work: (overwrite: boolean) => unknown): Promise<void> => {
    try {
      await work(false);
    } catch (error) {
      throw saysExists(error) ? refuse(uri) : error;
    }
    const { type } = await fileSystem.stat(uri);
    await trust.made(hidden, isFolder(type) ? 'folder' : 'file');
  };
  const hiding: Partial<FileSystemProvider> = {
    stat: (uri) => {
      demandShown(uri);
      return fileSystem.stat(uri);
    },
    readFile: (uri) => {
      demandShown(uri);
      return fileSystem.readFile(uri);
    },
    writeFile: (uri, content, options) =>
      make(uri, (overwrite) =>
        fileSystem.writeFile(uri, content, { ...options, overwrite: options.overwrite && overwrite }),
      ),
    createDirectory: (uri) => make(uri, () => fileSystem.createDirectory(uri)),
    delete: async (uri, options) => {
      await demandNothingHiddenIn(uri);
      await fileSystem.delete(uri, options);
    },
    rename: async (from, to, options) => {
      await demandNothingHiddenIn(from);
      await make(to, () => fileSystem.rename(from, to, options));
    },
    copy: (from, to, options) => {
      demandShown(from);
      return make(to, () => fileSystem.copy?.(from, to, options));
    },
  };
  return new Proxy(fileSystem, {
    get(target, name) {
      const member: unknown = Reflect.get(name in hiding ? hiding : target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function isFolder(type: FileType): boolean {
  return (type & FileType.Directory) !== 0;
}

function saysExists(error: unknown): boolean {
  return (
    (error instanceof FileSystemError && error.code === 'FileExists') ||
    (isPlatformError(error) && error.kind === 'exists')
  );
}
