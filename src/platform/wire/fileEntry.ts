import { type JsonObject, readFlag, readInteger, readText } from './scalars';

const knownTypes = [
  'regular file',
  'directory',
  'symbolic link',
  'named pipe',
  'socket',
  'character device',
  'block device',
] as const;

/** The type of a path. Only a regular file can be edited. */
export type FileType = (typeof knownTypes)[number] | 'other';

export interface FileEntry {
  /** Without a trailing slash. */
  readonly absolutePath: string;
  readonly name: string;
  /** The platform's own name for a shortcut, such as `log`, if it's the only entry of that name. */
  readonly shortcut?: string | undefined;
  readonly isDir: boolean;
  readonly fileType?: FileType | undefined;
  readonly isExported?: boolean | undefined;
  readonly isRoot?: boolean | undefined;
  /** As returned by the platform. Its format is undocumented: only compare it or, if readable, show it. */
  readonly lastModified?: string | undefined;
  readonly length?: number | undefined;
  readonly permission?: string | undefined;
  readonly protocol?: string | undefined;
  readonly sourceHost?: string | undefined;
  readonly sourceNodeId?: number | undefined;
  readonly sourcePath?: string | undefined;
}

/** Whether it can be read like a file. Also true for links, and if the listing doesn't say what type of file it is. */
export function isReadableType({ fileType = 'regular file' }: Pick<FileEntry, 'fileType'>): boolean {
  return fileType === 'regular file' || fileType === 'symbolic link';
}

/** Whether an entry looks the same in two listings: the same length and time, as the platform returns them, or neither. */
export function isSameEntry(one: FileEntry | undefined, other: FileEntry | undefined): boolean {
  const isKnown = one !== undefined && other !== undefined;
  return isKnown ? one.length === other.length && one.lastModified === other.lastModified : one === other;
}

/**
 * Whether two listings prove that a file is unchanged, so that nothing is lost if it's overwritten. If they lack the
 * length or the time, they prove nothing.
 */
export function isProvenSame(one: FileEntry, other: FileEntry): boolean {
  return one.length !== undefined && one.lastModified !== undefined && isSameEntry(one, other);
}

const fields = [
  'absolutePath',
  'fileType',
  'isDir',
  'isExported',
  'isRoot',
  'lastModified',
  'length',
  'name',
  'permission',
  'protocol',
  'sourceHost',
  'sourceNodeId',
  'sourcePath',
] as const;
const spelling = new Map<string, (typeof fields)[number]>(
  fields.flatMap((name) => [
    [name, name],
    [name.toLowerCase(), name],
  ]),
);

const fileTypes = new Map<unknown, FileType>([
  ...knownTypes.map((type) => [type, type] as const),
  ['regular empty file', 'regular file'],
  ['file', 'regular file'],
  ['fifo', 'named pipe'],
  ['character special file', 'character device'],
  ['block special file', 'block device'],
]);

/** Reads one row of a listing of the folder `place`. Returns undefined if it has no path. */
export function readFileEntry(row: JsonObject, place: string | undefined): FileEntry | undefined {
  const raw = known(row);
  const givenName = readText(raw.name) ?? '';
  const givenPath = absolute(readText(raw.absolutePath) ?? givenName, place);
  if (givenPath === undefined) return undefined;
  const absolutePath = withoutTrailingSlash(givenPath);
  const fileType = readFileType(raw.fileType);
  return {
    absolutePath,
    name: givenName === '' || givenName.includes('/') ? lastPart(absolutePath) : givenName,
    isDir: readFlag(raw.isDir) ?? (fileType === undefined ? givenPath.endsWith('/') : fileType === 'directory'),
    fileType,
    isExported: readFlag(raw.isExported),
    isRoot: readFlag(raw.isRoot),
    lastModified: readText(raw.lastModified),
    length: readInteger(raw.length),
    permission: readText(raw.permission),
    protocol: readText(raw.protocol),
    sourceHost: readText(raw.sourceHost),
    sourceNodeId: readInteger(raw.sourceNodeId),
    sourcePath: readText(raw.sourcePath),
  };
}

export function withoutTrailingSlash(path: string): string {
  // Few paths end with one, and replacing would take a sixth of the time for a large listing.
  return path.endsWith('/') ? path.replace(/(?<!\/)\/+$/, '') || '/' : path;
}

type Raw = Partial<Record<(typeof fields)[number], unknown>>;

/** Reads all fields in one pass, because a case-insensitive lookup of each would take many. */
function known(row: JsonObject): Raw {
  const raw: Raw = {};
  for (const key of Object.keys(row)) {
    const name = spelling.get(key) ?? spelling.get(key.toLowerCase());
    if (name !== undefined) raw[name] ??= row[key];
  }
  return raw;
}

function readFileType(value: unknown): FileType | undefined {
  const asListed = fileTypes.get(value);
  if (asListed !== undefined) return asListed;
  const said = readText(value)?.trim().toLowerCase().replaceAll('_', ' ');
  return said === undefined || said === '' ? undefined : (fileTypes.get(said) ?? 'other');
}

function absolute(path: string, place: string | undefined): string | undefined {
  if (path.startsWith('/')) return path;
  if (path === '' || place === undefined) return undefined;
  return place === '/' ? `/${path}` : `${place}/${path}`;
}

function lastPart(path: string): string {
  return path === '/' ? path : path.slice(path.lastIndexOf('/') + 1);
}
