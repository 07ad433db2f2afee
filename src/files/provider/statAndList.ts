import { type FileStat, FileSystemError, FileType, type Uri, FilePermission } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import type { Listings } from '../../containers/listings';
import { type FilePlace, keyOf, type Place, placeOf, targetText } from '../../containers/place';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { FileReader } from './readFile';
import type { LargeFiles } from './largeFiles';
import type { ReadOnlyFiles } from './readOnlyFiles';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/timestamp';
import type { Environment } from '../../containers/environment';
import type { Environments } from '../../containers/environments';
import type { Containers } from '../../containers/containers';

export interface StatAndListDeps {
  readonly above: FoldersAboveContainers;
  readonly listings: Listings;
  readonly edits: OpenEdits;
  readonly reading: FileReader;
  readonly readOnly: ReadOnlyFiles;
  readonly large: LargeFiles;
  /** Settles when the nodes of a layer are as well known as they can be. */
  nodesAreKnown(layer: FilePlace): Promise<void>;
}

/** What VS Code is told of a place without its text: what it is, and what a folder holds. */
export class StatAndList {
  constructor(private readonly deps: StatAndListDeps) {}

  async stat(uri: Uri): Promise<FileStat> {
    const place = placeIn(uri);
    if (place.kind !== 'file') {
      await this.deps.above.demandThere(place, uri);
      return folderStat;
    }
    return place.path === '/' ? this.statOfRoot(place) : this.statOfFile(place, uri);
  }

  async entries(uri: Uri): Promise<[string, FileType][]> {
    const place = placeIn(uri);
    if (place.kind === 'file') {
      const listing = await this.deps.listings.list(place);
      return [...listing.values()].map((entry) => [entry.name, typeOf(entry)]);
    }
    return (await this.deps.above.namesIn(place, uri)).map((name) => [name, FileType.Directory]);
  }

  private async statOfRoot(root: FilePlace): Promise<FileStat> {
    try {
      await this.deps.listings.list(root);
    } catch (error) {
      // A root that may not be looked into is there all the same.
      if (!isPlatformError(error) || error.kind !== 'forbidden') {
        throw error;
      }
    }
    return folderStat;
  }

  private async statOfFile(place: FilePlace, uri: Uri): Promise<FileStat> {
    const { edits, reading, readOnly, large } = this.deps;
    const wasRefused = large.isRefused(place);
    const frozen = await edits.frozen(place);
    if (frozen !== undefined) {
      return { type: FileType.File, ctime: 0, ...frozen };
    }
    const entry = await reading.entry(place);
    if (entry === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    if (!entry.isDir && !wasRefused) {
      large.demandStat(place, entry.length);
    }
    if (place.target.nodeId === undefined) {
      // If the platform can't be asked now, a save reports that.
      await this.deps.nodesAreKnown(place).catch(() => undefined);
    }
    const isReadOnly = !entry.isDir && readOnly.reasonFor(place, entry) !== undefined;
    const stat = statOf(entry, isReadOnly ? 'readOnly' : 'writable');
    edits.told.note(keyOf(place), stat);
    return stat;
  }
}

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

type AboveContainers = Exclude<Place, FilePlace>;

/** What lies above containers: an account holds environments, an environment its layers and nodes. None of it is a folder of the platform's. */
export class FoldersAboveContainers {
  constructor(
    private readonly containers: Containers,
    private readonly environments: Environments,
  ) {}

  async demandThere(place: AboveContainers, uri: Uri): Promise<void> {
    if (place.kind === 'environment') {
      await this.namesIn(place, uri);
    } else {
      this.containers.account(place.account);
    }
  }

  async namesIn(place: AboveContainers, uri: Uri): Promise<string[]> {
    const environments = await this.environments.of(this.containers.account(place.account));
    if (place.kind === 'account') {
      return environments.map(({ name }) => name);
    }
    const environment = environments.find(({ name }) => name === place.environment);
    if (environment === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    return targetsIn(environment);
  }
}

export function placeIn(uri: Uri): Place {
  const place = placeOf(uri);
  if (place === undefined) {
    throw FileSystemError.FileNotFound(uri);
  }
  return place;
}

/** Nothing above containers can be written, moved or deleted. */
export function fileAt(uri: Uri): FilePlace {
  const place = placeIn(uri);
  if (place.kind !== 'file') {
    throw FileSystemError.NoPermissions(uri);
  }
  return place;
}

function targetsIn({ layers }: Environment): string[] {
  return layers.flatMap(({ id, nodes }) => [
    id,
    ...nodes.map((node) => targetText({ nodeGroup: id, nodeId: node.id })),
  ]);
}
