import { commands, Disposable, EventEmitter, type TreeDataProvider, type TreeItem, type TreeView } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import { onDidChangeProtection } from '../containers/protectedEnvironments';
import type { ViewId } from '../manifest';
import { lackWords } from '../ui/lackText';
import type { AccountElement, ProblemElement, SharedElement, TreeElement } from './sharedElement';

/** Environments are unfolded at first if there are at most this many, because what is below each one needs requests. */
export const mostUnfolded = 3;

/** What the views have in common. A row is an object; what could not be fetched is a row that says why. */
export abstract class RowTreeProvider<Own extends TreeElement>
  implements TreeDataProvider<Own | SharedElement>, Disposable
{
  private readonly changed = new EventEmitter<Own | SharedElement | (Own | SharedElement)[] | undefined>();
  /** Every row that was shown, with the one above it. */
  private readonly parents = new WeakMap<object, Own | SharedElement | undefined>();
  private readonly followed: Disposable[] = [];
  /** Whether several accounts are shown with their content at first. */
  protected readonly unfoldsAccounts: boolean = true;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(protected readonly accounts: Accounts) {
    const refresh = () => this.refresh();
    this.follow(accounts.onDidChange(refresh), onDidChangeProtection(refresh));
  }

  abstract getTreeItem(row: Own | SharedElement): TreeItem;

  /** What the view has of one account; `under` is the account's row, if there is one. */
  protected abstract ofAccount(account: Account, under?: AccountElement): Promise<(Own | SharedElement)[]>;

  /** What is below any row but an account's. */
  protected abstract below(row: Own | SharedElement): Promise<(Own | SharedElement)[]>;

  getParent(row: Own | SharedElement): Own | SharedElement | undefined {
    return this.parents.get(row);
  }

  async getChildren(row?: Own | SharedElement): Promise<(Own | SharedElement)[]> {
    // Show an error row instead of an empty list.
    const children = await this.under(row).catch((error: unknown) => [this.problem(row, error)]);
    for (const child of children) {
      this.parents.set(child, row);
    }
    return children;
  }

  /**
   * Adds the operations that the row's account lacks to its context, such as `noDelete`. Menus leave out a command whose
   * operation they find there.
   */
  protected withLacks(row: Own | SharedElement, item: TreeItem): TreeItem {
    return addLacks(item, this.accounts.find(this.slugOf(row) ?? ''));
  }

  /** The row that a command was called on, if it is one of this view's. */
  find(received: unknown): Own | SharedElement | undefined {
    return this.isRow(received) ? received : undefined;
  }

  /** Refreshes because the user asked to: what the tokens permit may have changed, too. */
  async readAgain(forget: () => void): Promise<void> {
    await this.accounts.demandRead();
    this.accounts.forgetRights();
    forget();
  }

  /** Shows what is known anew. */
  refresh(): void {
    this.refreshRows(undefined);
  }

  dispose(): void {
    Disposable.from(...this.followed, this.changed).dispose();
  }

  /** Refreshes these rows and everything below them, or the whole view. */
  protected refreshRows(rows: Own | SharedElement | (Own | SharedElement)[] | undefined): void {
    this.changed.fire(rows);
  }

  /** Listens for as long as the view lives. */
  protected follow(...subscriptions: readonly Disposable[]): void {
    this.followed.push(...subscriptions);
  }

  /** A row below `of`; `part` tells it apart if `of` can have several. */
  protected problem(
    of: Own | SharedElement | undefined,
    error: unknown,
    { part = '', what }: { readonly part?: string; readonly what?: string } = {},
  ): ProblemElement {
    const id = `problem ${part} ${(of && this.getTreeItem(of).id) ?? ''}`;
    return { kind: 'problem', id, error, what, slug: this.slugOf(of), retry: () => this.askAgain(of) };
  }

  /** A failure isn't kept, so what shows a row anew asks again. A view that keeps part of an answer forgets it first. */
  protected askAgain(of: Own | SharedElement | undefined): void {
    this.refreshRows(of);
  }

  private under(row: Own | SharedElement | undefined): Promise<(Own | SharedElement)[]> {
    return row === undefined ? this.roots() : isAccount(row) ? this.belowAccount(row) : this.below(row);
  }

  private async belowAccount(row: AccountElement): Promise<(Own | SharedElement)[]> {
    const { account } = row;
    return account.isSignedOut ? [{ kind: 'signedOut', account }] : this.ofAccount(account, row);
  }

  /**
   * With one account a view begins with what that account has; with several, with the accounts. If the accounts can't be
   * read or the only one is signed out, there are no rows, and VS Code shows the welcome content for that.
   */
  private async roots(): Promise<(Own | SharedElement)[]> {
    const { accounts } = this;
    await accounts.loaded;
    const [first, ...others] = accounts.list;
    if (first !== undefined && others.length === 0) {
      return first.isSignedOut ? [] : this.ofAccount(first);
    }
    return accounts.list.map((account) => ({ kind: 'account', account, isUnfolded: this.unfoldsAccounts }));
  }

  private slugOf(row: (Own | SharedElement) | undefined): string | undefined {
    const { account, environment }: Partial<TreeElement> = row ?? {};
    return account?.slug ?? environment?.account ?? (row && this.slugOf(this.getParent(row)));
  }

  private isRow(received: unknown): received is Own | SharedElement {
    return typeof received === 'object' && received !== null && this.parents.has(received);
  }
}

const withCommands =
  /^(environment|layer|node|folder|file|special|project|favorite|gone|noMatch|none|mount|export|client|foundFile|foundLine)\b/;

/** Adds the operations that an account lacks to the context of a row of it. */
export function addLacks(item: TreeItem, account: Account | undefined): TreeItem {
  const words = lackWords(account);
  if (words.length > 0 && withCommands.test(item.contextValue ?? '')) {
    item.contextValue = [item.contextValue, ...words].join(' ');
  }
  return item;
}

function isAccount(row: TreeElement): row is AccountElement {
  return row.kind === 'account';
}

/**
 * Shows a view and selects a row in it. Returns whether there's such a row; if not, a hidden view stays hidden. VS Code
 * doesn't reveal a row in a view that it's only starting to show, so the view is shown first. It asks for its rows again
 * then, so the row is found again, too.
 * @param id the view's
 */
export async function showRow<E>(
  { tree, id }: { readonly tree: TreeView<E>; readonly id: ViewId },
  find: () => Promise<E | undefined>,
  options: { readonly expand?: boolean } = {},
): Promise<boolean> {
  let row = await find();
  if (row !== undefined && !tree.visible) {
    await commands.executeCommand(`${id}.focus`);
    row = await find();
  }
  if (row !== undefined) {
    await tree.reveal(row, { select: true, focus: true, ...options });
  }
  return row !== undefined;
}

/** The argument that a keybinding passes to refer to the rows selected in a view. */
export const selected = 'selection';

/** What a command was called on from a menu: the rows selected if the one clicked is among them, else that one alone. */
export function clickedRows([first, several]: readonly unknown[]): readonly unknown[] {
  return Array.isArray(several) && several.length > 0 ? several : [first];
}

/** The rows of a view that a command was called on, from a menu, by a key or from the palette. */
export function selectedRows<E>(
  received: readonly unknown[],
  view: { find(received: unknown): E | undefined },
  selection: () => readonly E[],
): E[] {
  const [first] = received;
  return first === selected || first === undefined
    ? [...selection()]
    : clickedRows(received).flatMap((one) => view.find(one) ?? []);
}
