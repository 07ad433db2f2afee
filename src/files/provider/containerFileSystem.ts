import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
} from 'vscode';
import { PendingWork } from '../../async/sharedCalls';
import type { Accounts } from '../../accounts/accounts';
import { uriOf } from '../../containers/uris';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, parentOrSelf } from '../../containers/place';
import { fileAt, type StatAndList } from './statAndList';
import { deletesAndMoves, type Gone } from './deleteAndMove';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { HiddenFiles } from './hiddenFiles';
import { fileSystemError } from './fileSystemErrors';
import { ListedFolders } from './listedFolders';
import type { Moves } from './moves';
import type { OverwriteBackups } from './overwriteBackups';
import { movedContentsOf } from './previousContent';
import { type FileReader, AlteredTextError } from './readFile';
import type { ReadOnlyFiles } from './readOnlyFiles';
import type { FileQueue } from '../saving/saves';
import type { AnnouncedSave } from '../saving/serverFiles';
import { encodeText } from '../text';
import type { WriteSource } from '../saving/edits/edit';
import type { WriteOptions, FileWriter } from './writeFile';

export interface FileChange {
  readonly place: FilePlace;
  readonly type: FileChangeType;
  /** The unpacked archive's path. The place then means everything unpacked to its folder. */
  readonly unpacked?: string | undefined;
  readonly gone?: Gone;
}

/** A change that has started and may still fail. */
interface PendingChange {
  readonly place: FilePlace;
  readonly done: Promise<unknown>;
}

