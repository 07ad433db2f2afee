import {
  type CancellationToken,
  type DataTransfer,
  EventEmitter,
  type TreeDataProvider,
  type TreeDragAndDropController,
  type TreeView,
  window,
} from 'vscode';
import type { ViewId } from '../manifest';
import type { RecentErrors } from '../ui/recentErrors';
import type { Feature } from './feature';

/** A feature's tree data provider and drag-and-drop handlers. */
export interface ViewContent<T> {
  readonly view: TreeDataProvider<T>;
  readonly dragAndDrop?: Pick<TreeDragAndDropController<T>, 'handleDrag' | 'handleDrop'>;
}

export interface LazyTreeOptions {
  readonly canSelectMany?: boolean;
  readonly dragMimeTypes?: readonly string[];
  readonly dropMimeTypes?: readonly string[];
  readonly report: (error: unknown) => void;
  /** Gets the errors that rows show. */
  readonly recent: RecentErrors;
}

/** Creates a view whose code is loaded when VS Code first requests its rows, which is once the view is visible. */
export function createLazyTree<T, F>(
  id: ViewId,
  feature: Feature<F>,
  contentOf: (feature: F) => ViewContent<T>,
  { canSelectMany = false, dragMimeTypes = [], dropMimeTypes = [], report, recent }: LazyTreeOptions,
): TreeView<T> {
  const changed = new EventEmitter<T | T[] | undefined>();
  const use = <R>(work: (content: ViewContent<T>) => R) => feature.use((loaded) => work(contentOf(loaded)));
  feature.whenLoaded((loaded) =>
    contentOf(loaded).view.onDidChangeTreeData?.((rows) => changed.fire(rows ?? undefined)),
  );
  const treeDataProvider: TreeDataProvider<T> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (row) => use(({ view }) => view.getTreeItem(row)),
    getChildren: (row) =>
      use(async ({ view }) => {
        const rows = await view.getChildren(row);
        rows?.flatMap(errorIn).forEach((error) => recent.note(error));
        return rows;
      }).catch((error: unknown) => {
        report(error);
        return [];
      }),
    getParent: (row) => use(({ view }) => view.getParent?.(row)),
  };
  const dragAndDropController: TreeDragAndDropController<T> = {
    ...{ dragMimeTypes, dropMimeTypes },
    handleDrag: (rows: readonly T[], transfer: DataTransfer, token: CancellationToken) =>
      use(({ dragAndDrop }) => dragAndDrop?.handleDrag?.(rows, transfer, token)),
    handleDrop: (row: T | undefined, transfer: DataTransfer, token: CancellationToken) =>
      use(({ dragAndDrop }) => dragAndDrop?.handleDrop?.(row, transfer, token)),
  };
  const dragAndDrop = dragMimeTypes.length + dropMimeTypes.length > 0 ? { dragAndDropController } : {};
  return window.createTreeView(id, { treeDataProvider, ...dragAndDrop, canSelectMany, showCollapseAll: true });
}

function errorIn(row: unknown): readonly unknown[] {
  return typeof row === 'object' && row !== null && 'error' in row ? [row.error] : [];
}
