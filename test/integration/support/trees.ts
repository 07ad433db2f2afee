import assert from 'node:assert/strict';
import { EventEmitter, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { byKind, type SharedElement, type TreeElement } from '../../../src/trees/sharedElement';
import type { RowTree } from '../../../src/trees/rowTree';
import { sharedKinds } from '../../../src/trees/sharedRows';

/** Reads a view in tests by the labels of its rows. */
export interface Tree<E> {
  getChildren(element?: E): Promise<E[]>;
  getTreeItem(element: E): TreeItem;
}

const sharedKind = byKind(sharedKinds);

/** What a row of several views shows. */
export function sharedRow(row: SharedElement): TreeItem {
  return sharedKind(row, (kind, one) => kind.row(one));
}

/** A view that has these rows. */
export function viewOf(rows: readonly SharedElement[]) {
  const find = (received: unknown) => rows.find((row) => row === received);
  const targetOf = (received: unknown) => {
    const row = find(received);
    return row && sharedKind(row, (kind, one) => kind.target?.(one));
  };
  return { find, targetOf };
}

export function labelOf<E>(view: Tree<E>, element: E): string {
  const { label } = view.getTreeItem(element);
  return typeof label === 'string' ? label : (label?.label ?? '');
}

export function descriptionOf<E>(view: Tree<E>, element: E): string {
  const { description } = view.getTreeItem(element);
  return typeof description === 'string' ? description : '';
}

/** Returns the rows below the row with these labels. */
export async function rowsBelow<E>(view: Tree<E>, ...path: readonly string[]): Promise<E[]> {
  let rows = await view.getChildren();
  for (const label of path) {
    const next = rows.find((row) => labelOf(view, row) === label);
    assert.ok(next, `${label} is among ${rows.map((row) => labelOf(view, row)).join(', ')}`);
    rows = await view.getChildren(next);
  }
  return rows;
}

/** Returns the first row of a kind among those below the row with these labels, and those below them. */
export async function rowOfKind<E extends { readonly kind: string }, K extends E['kind']>(
  view: Tree<E>,
  kind: K,
  ...path: readonly string[]
): Promise<Extract<E, { readonly kind: K }>> {
  const isOfKind = (row: E): row is Extract<E, { readonly kind: K }> => row.kind === kind;
  const rows = await rowsBelow(view, ...path);
  const near = rows.find(isOfKind);
  if (near !== undefined) return near;
  const below = await Promise.all(rows.map((row) => view.getChildren(row)));
  return below.flat().find(isOfKind) ?? assert.fail(`a row of the kind ${kind} is among ${rows.length} or below`);
}

export async function labelsBelow<E>(view: Tree<E>, ...path: readonly string[]): Promise<string[]> {
  return (await rowsBelow(view, ...path)).map((row) => labelOf(view, row));
}

/** Returns the rows that VS Code asks for when the view opens: the unfolded ones with what is below them. */
export async function openedRows<E>(view: Tree<E>, below?: E): Promise<E[]> {
  const rows = await view.getChildren(below);
  const isUnfolded = (row: E) => view.getTreeItem(row).collapsibleState === TreeItemCollapsibleState.Expanded;
  const all = await Promise.all(
    rows.map(async (row) => [row, ...(isUnfolded(row) ? await openedRows(view, row) : [])]),
  );
  return all.flat();
}

/** Does something while it is another time. */
export function atTime<T>(moment: number, work: () => T): T {
  const { now } = Date;
  Date.now = () => moment;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}

/** How a view that is visible draws rows again as time passes. */
export class PassingTime {
  readonly tree = { visible: true, onDidChangeVisibility: new EventEmitter<{ visible: boolean }>() };
  private readonly timers = new Set<() => void>();
  private redrawn: unknown[] = [];

  constructor(view: Pick<RowTree<TreeElement>, 'keepTimes' | 'onDidChangeTreeData'>) {
    const { tree, timers } = this;
    const shown = {
      get visible() {
        return tree.visible;
      },
      onDidChangeVisibility: tree.onDidChangeVisibility.event,
    };
    const after = (_: number, run: () => void) => {
      timers.add(run);
      return () => timers.delete(run);
    };
    view.keepTimes(shown, { after });
    view.onDidChangeTreeData((rows) => this.redrawn.push(rows));
  }

  get timersRunning(): number {
    return this.timers.size;
  }

  /** Returns the rows that were drawn again, once the timer has fired at this moment. */
  at(moment: number): unknown[] {
    this.redrawn = [];
    const timers = [...this.timers];
    this.timers.clear();
    atTime(moment, () => timers.forEach((run) => run()));
    return this.redrawn.flat();
  }

  show(visible: boolean): void {
    this.tree.visible = visible;
    this.tree.onDidChangeVisibility.fire({ visible });
  }
}