/** Provides containers to VS Code. Shows no UI of its own: it only throws errors and fires events. */
export class ContainerFileSystem implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly changing = new EventEmitter<PendingChange>();
  private readonly saved = new EventEmitter<AnnouncedSave>();
  private readonly altered = new EventEmitter<readonly FileChange[]>();
  private readonly listening: Disposable;
  private readonly stats = new PendingWork();
  private readonly listed: ListedFolders;
  private readonly changes: ReturnType<typeof deletesAndMoves>;
  readonly deleteInTurn: ReturnType<typeof deletesAndMoves>['deleteInTurn'];
  readonly onDidChangeFile = this.changed.event;
  readonly onWillChange = this.changing.event;
  /** Fires after any write to a file was verified. */
  readonly onDidSave = this.saved.event;
  /** Fires when this user deletes, moves, copies or transfers files or folders, here or in a view. */
  readonly onDidAlter = this.altered.event;

  constructor(
    private readonly deps: {
      readonly accounts: Accounts;
      readonly containers: Containers;
      readonly hidden: HiddenFiles;
      readonly statAndList: StatAndList;
      readonly listings: Listings;
      readonly edits: OpenEdits;
      readonly reader: FileReader;
      readonly writer: FileWriter;
      readonly moves: Moves;
      readonly queue: FileQueue;
      readonly backups: OverwriteBackups;
      readonly readOnly: ReadOnlyFiles;
      readonly longestDeletedText: (place: FilePlace) => number;
      /** Asks what to do if the save of a document failed because of a conflict, before VS Code shows the error. */
      readonly resolveConflict: (place: FilePlace) => Promise<'overwrite' | FileSystemError | undefined>;
      /**
       * Called when a read fails because the platform's text isn't exactly the file. An editor shows the error after VS
       * Code's pending stats of the file.
       */
      readonly showAltered: (place: FilePlace, stats: Promise<unknown>) => void;
    },
  ) {
    this.listed = new ListedFolders(deps.containers, deps.listings, deps.backups);
    this.changes = deletesAndMoves({
      ...deps,
      listed: this.listed,
      announce: {
        altered: (change) => {
          this.forgetAndAnnounce(change.place, change.type);
          this.altered.fire([change]);
        },
        copyLeft: (place) => this.announce([{ place, type: FileChangeType.Created }]),
      },
    });
    this.deleteInTurn = this.changes.deleteInTurn;
    this.listening = Disposable.from(
      // A change event makes VS Code check again whether the file is read-only.
      deps.readOnly.onDidChange((place) => this.announce([{ place, type: FileChangeType.Changed }])),
      this.onDidSave(({ place }) => this.listed.noteOwn(place)),
      this.onDidAlter((changes) => changes.forEach(({ place }) => this.listed.noteOwn(place))),
      // What a failed overwrite or delete leaves shows from now on.
      deps.backups.onDidFailToOverwrite(({ backup }) =>
        movedContentsOf(backup).forEach(({ movedTo }) => this.listed.noteOwn(movedTo)),
      ),
      deps.backups.onDidFailToRemove(({ left }) => this.listed.noteOwn(left)),
    );
  }

  /** Ignored, because VS Code asks to watch every folder it knows. Gantry watches visible, listed folders. */
  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  stat(uri: Uri): Promise<FileStat> {
    const stat = this.guard(uri, () => {
      this.deps.hidden.ensureShown(uri);
      return this.deps.statAndList.stat(uri);
    });
    return this.stats.add(uri.toString(), stat);
  }

  readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const folder = filePlaceOf(uri);
    const listing = this.guard(uri, () => this.deps.statAndList.entries(uri));
    return folder === undefined ? listing : this.listed.note(folder, listing);
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    return this.guard(uri, async () => {
      this.deps.hidden.ensureShown(uri);
      const place = fileAt(uri);
      try {
        return encodeText(await this.listed.noteRead(place, this.deps.reader.read(place)));
      } catch (error) {
        if (error instanceof AlteredTextError) {
          this.deps.showAltered(place, Promise.all(this.stats.in(uri.toString())));
        }
        throw error;
      }
    });
  }

  async writeFile(uri: Uri, content: Uint8Array, options: WriteOptions): Promise<void> {
    const at = filePlaceOf(uri);
    const source = at === undefined ? 'others' : this.deps.writer.sourceOf(at, content);
    try {
      await this.write(uri, content, options, source);
    } catch (error) {
      const isResolvable = source !== 'others' && this.deps.writer.isConflict(error);
      const decided = at !== undefined && isResolvable ? await this.deps.resolveConflict(at) : undefined;
      if (decided !== 'overwrite') {
        throw decided ?? error;
      }
      await this.write(uri, content, options, source);
    }
  }

  private write(uri: Uri, content: Uint8Array, options: WriteOptions, source: WriteSource): Promise<void> {
    return this.make(uri, async (mayOverwrite) => {
      const overwrite = options.overwrite && mayOverwrite;
      const written = this.deps.backups.during(fileAt(uri), 'whole', () =>
        this.deps.writer.write(fileAt(uri), content, { ...options, overwrite }, source),
      );
      const { saved, type } = await written
        .catch((error: unknown) => {
          // An editor keeps its text, and its next save finds out.
          if (source === 'others' && this.deps.writer.mayHaveWritten(error)) {
            this.announceOwn([{ place: fileAt(uri), type: FileChangeType.Changed }]);
          }
          throw error;
        })
        .finally(() => this.deps.reader.unlisted.forget(fileAt(uri)));
      this.announceWritten(saved, type);
    });
  }

  createDirectory(uri: Uri): Promise<void> {
    return this.make(uri, async () => {
      const folder = fileAt(uri);
      if (folder.path === '/') {
        throw FileSystemError.FileExists(uri);
      }
      await this.deps.backups.during(folder, 'part', () => this.deps.containers.createFolder(folder));
      this.listed.noteOwn(folder);
      this.forgetAndAnnounce(folder, FileChangeType.Created);
    });
  }

  delete(uri: Uri, options: { readonly recursive: boolean }): Promise<void> {
    return this.change([uri], () => this.changes.delete(uri, options));
  }

  rename(oldUri: Uri, newUri: Uri): Promise<void> {
    return this.change([oldUri, newUri], () => this.changes.rename(oldUri, newUri));
  }

  /** Prevents VS Code from reading and writing every file itself, all at once. */
  copy(source: Uri, destination: Uri): Promise<void> {
    return this.change([source, destination], () => this.changes.copy(source, destination));
  }

  /** Notifies VS Code of this user's changes that weren't made through it. The caller updates the listings. */
  announceOwn(changes: readonly FileChange[]): void {
    changes.forEach(({ place }) => this.deps.edits.forgetTexts(place));
    this.announce(changes);
    this.altered.fire(changes);
  }

  /**
   * Notifies VS Code and others of a verified write that wasn't made through VS Code. The caller updates the listings.
   * @param saved the file itself first, then its other URIs
   */
  announceSaved(saved: readonly AnnouncedSave[]): void {
    saved.slice(0, 1).forEach(({ place }) => this.deps.edits.forgetTexts(place));
    const isNew = saved.every((one) => one.isNew);
    this.announceWritten(saved, isNew ? FileChangeType.Created : FileChangeType.Changed);
  }

  /** Notifies VS Code of changes made by others or by the platform. The caller updates the listings. */
  announce(changes: readonly FileChange[]): void {
    this.changed.fire(changes.map(({ place, type }) => ({ type, uri: uriOf(place) })));
  }

  /**
   * Makes the Explorer read its folders again, and whether they're read-only. It keeps that until something appears that
   * it doesn't show yet, so this announces an entry that no folder shows: the folder itself.
   */
  announceInExplorer(workspaceFolders: readonly Uri[]): void {
    const type = FileChangeType.Created;
    this.changed.fire(workspaceFolders.map((uri) => ({ type, uri: uri.with({ path: `${uri.path}/.` }) })));
  }

  dispose(): void {
    Disposable.from(this.listening, this.changed, this.changing, this.saved, this.altered).dispose();
  }

  /** Waits until the accounts are loaded, and converts errors to those that VS Code expects. */
  private async guard<T>(uri: Uri, work: () => Promise<T>): Promise<T> {
    await this.deps.accounts.firstRead;
    try {
      return await work();
    } catch (error) {
      throw fileSystemError(error, uri);
    }
  }

  /** Announces the change before it starts, so that watching doesn't mistake its effects for someone else's change. */
  private change<T>([uri, ...others]: readonly [Uri, ...Uri[]], work: () => Promise<T>): Promise<T> {
    const done = this.guard(uri, work);
    for (const place of [uri, ...others].flatMap((one) => filePlaceOf(one) ?? [])) {
      this.changing.fire({ place, done });
    }
    return done;
  }

  private make(uri: Uri, work: (mayOverwrite: boolean) => Promise<void>): Promise<void> {
    return this.change([uri], () => this.deps.hidden.create(uri, work));
  }

  /** Of the first place, an editor that saved it knows the text. */
  private announceWritten(saved: readonly AnnouncedSave[], type: FileChangeType): void {
    this.announce(saved.map(({ place }) => ({ place, type })));
    saved.slice(1).forEach(({ place }) => this.deps.edits.forgetTexts(place));
    saved.forEach((one) => this.saved.fire(one));
  }

  private forgetAndAnnounce(place: FilePlace, type: FileChangeType): void {
    this.deps.listings.forget(parentOrSelf(place));
    this.announce([{ place, type }]);
  }
}
