import { FileSystemError, type FileSystemProvider, l10n, type Uri } from 'vscode';
import { isPlatformError } from '../platform/errors';
import { type FilePlace, filePlaceOf } from '../remote/place';
import type { FolderTrust } from './folderTrust';

/**
 * The same file system, in which what nobody has agreed to is not there to be read, and cannot be changed by someone who
 * takes it for absent. Listings go on showing it.
 *
 * @param onRefused what is hidden was to be changed, so the person should be asked about it
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
  /** Where something may be hidden, the platform itself is to refuse what exists; what is made so is shown. */
  const make = async (uri: Uri, kind: 'file' | 'folder', work: (overwrite: boolean) => unknown): Promise<void> => {
    const hidden = hiddenAt(uri);
    try {
      await work(hidden === undefined);
    } catch (error) {
      throw hidden !== undefined && saysExists(error) ? refuse(uri) : error;
    }
    if (hidden !== undefined) {
      await trust.made(hidden, kind);
    }
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
      make(uri, 'file', (overwrite) =>
        fileSystem.writeFile(uri, content, { ...options, overwrite: options.overwrite && overwrite }),
      ),
    createDirectory: (uri) => make(uri, 'folder', () => fileSystem.createDirectory(uri)),
    delete: (uri, options) => {
      demandChangeable(uri);
      return fileSystem.delete(uri, options);
    },
    rename: (from, to, options) => {
      demandChangeable(from);
      return make(to, 'file', (overwrite) =>
        fileSystem.rename(from, to, { overwrite: options.overwrite && overwrite }),
      );
    },
    copy: (from, to, options) => {
      demandShown(from);
      return make(to, 'file', (overwrite) =>
        fileSystem.copy?.(from, to, { overwrite: options.overwrite && overwrite }),
      );
    },
  };
  return new Proxy(fileSystem, {
    get(target, name) {
      const member: unknown = Reflect.get(name in hiding ? hiding : target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function saysExists(error: unknown): boolean {
  return (
    (error instanceof FileSystemError && error.code === 'FileExists') ||
    (isPlatformError(error) && error.kind === 'exists')
  );
}
