import { FilePermission, type FileStat, FileType } from 'vscode';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/timestamp';

export const folderStat: FileStat = { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };

export function typeOf({ isDir, fileType }: FileEntry): FileType {
  if (isDir) {
    return FileType.Directory;
  }
  switch (fileType) {
    case undefined:
    case 'regular file':
    case 'symbolic link':
      return FileType.File;
    default:
      return FileType.Unknown;
  }
}

/** VS Code takes an unknown type for a file as well, and shows a read-only one as such. */
export function statOf(entry: FileEntry, access: 'readOnly' | 'writable'): FileStat {
  return {
    type: typeOf(entry),
    ctime: 0,
    mtime: readTimestamp(entry.lastModified)?.getTime() ?? 0,
    size: entry.length ?? 0,
    ...(access === 'readOnly' ? { permissions: FilePermission.Readonly } : {}),
  };
}
