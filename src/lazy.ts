import {
  l10n,
  type CancellationToken,
  type DataTransfer,
  EventEmitter,
  type TreeDataProvider,
  type TreeDragAndDropController,
  type TreeView,
  window,
  Disposable,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
  type CustomDocument,
  type WebviewPanel,
  type TextDocumentContentProvider,
  workspace,
  languages,
  type WorkspaceSymbolProvider,
} from 'vscode';
import { SharedCalls } from './async/sharedCalls';
import { type ViewId, binaryFileViewType, scheme } from './manifest';
import { isCanceled } from './platform/errors';
import { failureText, diagnosticsLink, isExpected } from './ui/failureMessages';
import type { RecentErrors } from './ui/recentErrors';

/** What others may do with a feature or services: use them, which loads their code, or only what is loaded. */
export interface Loadable<T> {
  readonly loaded: T | undefined;
  /** Calls the listener as soon as it's loaded, before its first use. */
  whenLoaded(listener: (loaded: T) => void): void;
  load(): Promise<T>;
  /** Calls `work` synchronously if it's loaded, because a save depends on what is open at that moment. */
  use<R>(work: (loaded: T) => R): Promise<Awaited<R>>;
}

/** A feature or services whose code is loaded once, on first use, to keep startup fast. After a failure, the next use retries. */
export class Lazy<T> implements Loadable<T> {
  private readonly loading = new SharedCalls<T>('untilForgotten');
  private current: T | undefined;
  private readonly listeners: ((loaded: T) => void)[] = [];

  constructor(private readonly create: () => Promise<T>) {}

  get loaded(): T | undefined {
    return this.current;
  }

  whenLoaded(listener: (loaded: T) => void): void {
    if (this.current === undefined) {
      this.listeners.push(listener);
    } else {
      listener(this.current);
    }
  }

  load(): Promise<T> {
    return this.loading.share('load', async () => {
      const loaded = (this.current ??= await this.create().catch(rejectAsNotLoaded));
      const failures: unknown[] = [];
      for (const listener of this.listeners.splice(0)) {
        try {
          listener(loaded);
        } catch (error) {
          failures.push(error);
        }
      }
      // The listeners are called only once, so one that fails must not keep the others from it.
      if (failures.length > 0) {
        throw failures[0];
      }
      return loaded;
    });
  }

  async use<R>(work: (loaded: T) => R): Promise<Awaited<R>> {
    return await (this.current === undefined ? this.load().then(work) : work(this.current));
  }
}

class NotLoaded extends Error {}

/** Keeps the first error if something that this depends on can't be loaded. */
function rejectAsNotLoaded(cause: unknown): never {
  if (cause instanceof NotLoaded) {
    throw cause;
  }
  // After the first line, Node lists the files that required each other.
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  throw new NotLoaded(l10n.t("Couldn't load part of Gantry ({0}). Reload the window.", reason.replace(/\.$/, '')), {
    cause,
  });
}

/** A feature's tree data provider and drag-and-drop handlers. */
export interface ViewContent<T> {
  readonly view: TreeDataProvider<T>;
  readonly dragAndDrop?: Pick<TreeDragAndDropController<T>, 'handleDrag' | 'handleDrop'>;
}

/** What a view is before its code is loaded. */
export interface ViewOptions<V extends ViewId = ViewId, M extends string = string> {
  readonly id: V;
  readonly canSelectMany?: boolean;
  readonly dragMimeTypes?: readonly M[];
  readonly dropMimeTypes?: readonly M[];
}

/**
 * Creates a view whose code is loaded when VS Code first requests its rows, which is once the view is visible.
 * @param recent gets the errors that rows show
 */
