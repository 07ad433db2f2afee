import { rename } from 'node:fs/promises';
import { FileSystemError, FileType, type Uri, Uri as Uris, workspace } from 'vscode';
import { encodeText } from '../../../../../src/files/text';
import type { Subject, Tree } from './subject';

/** Every case starts with these files in a separate folder. */
export const fixture: Tree = {
  'a.txt': 'a',
  'b.txt': 'bb',
  'empty.txt': '',
  full: undefined,
  'full/c.txt': 'c',
  'full/below': undefined,
  'full/below/d.txt': 'd',
  bare: undefined,
  closed: undefined,
  'closed/in.txt': 'in',
  fixed: undefined,
  'fixed/in.txt': 'in',
  'sealed.txt': 'sealed',
  'fixed.txt': 'fixed',
};

/** Mode bits of the fixture for cases that need permissions. */
export const modes = { closed: 0o000, fixed: 0o555, 'sealed.txt': 0o000, 'fixed.txt': 0o444 } as const;

export interface Case {
  readonly title: string;
  /** Returns the file system's result if it can be compared. */
  run(at: (path: string) => Uri, subject: Subject): Promise<unknown>;
  readonly needsRights?: true;
}

const { fs } = workspace;

const paths = {
  missing: 'missing.txt',
  'a file': 'a.txt',
  'an empty file': 'empty.txt',
  'a folder': 'full',
  'an empty folder': 'bare',
  'in a missing folder': 'missing/x.txt',
  'below a file': 'a.txt/x.txt',
} as const;

/** Paths where the method isn't permitted to list, read, or write. */
const denied = { 'in a closed folder': 'closed/in.txt', 'in a fixed folder': 'fixed/new.txt' } as const;

type Run = (uri: Uri) => PromiseLike<unknown>;

function each(method: string, run: Run, places: Readonly<Record<string, string>>, needsRights = false): Case[] {
  return Object.entries(places).map(([condition, path]) => ({
    title: `${method}: ${condition}`,
    run: async (at) => run(at(path)),
    ...(needsRights ? { needsRights } : {}),
  }));
}

const stat: Run = async (uri) => {
  const { type, size } = await fs.stat(uri);
  // Folder sizes depend on the disk.
  return (type & FileType.File) !== 0 ? { type, size } : { type };
};
const list: Run = async (uri) => (await fs.readDirectory(uri)).map(([name, type]) => `${name} ${type}`).sort();
const read: Run = async (uri) => new TextDecoder().decode(await fs.readFile(uri));
const write: Run = (uri) => fs.writeFile(uri, encodeText('written'));
const makeFolder: Run = (uri) => fs.createDirectory(uri);
const remove: Run = (uri) => fs.delete(uri, { recursive: false, useTrash: false });
const removeAll: Run = (uri) => fs.delete(uri, { recursive: true, useTrash: false });

const single: readonly Case[] = [
  ...each('stat', stat, paths),
  ...each('stat', stat, { 'in a closed folder': 'closed/in.txt', 'of a closed folder': 'closed' }, true),
  ...each('readDirectory', list, paths),
  ...each('readDirectory', list, { 'of a closed folder': 'closed' }, true),
  ...each('readFile', read, paths),
  ...each('readFile', read, { ...denied, 'without permission to read': 'sealed.txt' }, true),
  ...each('writeFile', write, paths),
  ...each('writeFile', write, { ...denied, 'without permission to write': 'fixed.txt' }, true),
  ...each('createDirectory', makeFolder, paths),
  ...each('createDirectory', makeFolder, denied, true),
  ...each('delete', remove, paths),
  ...each('delete', remove, { ...denied, 'from a fixed folder': 'fixed/in.txt' }, true),
  ...each('delete recursively', removeAll, paths),
  ...each('delete recursively', removeAll, { 'a fixed folder': 'fixed' }, true),
];

const pairs = {
  'a file to a new name': ['a.txt', 'new.txt'],
  'a file into a folder': ['a.txt', 'full/new.txt'],
  'a file onto a file': ['a.txt', 'b.txt'],
  'a file onto a folder': ['a.txt', 'full'],
  'a file onto itself': ['a.txt', 'a.txt'],
  'a folder to a new name': ['full', 'new'],
  'a folder into a folder': ['full', 'bare/new'],
  'a folder onto an empty folder': ['full', 'bare'],
  'a folder onto a full folder': ['bare', 'full'],
  'a folder onto a file': ['full', 'a.txt'],
  'a folder into itself': ['full', 'full/below/new'],
  'a missing path': ['missing.txt', 'new.txt'],
  'a file into a missing folder': ['a.txt', 'missing/new.txt'],
  'a file below a file': ['a.txt', 'b.txt/new.txt'],
} as const;

const transports = { rename: fs.rename.bind(fs), copy: fs.copy.bind(fs) } as const;

const double: readonly Case[] = Object.entries(transports).flatMap(([method, run]) =>
  [false, true].flatMap((overwrite) =>
    Object.entries(pairs).map(([condition, [from, to]]) => ({
      title: `${method}${overwrite ? ' with overwrite' : ''}: ${condition}`,
      run: async (at: (path: string) => Uri) => run(at(from), at(to), { overwrite }),
    })),
  ),
);

/**
 * VS Code moves local files in another process, which can't run as the unprivileged user, so these cases use the disk
 * directly.
 */
const doubleRights: readonly Case[] = Object.entries({
  'a file out of a fixed folder': ['fixed/in.txt', 'new.txt'],
  'a file into a fixed folder': ['a.txt', 'fixed/new.txt'],
} as const).map(([condition, [from, to]]) => ({
  title: `rename: ${condition}`,
  needsRights: true,
  run: async (at, { name }) =>
    name === 'file'
      ? rename(at(from).fsPath, at(to).fsPath).catch((error: unknown) => {
          throw isDenied(error) ? FileSystemError.NoPermissions() : error;
        })
      : fs.rename(at(from), at(to)),
}));

export const cases: readonly Case[] = [...single, ...double, ...doubleRights];

export function under(folder: Uri): (path: string) => Uri {
  return (path) => Uris.joinPath(folder, path);
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

/** Returns the code of an error. Its message isn't compared. */
export function codeOf(error: unknown): string {
  return error instanceof FileSystemError ? error.code : error instanceof Error ? error.name : String(error);
}
