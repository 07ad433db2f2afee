import { FileSystemError, type FileSystemProvider, type Uri } from 'vscode';
import { filePlaceOf } from '../remote/place';
import type { FolderTrust } from './folderTrust';

/** The same file system, in which what nobody has agreed to is not there to be read. Listings go on showing it. */
export function hidingFileSystem(fileSystem: FileSystemProvider, trust: FolderTrust): FileSystemProvider {
  const demandShown = (uri: Uri) => {
    const place = filePlaceOf(uri);
    if (place !== undefined && trust.hides(place)) {
      throw FileSystemError.FileNotFound(uri);
    }
  };
  const stat: FileSystemProvider['stat'] = (uri) => {
    demandShown(uri);
    return fileSystem.stat(uri);
  };
  const readFile: FileSystemProvider['readFile'] = (uri) => {
    demandShown(uri);
    return fileSystem.readFile(uri);
  };
  return new Proxy(fileSystem, {
    get(target, name) {
      if (name === 'stat') {
        return stat;
      }
      if (name === 'readFile') {
        return readFile;
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
