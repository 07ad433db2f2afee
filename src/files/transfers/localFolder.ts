import { FileSystemError, FileType, l10n, Uri, workspace } from 'vscode';
import { isLocalName } from './localName';
import type { Destination, Occupant, Source } from './transfer';

/** A file or folder of the computer, or of any other place that VS Code can read. */
export async function localSource(uri: Uri): Promise<Source> {
  const { type } = await workspace.fs.stat(uri);
  return sourceAt(uri, type);
}

function sourceAt(uri: Uri, type: FileType): Source {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  if (isFolder(type) && (type & FileType.SymbolicLink) !== 0) {
    // It may lead back up, and a transfer that never ends helps nobody.
    return { kind: 'unreadable', name, reason: new Error(l10n.t('A link to a folder is not followed.')) };
  }
  if (isFolder(type)) {
    const children = async () => {
      const entries = await workspace.fs.readDirectory(uri);
      return entries.map(([child, childType]) => sourceAt(Uri.joinPath(uri, child), childType));
    };
    return { kind: 'folder', name, children };
  }
  return (type & FileType.File) === 0
    ? { kind: 'unreadable', name, reason: new Error(l10n.t('This is neither a file nor a folder.')) }
    : { kind: 'file', name, read: async () => workspace.fs.readFile(uri) };
}

/** Bytes that a drop brought along: a browser has no other way to hand over a file. */
export function droppedSource(name: string, read: () => Thenable<Uint8Array>): Source {
  return { kind: 'file', name, read: async () => read() };
}

/** A folder of the computer, to download into. */
export function localFolder(uri: Uri): Destination {
  return {
    contents: async () => new Map((await entriesOf(uri)).map(([name, type]) => [name, occupant(type)])),
    folder: (name) => localFolder(childOf(uri, name)),
    make: async () => workspace.fs.createDirectory(uri),
    put: async (name, bytes) => workspace.fs.writeFile(childOf(uri, name), bytes),
    // The file system of the computer says itself when a write has failed.
    arrived: () => Promise.resolve(undefined),
  };
}

function childOf(folder: Uri, name: string): Uri {
  if (!isLocalName(name)) {
    throw new Error(l10n.t('This computer cannot have a file of this name. Rename it in the container first.'));
  }
  return Uri.joinPath(folder, name);
}

async function entriesOf(uri: Uri): Promise<readonly [string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(uri);
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') {
      return [];
    }
    throw error;
  }
}

function occupant(type: FileType): Occupant {
  return isFolder(type) ? 'folder' : (type & FileType.File) !== 0 ? 'file' : 'special';
}

function isFolder(type: FileType): boolean {
  return (type & FileType.Directory) !== 0;
}
