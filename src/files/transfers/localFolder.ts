import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { ExpectedError } from '../../ui/expectedError';
import { FileSystemError, FileType, l10n, Uri, workspace } from 'vscode';
import { KeyedQueue } from '../../async/waiting';
import { someAtOnce } from '../../storage/stores';
import { type TransferTarget, type ExistingEntry, isLocalName, type ListedVersion, type Source } from './transfer';

/** Returns a source for a file or folder on the computer or anywhere else that VS Code can read. */
export async function localSource(uri: Uri): Promise<Source> {
  const { type } = await workspace.fs.stat(uri);
  return sourceAt(uri, type);
}

/** @param root the folder that the user selected */
function sourceAt(uri: Uri, type: FileType, root = uri): Source {
  const name = nameIn(uri);
  if (isFolder(type) && isLink(type)) {
    // The link may lead to a parent folder, and the transfer would never end.
    return { kind: 'unreadable', name, reason: new ExpectedError(l10n.t("Links to folders aren't followed.")) };
  }
  if (isFolder(type)) {
    const children = async () => {
      const entries = await workspace.fs.readDirectory(uri);
      return someAtOnce(entries, ([child, childType]) => sourceBelow(root, Uri.joinPath(uri, child), childType));
    };
    return { kind: 'folder', name, children };
  }
  return (type & FileType.File) === 0
    ? { kind: 'unreadable', name, reason: new ExpectedError(l10n.t("It's neither a file nor a folder.")) }
    : { kind: 'file', name, read: async () => workspace.fs.readFile(uri) };
}

/** A link could upload a file that the user didn't select, such as a private key. */
async function sourceBelow(root: Uri, uri: Uri, type: FileType): Promise<Source> {
  if (isLink(type) && !isFolder(type) && (await mayLeadOut(root, uri))) {
    const reason = new ExpectedError(l10n.t("Links that may lead out of the folder aren't followed."));
    return { kind: 'unreadable', name: nameIn(uri), reason };
  }
  return sourceAt(uri, type, root);
}

async function mayLeadOut(root: Uri, link: Uri): Promise<boolean> {
  if (link.scheme !== 'file') {
    return true;
  }
  try {
    const [from, to] = await Promise.all([realpath(root.fsPath), realpath(link.fsPath)]);
    return !to.startsWith(from.endsWith(sep) ? from : `${from}${sep}`);
  } catch {
    // It leads nowhere, or somewhere that this user may not see.
    return true;
  }
}

/** A dropped file's bytes, which is the only way a browser passes a file. */
export function droppedSource(name: string, read: () => Thenable<Uint8Array>): Source {
  return { kind: 'file', name, read: async () => read() };
}

type Disk = Pick<typeof workspace.fs, 'stat' | 'readDirectory' | 'writeFile' | 'createDirectory'>;

/** A folder on the computer to download into. */
export function localFolder(uri: Uri, disk: Disk = workspace.fs): TransferTarget {
  return folderOn(disk, new KeyedQueue(), uri);
}

/** The folder of a file that the user has selected, to write only that, which may be a link. */
export function folderOfSelected(file: Uri): TransferTarget {
  const contents = async () => {
    const version = await localVersion(file);
    return new Map(version === undefined ? [] : [[nameIn(file), { kind: 'file', version } as const]]);
  };
  return { ...localFolder(Uri.joinPath(file, '..')), contents };
}

function folderOn(disk: Disk, turns: KeyedQueue, uri: Uri): TransferTarget {
  return {
    contents: async (_, names) => {
      const entries = (await unlessMissing(disk.readDirectory(uri))) ?? [];
      const known = await someAtOnce(entries, async ([name, type]): Promise<[string, ExistingEntry]> => {
        const kind = kindOf(type);
        const isWanted = kind === 'file' && names.has(name);
        // If it can't be looked at, writing it says why.
        const version = isWanted ? await localVersion(Uri.joinPath(uri, name), disk).catch(() => undefined) : undefined;
        return [name, { kind, version }];
      });
      return new Map(known);
    },
    folder: (name) => folderOn(disk, turns, childOf(uri, name)),
    make: async () => disk.createDirectory(uri),
    // On many disks, names that differ only in case or in the encoding of accents are the same file.
    put: (name, bytes, replaced) =>
      turns.take(uri.path.concat('/', name).normalize('NFC').toLowerCase(), async () => {
        const file = childOf(uri, name);
        const version = await localVersion(file, disk);
        if (replaced === undefined && version !== undefined) {
          throw new ExpectedError(
            l10n.t("A file with this name already exists, possibly capitalized differently. It wasn't replaced."),
          );
        }
        // The question whether to replace files may have been open for long. A file that is gone by now is created.
        if (version !== undefined && version !== replaced?.version) {
          throw new ExpectedError(l10n.t("It was changed in the meantime, so it wasn't replaced."));
        }
        await disk.writeFile(file, bytes);
      }),
    // The local file system reports failed writes itself.
    arrived: () => Promise.resolve(undefined),
  };
}

/** Returns the version of a file on the computer, or `undefined` if there's none. */
export async function localVersion(file: Uri, disk: Pick<Disk, 'stat'> = workspace.fs): Promise<ListedVersion> {
  const found = await unlessMissing(disk.stat(file));
  return found && `${found.size} ${found.mtime}`;
}

async function unlessMissing<T>(reading: Thenable<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') {
      return undefined;
    }
    throw error;
  }
}

function childOf(folder: Uri, name: string): Uri {
  if (!isLocalName(name)) {
    throw new ExpectedError(
      l10n.t("This computer doesn't support this file name. Rename the file in the container first."),
    );
  }
  return Uri.joinPath(folder, name);
}

function nameIn({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function kindOf(type: FileType): ExistingEntry['kind'] {
  if (isLink(type)) {
    return 'link';
  }
  return isFolder(type) ? 'folder' : (type & FileType.File) !== 0 ? 'file' : 'special';
}

function isFolder(type: FileType): boolean {
  return (type & FileType.Directory) !== 0;
}

function isLink(type: FileType): boolean {
  return (type & FileType.SymbolicLink) !== 0;
}
