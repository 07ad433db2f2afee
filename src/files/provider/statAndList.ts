import { type FileStat, FileSystemError, FileType, type Uri, FilePermission } from 'vscode';
import { undefinedIf } from '../../platform/errors';
import { type FilePlace, keyOf, type Place, placeOf, targetText } from '../../containers/place';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { LargeFiles } from './largeFiles';
import type { FileReader } from './readFile';
import type { ReadOnlyFiles } from './readOnlyFiles';
import { type FileEntry, isReadableType } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/scalars';
import type { Environment } from '../../containers/environment';
import type { Environments } from '../../containers/environments';

/** Provides stats and folder listings to VS Code. */
export class StatAndList {
  constructor(
    private readonly deps: {
      readonly containers: Containers;
      readonly environments: Environments;
      readonly listings: Listings;
      readonly edits: OpenEdits;
      readonly reader: FileReader;
      readonly readOnly: ReadOnlyFiles;
      readonly large: LargeFiles;
    },
  ) {}

  async stat(uri: Uri): Promise<FileStat> {
    const place = placeIn(uri);
    if (place.kind !== 'file') {
      await (place.kind === 'account' ? this.deps.containers.account(place.account) : this.namesIn(place, uri));
      return folderStat;
    }
    if (place.path !== '/') {
      return this.statOfFile(place, uri);
    }
    // The root exists even if it may not be listed.
    await undefinedIf('forbidden', this.deps.listings.list(place));
    return folderStat;
  }

  async entries(uri: Uri): Promise<[string, FileType][]> {
    const place = placeIn(uri);
    if (place.kind === 'file') {
      const listing = await this.deps.listings.proven(place);
      return [...listing.values()].map((entry) => [entry.name, typeOf(entry)]);
    }
    return (await this.namesIn(place, uri)).map((name) => [name, FileType.Directory]);
  }

  private async statOfFile(place: FilePlace, uri: Uri): Promise<FileStat> {
    const { edits, reader, readOnly, large } = this.deps;
    const wasRefused = large.isRefused(place);
    const statWhileEditing = await edits.statWhileEditing(place);
    if (statWhileEditing !== undefined) {
      return { type: FileType.File, ctime: 0, ...statWhileEditing };
    }
    const entry = await reader.entry(place);
    if (entry === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    if (!entry.isDir && !wasRefused) {
      large.demandStat(place, entry.length);
    }
    if (place.target.nodeId === undefined) {
      // If the platform can't be reached now, a save reports that.
      await this.environmentsOf(place).catch(() => undefined);
    }
    const isReadOnly = entry.isDir
      ? readOnly.canChangeNothing(place.account)
      : readOnly.reasonFor(place, entry) !== undefined;
    // VS Code also treats an unknown type as a file, and shows read-only files as such.
    const stat: FileStat = {
      type: typeOf(entry),
      ctime: 0,
      mtime: readTimestamp(entry.lastModified)?.getTime() ?? 0,
      size: entry.length ?? 0,
      ...(isReadOnly ? { permissions: FilePermission.Readonly } : {}),
    };
    edits.reportedStats.note(keyOf(place), stat);
    return stat;
  }

  /** An account holds environments, an environment its layers and nodes. None of these is a folder of the platform's. */
  private async namesIn(place: Exclude<Place, FilePlace>, uri: Uri): Promise<string[]> {
    const environments = await this.environmentsOf(place);
    if (place.kind === 'account') {
      return environments.map(({ name }) => name);
    }
    const environment = environments.find(({ name }) => name === place.environment);
    if (environment === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    return environment.layers.flatMap(({ id, nodes }) => [
      id,
      ...nodes.map((node) => targetText({ nodeGroup: id, nodeId: node.id })),
    ]);
  }

  private async environmentsOf({ account }: Place): Promise<readonly Environment[]> {
    return this.deps.environments.of(this.deps.containers.account(account));
  }
}

const folderStat: FileStat = { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };

function typeOf(entry: FileEntry): FileType {
  return entry.isDir ? FileType.Directory : isReadableType(entry) ? FileType.File : FileType.Unknown;
}

function placeIn(uri: Uri): Place {
  const place = placeOf(uri);
  if (place === undefined) {
    throw FileSystemError.FileNotFound(uri);
  }
  return place;
}

/** Returns the URI's file. Throws above containers, where nothing can be written, moved or deleted. */
export function fileAt(uri: Uri): FilePlace {
  const place = placeIn(uri);
  if (place.kind !== 'file') {
    throw FileSystemError.NoPermissions(uri);
  }
  return place;
}
