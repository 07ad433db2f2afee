import { type FileStat, FileSystemError, FileType, type Uri } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import type { Listings } from '../../containers/listings';
import { type FilePlace, keyOf } from '../../containers/place';
import { type FoldersAboveContainers, placeIn } from './foldersAboveContainers';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { FileReader } from './readFile';
import type { LargeFiles } from './largeFiles';
import type { ReadOnlyFiles } from './readOnlyFiles';
import { folderStat, statOf, typeOf } from './fileStat';

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