export function createLazyTree<T>(
  { id, canSelectMany = false, dragMimeTypes = [], dropMimeTypes = [] }: ViewOptions,
  feature: Loadable<ViewContent<T>>,
  report: (error: unknown) => void,
  recent: RecentErrors,
): TreeView<T> {
  const changed = new EventEmitter<T | T[] | undefined>();
  feature.whenLoaded(({ view }) => view.onDidChangeTreeData?.((rows) => changed.fire(rows ?? undefined)));
  const treeDataProvider: TreeDataProvider<T> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (row) => feature.use(({ view }) => view.getTreeItem(row)),
    getChildren: (row) =>
      feature
        .use(async ({ view }) => {
          const rows = await view.getChildren(row);
          rows?.flatMap(errorIn).forEach((error) => recent.note(error));
          return rows;
        })
        .catch((error: unknown) => {
          report(error);
          return [];
        }),
    getParent: (row) => feature.use(({ view }) => view.getParent?.(row)),
  };
  const dragAndDropController: TreeDragAndDropController<T> = {
    dragMimeTypes,
    dropMimeTypes,
    handleDrag: (rows: readonly T[], transfer: DataTransfer, token: CancellationToken) =>
      feature.use(({ dragAndDrop }) => dragAndDrop?.handleDrag?.(rows, transfer, token)),
    handleDrop: (row: T | undefined, transfer: DataTransfer, token: CancellationToken) =>
      feature.use(({ dragAndDrop }) => dragAndDrop?.handleDrop?.(row, transfer, token)),
  };
  const dragAndDrop = dragMimeTypes.length + dropMimeTypes.length > 0 ? { dragAndDropController } : {};
  return window.createTreeView(id, { treeDataProvider, ...dragAndDrop, canSelectMany, showCollapseAll: true });
}

function errorIn(row: unknown): readonly unknown[] {
  return typeof row === 'object' && row !== null && 'error' in row ? [row.error] : [];
}

type MoveOptions = Parameters<FileSystemProvider['rename']>[2];

/** A file system whose code is loaded on the first call. */
export class LazyFileSystem<T> implements FileSystemProvider {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly use: <R>(work: (fileSystem: FileSystemProvider) => R) => Promise<Awaited<R>>;

  /** VS Code itself copies files, by reading and writing them, if this isn't defined. */
  readonly copy?: (from: Uri, to: Uri, options: MoveOptions) => Promise<void>;

  constructor(
    feature: Lazy<T>,
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

  /** Ignored, because VS Code asks to watch every folder it knows. Our file systems watch visible, listed folders. */
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

interface PageEditor {
  resolveCustomEditor(document: CustomDocument, panel: WebviewPanel): Promise<void>;
}

/** Registers the page of binary files. Its code is loaded when the first one is opened. */
export function registerBinaryFileEditor<T>(feature: Lazy<T>, editorOf: (feature: T) => PageEditor): Disposable {
  return window.registerCustomEditorProvider(
    binaryFileViewType,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: (document, panel) =>
        feature.use((loaded) => editorOf(loaded).resolveCustomEditor(document, panel)),
    },
    { supportsMultipleEditorsPerDocument: true },
  );
}

/** Registers symbols for `#` in Quick Open. VS Code asks in every window, so without a container folder no code is loaded. */
export function registerFileNameSymbols<T>(
  feature: Lazy<T>,
  providerOf: (feature: T) => WorkspaceSymbolProvider,
): Disposable {
  return languages.registerWorkspaceSymbolProvider({
    provideWorkspaceSymbols: (query, token) =>
      isContainerFolderOpen() ? feature.use((loaded) => providerOf(loaded).provideWorkspaceSymbols(query, token)) : [],
  });
}

/** Provides a scheme's read-only documents. Their code is loaded when the first one is opened. */
export function registerLazyText<T>(
  scheme: string,
  feature: Lazy<T>,
  providerOf: (feature: T) => TextDocumentContentProvider,
): Disposable {
  const changed = new EventEmitter<Uri>();
  feature.whenLoaded((loaded) => providerOf(loaded).onDidChange?.((uri) => changed.fire(uri)));
  return Disposable.from(
    changed,
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri, token) =>
        feature.use((loaded) => providerOf(loaded).provideTextDocumentContent(uri, token)),
    }),
  );
}

export const isContainerFolderOpen = () => (workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === scheme);
