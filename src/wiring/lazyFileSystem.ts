import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
} from 'vscode';
import { isCanceled } from '../platform/errors';
import { failureText, diagnosticsLink, isExpected } from '../ui/failureMessages';
import type { RecentErrors } from '../ui/recentErrors';
import type { Feature } from './feature';

type MoveOptions = Parameters<FileSystemProvider['rename']>[2];

/** A file system whose code is loaded on the first call. */
export class LazyFileSystem<T> implements FileSystemProvider {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly use: <R>(work: (fileSystem: FileSystemProvider) => R) => Promise<Awaited<R>>;

  /** VS Code itself copies files, by reading and writing them, if this isn't defined. */
  readonly copy?: (from: Uri, to: Uri, options: MoveOptions) => Promise<void>;

  constructor(
    feature: Feature<T>,
    fileSystemOf: (feature: T) => FileSystemProvider,
    private readonly recent: RecentErrors,
    { canCopy = false }: { readonly canCopy?: boolean } = {},
  ) {
    this.use = (work) =>
      feature
        .use((loaded) => work(fileSystemOf(loaded)))
        .catch((error: unknown) => {
          this.noteUnexpected(error);
          throw error;
        });
    feature.whenLoaded((loaded) => fileSystemOf(loaded).onDidChangeFile((changes) => this.changed.fire(changes)));
    if (canCopy) {
      this.copy = (from, to, options) => this.use((files) => files.copy?.(from, to, options));
    }
  }

  /** Ignored, because our file systems watch what they have listed instead. */
  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  stat(uri: Uri): Promise<FileStat> {
    return this.use((files) => files.stat(uri));
  }

  readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return this.use((files) => files.readDirectory(uri));
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    return this.use((files) => files.readFile(uri));
  }

  writeFile(uri: Uri, content: Uint8Array, options: Parameters<FileSystemProvider['writeFile']>[2]): Promise<void> {
    return this.use((files) => files.writeFile(uri, content, options)).catch((error: unknown) => {
      // VS Code shows links in the message of a failed save.
      throw isToBeNoted(error) ? FileSystemError.Unavailable(`${failureText(error)} ${diagnosticsLink()}`) : error;
    });
  }

  createDirectory(uri: Uri): Promise<void> {
    return this.use((files) => files.createDirectory(uri));
  }

  delete(uri: Uri, options: Parameters<FileSystemProvider['delete']>[1]): Promise<void> {
    return this.use((files) => files.delete(uri, options));
  }

  rename(from: Uri, to: Uri, options: MoveOptions): Promise<void> {
    return this.use((files) => files.rename(from, to, options));
  }

  /** VS Code itself shows these errors, so they're remembered here for the diagnostics. */
  private noteUnexpected(error: unknown): void {
    if (isToBeNoted(error)) {
      this.recent.note(error);
    }
  }
}

function isToBeNoted(error: unknown): boolean {
  return !isExpected(error) && !isCanceled(error);
}
