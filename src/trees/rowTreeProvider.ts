import { Disposable, EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import type { FilePlace } from '../containers/place';
import { ExpandedFolders } from './expandedFolders';

/** What the trees have in common. A row is a plain object; what could not be fetched is a row that says why. */
export abstract class RowTreeProvider<Row extends object> implements TreeDataProvider<Row>, Disposable {
  private readonly changed = new EventEmitter<Row | Row[] | undefined>();
  private readonly shown = new WeakSet();
  private readonly parents = new WeakMap<Row, Row>();
  private readonly followed: Disposable[] = [];
  /** Whoever shows what a folder holds. */
  protected readonly unfolded = new ExpandedFolders<Row>();
  readonly onDidChangeTreeData = this.changed.event;

  abstract getTreeItem(row: Row): TreeItem;

  protected abstract below(row: Row | undefined): Promise<Row[]>;

  protected abstract problem(of: Row | undefined, error: unknown): Row;

  getParent(row: Row): Row | undefined {
    return this.parents.get(row);
  }

  async getChildren(row?: Row): Promise<Row[]> {
    // Nothing is shown empty because it could not be fetched.
    const children = await this.below(row).catch((error: unknown) => [this.problem(row, error)]);
    for (const child of children) {
      this.shown.add(child);
      if (row !== undefined) {
        this.parents.set(child, row);
      }
    }
    return children;
  }

  /** The row that a command was called on, if it is one of this tree's. */
  find(received: unknown): Row | undefined {
    return this.isRow(received) ? received : undefined;
  }

  /** These folders hold something else now: wherever they are shown, they are shown anew. */
  refreshFolders(folders: readonly FilePlace[]): void {
    const rows = this.unfolded.showing(folders);
    if (rows.length > 0) {
      this.showAnew(rows);
    }
  }

  dispose(): void {
    Disposable.from(...this.followed, this.changed).dispose();
  }

  /** These rows and what is below them, or all of them. */
  protected showAnew(rows: Row | Row[] | undefined): void {
    this.changed.fire(rows);
  }

  /** Listens for as long as the tree lives. */
  protected follow(...subscriptions: readonly Disposable[]): void {
    this.followed.push(...subscriptions);
  }

  private isRow(received: unknown): received is Row {
    return typeof received === 'object' && received !== null && this.shown.has(received);
  }
}

export interface AccountRow {
  readonly kind: 'account';
  readonly account: Account;
}

/** With one account a tree begins with what that account has; with several, with the accounts. */
export async function rootsOf<Row>(
  accounts: Accounts,
  below: (account: Account) => Promise<Row[]>,
): Promise<(Row | AccountRow)[]> {
  await accounts.loaded;
  if (accounts.unreadable !== undefined) {
    throw accounts.unreadable;
  }
  const [first, ...others] = accounts.list;
  if (first === undefined) {
    return [];
  }
  return others.length === 0 ? below(first) : [first, ...others].map((account) => ({ kind: 'account', account }));
}
