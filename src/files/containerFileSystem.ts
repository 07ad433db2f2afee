import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
} from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environments } from '../environments/environments';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Containers } from '../remote/containers';
import type { Listings } from '../remote/listings';
import { type FilePlace, parentOf, type Place, placeOf, targetText, uriParts } from '../remote/place';
import { fileSystemError } from './fileSystemErrors';

/** Something that happened to a place in a container. */
export interface Change {
  readonly place: FilePlace;
  readonly type: FileChangeType;
}

/** Containers as VS Code sees them. It never prompts, notifies or refreshes a tree: it throws and fires events. */
export class ContainerFileSystem implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly accounts: Accounts,
    private readonly environments: Environments,
    private readonly containers: Containers,
    private readonly listings: Listings,
  ) {}

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  stat(uri: Uri): Promise<FileStat> {
    return this.guard(uri, async () => {
      const place = placeIn(uri);
      if (place.kind !== 'file') {
        return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      }
      const entry = await this.listings.entry(place);
      if (entry === undefined) {
        throw FileSystemError.FileNotFound(uri);
      }
      return statOf(entry);
    });
  }

  readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return this.guard(uri, async () => {
      const place = placeIn(uri);
      if (place.kind === 'file') {
        const listing = await this.listings.list(place);
        return [...listing.values()].map((entry) => [entry.name, typeOf(entry)]);
      }
      return (await this.namesAbove(place)).map((name) => [name, FileType.Directory]);
    });
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    return this.guard(uri, async () => new TextEncoder().encode(await this.containers.read(fileAt(uri))));
  }

  writeFile(uri: Uri, content: Uint8Array, options: { create: boolean; overwrite: boolean }): Promise<void> {
    return this.guard(uri, async () => {
      const place = fileAt(uri);
      const known = await this.listings.entry(place);
      if (known === undefined && !options.create) {
        throw FileSystemError.FileNotFound(uri);
      }
      if (known !== undefined && options.create && !options.overwrite) {
        throw FileSystemError.FileExists(uri);
      }
      // Fatal: bytes that are no UTF-8 text cannot be sent as text without being changed.
      await this.containers.write(place, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content));
      this.happened(place, known === undefined ? FileChangeType.Created : FileChangeType.Changed);
    });
  }

  createDirectory(uri: Uri): Promise<void> {
    return this.guard(uri, async () => {
      await this.containers.createFolder(fileAt(uri));
      this.happened(fileAt(uri), FileChangeType.Created);
    });
  }

  delete(uri: Uri): Promise<void> {
    return this.guard(uri, async () => {
      await this.containers.delete(fileAt(uri));
      this.happened(fileAt(uri), FileChangeType.Deleted);
    });
  }

  rename(from: Uri, to: Uri): Promise<void> {
    return this.guard(from, async () => {
      await this.containers.rename(fileAt(from), fileAt(to));
      this.happened(fileAt(from), FileChangeType.Deleted);
      this.happened(fileAt(to), FileChangeType.Created);
    });
  }

  /** Tells VS Code of changes that were not made through it: seen by watching, or done by the platform itself. Listings are the caller's. */
  announce(changes: readonly Change[]): void {
    this.changed.fire(changes.map(({ place, type }) => ({ type, uri: Uri.from(uriParts(place)) })));
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Whatever fails is told to VS Code in its own terms; an account asked for too early is waited for. */
  private async guard<T>(uri: Uri, work: () => Promise<T>): Promise<T> {
    await this.accounts.loaded;
    try {
      return await work();
    } catch (error) {
      throw fileSystemError(error, uri);
    }
  }

  private async namesAbove(place: Exclude<Place, FilePlace>): Promise<string[]> {
    const environments = await this.environments.of(this.containers.account(place.account));
    if (place.kind === 'account') {
      return environments.map(({ name }) => name);
    }
    const layers = environments.find(({ name }) => name === place.environment)?.layers ?? [];
    return layers.flatMap(({ id, nodes }) => [
      id,
      ...nodes.map((node) => targetText({ nodeGroup: id, nodeId: node.id })),
    ]);
  }

  private happened(place: FilePlace, type: FileChangeType): void {
    this.listings.forget(parentOf(place) ?? place);
    this.announce([{ place, type }]);
  }
}

function placeIn(uri: Uri): Place {
  const place = placeOf(uri);
  if (place === undefined) {
    throw FileSystemError.FileNotFound(uri);
  }
  return place;
}

function fileAt(uri: Uri): FilePlace {
  const place = placeIn(uri);
  if (place.kind !== 'file') {
    throw FileSystemError.NoPermissions(uri);
  }
  return place;
}

function typeOf(entry: FileEntry): FileType {
  return entry.isDir ? FileType.Directory : FileType.File;
}

function statOf(entry: FileEntry): FileStat {
  const modified = entry.lastModified === undefined ? Number.NaN : Date.parse(entry.lastModified);
  return {
    type: typeOf(entry),
    ctime: 0,
    mtime: Number.isNaN(modified) ? 0 : modified,
    size: entry.length ?? 0,
  };
}
