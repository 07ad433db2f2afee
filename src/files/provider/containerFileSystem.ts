import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  l10n,
  Uri,
} from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, parentOf, uriParts } from '../../containers/place';
import { fileAt, type StatAndList } from './statAndList';
import type { FileChange, PendingChange, Saved } from './fileChange';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { HiddenFiles } from './hiddenFiles';
import { fileSystemError, isNotAFolder } from './fileSystemErrors';
import type { Moves } from './moves';
import type { OverwriteBackups } from './overwriteBackups';
import type { FileReader } from './readFile';
import type { ReadOnlyFiles } from './readOnlyFiles';
import type { FileQueue } from '../saving/fileQueue';
import { encodeText } from '../text';
import type { WriteOptions, FileWriter } from './writeFile';

export interface FileSystemDeps {
  readonly accounts: Accounts;
  readonly containers: Containers;
  readonly hidden: HiddenFiles;
  readonly looking: StatAndList;
  readonly listings: Listings;
  readonly edits: OpenEdits;
  readonly reading: FileReader;
  readonly writing: FileWriter;
  readonly moves: Moves;
  readonly turns: FileQueue;
  readonly backups: OverwriteBackups;
  readonly readOnly: ReadOnlyFiles;
}

/** Containers as VS Code sees them. It never prompts, notifies or refreshes a tree: it throws and fires events. */
export class ContainerFileSystem implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly changing = new EventEmitter<PendingChange>();
  private readonly saved = new EventEmitter<Saved>();
  private readonly altered = new EventEmitter<readonly FileChange[]>();
  private readonly readOnlyChanges: Disposable;
  readonly onDidChangeFile = this.changed.event;
  readonly onWillChange = this.changing.event;
  /** A file was written and seen to hold what was written, whoever wrote it. */
  readonly onDidSave = this.saved.event;
  /** Files and folders were deleted, moved, copied or brought from elsewhere by this person, here or in a view. */
  readonly onDidAlter = this.altered.event;

  constructor(private readonly deps: FileSystemDeps) {
    // VS Code asks again whether a file may be edited when it is told of a change.
    this.readOnlyChanges = deps.readOnly.onDidChange((place) =>
      this.announce([{ place, type: FileChangeType.Changed }]),
    );
  }

  /** Watching goes by what is visible and was listed, not by what is asked here: VS Code asks for every folder it has heard of. */
  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  stat(uri: Uri): Promise<FileStat> {
    return this.guard(uri, () => {
      this.deps.hidden.ensureShown(uri);
      return this.deps.looking.stat(uri);
    });
  }

  readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return this.guard(uri, () => this.deps.looking.entries(uri));
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    return this.guard(uri, async () => {
      this.deps.hidden.ensureShown(uri);
      return encodeText(await this.deps.reading.read(fileAt(uri)));
    });
  }

  writeFile(uri: Uri, content: Uint8Array, options: WriteOptions): Promise<void> {
    const at = filePlaceOf(uri);
    const source = at === undefined ? 'others' : this.deps.writing.sourceOf(at, content);
    return this.make(uri, async (mayOverwrite) => {
      const overwrite = options.overwrite && mayOverwrite;
      const written = this.deps.backups.during(fileAt(uri), 'whole', () =>
        this.deps.writing.write(fileAt(uri), content, { ...options, overwrite }, source),
      );
      const { places, type, before } = await written.finally(() => this.deps.reading.unlisted.forget(fileAt(uri)));
      this.announce(places.map((place) => ({ place, type })));
      const isNew = type === FileChangeType.Created;
      places.forEach((place) => this.saved.fire({ place, before, isNew }));
    });
  }

  createDirectory(uri: Uri): Promise<void> {
    return this.make(uri, async () => {
      const folder = fileAt(uri);
      if (folder.path === '/') {
        throw FileSystemError.FileExists(uri);
      }
      await this.deps.backups.during(folder, 'part', () => this.deps.containers.createFolder(folder));
      this.seen(folder, FileChangeType.Created);
    });
  }

  delete(uri: Uri, { recursive }: { readonly recursive: boolean }): Promise<void> {
    return this.change([uri], async () => {
      const { hidden, looking, turns } = this.deps;
      await hidden.ensureNoneIn(uri, looking);
      const place = fileAt(uri);
      await turns.take([place], () => this.remove(place, { recursive }));
      this.happened(place, FileChangeType.Deleted);
    });
  }

  /** Never overwrites: VS Code has already deleted the target, so a file there is from someone else. */
  rename(oldUri: Uri, newUri: Uri): Promise<void> {
    const { hidden, looking, moves, edits } = this.deps;
    return this.change([oldUri, newUri], async () => {
      await hidden.ensureNoneIn(oldUri, looking);
      await this.transport(oldUri, newUri, async (from, to) => {
        await moves.rename(from, to);
        edits.renamed(from, to);
        this.happened(from, FileChangeType.Deleted);
      });
    });
  }

  /** Without it VS Code would read and write every file by itself, all at once. */
  copy(source: Uri, destination: Uri): Promise<void> {
    return this.change([source, destination], () => {
      this.deps.hidden.ensureShown(source);
      return this.transport(source, destination, (from, to) => this.deps.moves.copy(from, to));
    });
  }

  /** Tells VS Code of changes that this person made, though not through it. Listings are the caller's. */
  announceOwn(changes: readonly FileChange[]): void {
    this.announce(changes);
    this.altered.fire(changes);
  }

  /** Tells VS Code of changes that were not made through it: seen by watching, or done by the platform itself. Listings are the caller's. */
  announce(changes: readonly FileChange[]): void {
    this.changed.fire(changes.map(({ place, type }) => ({ type, uri: Uri.from(uriParts(place)) })));
  }

  dispose(): void {
    Disposable.from(this.readOnlyChanges, this.changed, this.changing, this.saved, this.altered).dispose();
  }

  /** Whatever fails is told to VS Code in its own terms; an account asked for too early is waited for. */
  private async guard<T>(uri: Uri, work: () => Promise<T>): Promise<T> {
    await this.deps.accounts.loaded;
    try {
      return await work();
    } catch (error) {
      throw fileSystemError(error, uri);
    }
  }

  /** Announced before, so that nobody takes for another's change what is seen on the way. */
  private change<T>([uri, ...others]: readonly [Uri, ...Uri[]], work: () => Promise<T>): Promise<T> {
    const done = this.guard(uri, work);
    for (const place of [uri, ...others].flatMap((one) => filePlaceOf(one) ?? [])) {
      this.changing.fire({ place, done });
    }
    return done;
  }

  private make(uri: Uri, work: (mayOverwrite: boolean) => Promise<void>): Promise<void> {
    return this.change([uri], () => this.deps.hidden.make(uri, this.deps.looking, work));
  }

  private async remove(place: FilePlace, { recursive }: { readonly recursive: boolean }): Promise<void> {
    const { containers, listings, backups } = this.deps;
    if (place.path === '/') {
      throw FileSystemError.NoPermissions(l10n.t("A container's root cannot be deleted."));
    }
    // What is known may be old: nothing is called gone, or empty, without a fresh look.
    const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
    if (entry === undefined) {
      throw FileSystemError.FileNotFound(Uri.from(uriParts(place)));
    }
    if (entry.isDir && !recursive && (await listings.refresh(place)).size > 0) {
      throw new FileSystemError(l10n.t('{0} is not empty.', place.path));
    }
    // VS Code always deletes what it overwrites recursively.
    const remove = () => containers.delete(place);
    await (recursive ? backups.delete(place, entry, remove) : remove());
  }

  private transport(source: Uri, target: Uri, work: (from: FilePlace, to: FilePlace) => Promise<void>): Promise<void> {
    return this.deps.hidden.make(target, this.deps.looking, async () => {
      const [from, to] = [fileAt(source), fileAt(target)];
      try {
        await this.deps.backups.during(to, 'whole', () => this.deps.turns.take([from, to], () => work(from, to)));
      } catch (error) {
        // A failure half way leaves what nobody has listed yet.
        this.deps.listings.forget(parentOf(from) ?? from);
        this.deps.listings.forget(parentOf(to) ?? to);
        if (isPlatformError(error) && (error.obstacle === 'copyDiffers' || error.obstacle === 'copyUnproven')) {
          this.announce([{ place: to, type: FileChangeType.Created }]);
        }
        if (isPlatformError(error) && error.kind === 'exists') {
          throw FileSystemError.FileExists(target);
        }
        throw isNotAFolder(error) && (await this.isBelowAFile(from)) ? FileSystemError.FileNotFound(source) : error;
      }
      this.happened(to, FileChangeType.Created);
    });
  }

  private async isBelowAFile(place: FilePlace): Promise<boolean> {
    try {
      await this.deps.listings.lookUp(place);
      return false;
    } catch (error) {
      // What else may be wrong with looking there is not what the move failed with.
      return isNotAFolder(error);
    }
  }

  private happened(place: FilePlace, type: FileChangeType): void {
    this.seen(place, type);
    this.altered.fire([{ place, type }]);
  }

  private seen(place: FilePlace, type: FileChangeType): void {
    this.deps.listings.forget(place);
    this.deps.listings.forget(parentOf(place) ?? place);
    this.announce([{ place, type }]);
  }
}
