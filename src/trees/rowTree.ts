import { commands, Disposable, EventEmitter, type TreeDataProvider, type TreeItem, type TreeView } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import { type FilePlace, keyOf } from '../containers/place';
import { onDidChangeProtection } from '../containers/protectedEnvironments';
import type { ViewId } from '../manifest';
import { KeyedQueue, systemTime, type TimeSource } from '../async/waiting';
import type { Call } from '../ui/commands/call';
import { command, type Handler } from '../ui/commands/command';
import { lackWords } from '../ui/lackText';
import type {
  AccountElement,
  CommandTarget,
  OfKind,
  ProblemElement,
  SharedElement,
  TreeElement,
} from './sharedElement';

/** Environments are unfolded at first if there are at most this many, because what is below each one needs requests. */
export const maxUnfolded = 3;

interface RowTreeOptions<Row> {
  readonly accounts: Accounts;
  readonly kinds: OfKind<Row>;
  /** What the view has of one account; `under` is the account's row, if there is one. */
  readonly ofAccount: (account: Account, under: AccountElement | undefined) => Promise<readonly Row[]>;
  /** Whether several accounts are shown with their content at first. */
  readonly unfoldsAccounts?: boolean;
  /** What each Retry forgets. A failure isn't kept, so drawing a row again asks again. */
  readonly beforeRetry?: () => void;
}

/** The provider of a view. A row is an object; what could not be fetched is a row that says why. */
export class RowTree<Row extends TreeElement> implements TreeDataProvider<Row | SharedElement>, Disposable {
  private readonly changed = new EventEmitter<Row | SharedElement | (Row | SharedElement)[] | undefined>();
  /** Every row that was shown, with the one above it. */
  private readonly parents = new WeakMap<object, Row | SharedElement | undefined>();
  /**
   * What VS Code was given below each row, and below the view itself at the top. It knows no other rows: one that only
   * equals what it has can't be drawn again.
   */
  private given = new WeakMap<object, Promise<(Row | SharedElement)[]>>();
  /** The rows that show what folders hold, by folder and their ids: one folder may be shown in several places. */
  private readonly unfolded = new Map<string, Map<string | undefined, Row | SharedElement>>();
  /** The rows whose description depends on the time, by their ids, with the description that was drawn. */
  private readonly timed = new Map<string | undefined, readonly [Row | SharedElement, TreeItem['description']]>();
  private readonly followed: Disposable[] = [];
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly options: RowTreeOptions<Row | SharedElement>) {
    const refresh = () => this.refresh();
    this.follow(options.accounts.onDidChange(refresh), onDidChangeProtection(refresh));
  }

  /**
   * Adds the operations that the row's account lacks to its context, such as `noDelete`. Menus leave out a command whose
   * operation they find there.
   */
  getTreeItem(row: Row | SharedElement): TreeItem {
    const account = this.options.accounts.find(this.slugOf(row) ?? '');
    const item = this.options.kinds(row, (kind, one) => {
      const drawn = kind.row(one, account);
      if (kind.isTimed?.(one) === true) {
        this.timed.set(drawn.id, [row, drawn.description]);
      }
      return drawn;
    });
    return addLacks(item, account);
  }

  getParent(row: Row | SharedElement): Row | SharedElement | undefined {
    return this.parents.get(row);
  }

  /** Only VS Code calls this, because it keeps what it's given. */
  getChildren(row?: Row | SharedElement): Promise<(Row | SharedElement)[]> {
    const folder = row && this.options.kinds(row, ({ folder }, one) => folder?.(one));
    if (row !== undefined && folder !== undefined) {
      const rows = this.unfolded.get(keyOf(folder)) ?? new Map<string | undefined, Row | SharedElement>();
      this.unfolded.set(keyOf(folder), rows.set(this.getTreeItem(row).id, row));
    }
    const children = this.rowsBelow(row);
    this.given.set(row ?? this, children);
    return children;
  }

  /** Narrows a command's argument to a row of this view. */
  find(row: object | undefined): Row | SharedElement | undefined {
    return this.isRow(row) ? row : undefined;
  }

  /** The rows that are selected where VS Code shows this view. */
  selectedIn({ selection }: Pick<TreeView<unknown>, 'selection'>): (Row | SharedElement)[] {
    return selection.filter((row) => this.isRow(row));
  }

  /** The file or folder that the row stands for. */
  targetOf(row: object | undefined): CommandTarget | undefined {
    return this.isRow(row) ? this.options.kinds(row, (kind, one) => kind.target?.(one)) : undefined;
  }

  /** Finds a row from the root down, and loads collapsed rows on the way. */
  async findDown(leadsTo: (row: Row | SharedElement) => 'here' | 'below' | undefined) {
    const found = await this.walkDown(leadsTo);
    if (found !== undefined || !this.given.has(this)) {
      return found;
    }
    // The rows that VS Code has may be older than what is known: an environment's lack a node that joined since.
    this.refresh();
    return this.walkDown(leadsTo);
  }

  /** Finds a row directly below another one: the one that VS Code has, if it has one. */
  async findBelow(
    above: Row | SharedElement | undefined,
    isMeant: (row: Row | SharedElement) => boolean,
  ): Promise<Row | SharedElement | undefined> {
    const given = await this.given.get(above ?? this);
    const found = given?.find(isMeant) ?? (await this.rowsBelow(above)).find(isMeant);
    if (found !== undefined && given?.includes(found) === false) {
      // VS Code can't reveal what isn't among the rows that it has there, so it has to ask for them again.
      this.refresh(above);
    }
    return found;
  }

  /** Refreshes because the user asked to: what the tokens permit may have changed, too. */
  async readAgain(forget: () => void): Promise<void> {
    await this.options.accounts.demandRead();
    this.options.accounts.forgetRights();
    forget();
  }

  /** Draws these rows and everything below them again, or the whole view, from what is known. */
  refresh(rows?: Row | SharedElement | (Row | SharedElement)[]): void {
    // VS Code asks again for those that it still shows.
    const refreshed = rows === undefined ? undefined : new Set(Array.isArray(rows) ? rows : [rows]);
    if (refreshed === undefined) {
      this.unfolded.clear();
      this.given = new WeakMap();
    }
    refreshed?.forEach((row) => this.given.delete(row));
    for (const [id, [row]] of this.timed) {
      if (refreshed === undefined || this.isAtOrBelow(row, refreshed)) {
        this.timed.delete(id);
      }
    }
    this.changed.fire(rows);
  }

  /** Refreshes these folders wherever they are shown. */
  refreshFolders(folders: readonly FilePlace[]): void {
    const rows = this.rowsShowing(folders);
    if (rows.length > 0) {
      this.refresh(rows);
    }
  }

  rowsShowing(folders: readonly FilePlace[]): (Row | SharedElement)[] {
    const keys = new Set(folders.map(keyOf));
    return [...keys].flatMap((key) => [...(this.unfolded.get(key)?.values() ?? [])]);
  }

  /** A row below `of`; `part` tells it apart if `of` can have several. */
  problem(
    of: Row | SharedElement | undefined,
    error: unknown,
    { part = '', what }: { readonly part?: string; readonly what?: string } = {},
  ): ProblemElement {
    const id = `problem ${part} ${(of && this.getTreeItem(of).id) ?? ''}`;
    return { kind: 'problem', id, error, what, slug: this.slugOf(of), retry: () => this.askAgain(of) };
  }

  /**
   * Draws rows again whose description changed only because time passed. Looks once a minute while the view is visible,
   * and when it becomes visible.
   */
  keepTimes(
    tree: Pick<TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
    time: Pick<TimeSource, 'after'> = systemTime,
  ): void {
    let stop: (() => void) | undefined;
    const look = () => {
      stop?.();
      stop = undefined;
      if (tree.visible) {
        stop = time.after(60_000, look);
        const changed = [...this.timed.values()].filter(([row, said]) => this.getTreeItem(row).description !== said);
        if (changed.length > 0) {
          this.refresh(changed.map(([row]) => row));
        }
      }
    };
    look();
    this.follow(tree.onDidChangeVisibility(look), new Disposable(() => stop?.()));
  }

  /** Listens for as long as the view lives. */
  follow(...subscriptions: readonly Disposable[]): void {
    this.followed.push(...subscriptions);
  }

  dispose(): void {
    Disposable.from(...this.followed, this.changed).dispose();
  }

  private async walkDown(leadsTo: (row: Row | SharedElement) => 'here' | 'below' | undefined) {
    for (let found: Row | SharedElement | undefined; ;) {
      found = await this.findBelow(found, (row) => leadsTo(row) !== undefined);
      if (found === undefined || leadsTo(found) === 'here') {
        return found;
      }
    }
  }

  private askAgain(of: Row | SharedElement | undefined): void {
    const refresh = () => this.refresh(of);
    this.options.beforeRetry?.();
    if (of === undefined) {
      refresh();
    } else {
      this.options.kinds(of, ({ retry = refresh }, row) => retry(row));
    }
  }

  private async rowsBelow(row: Row | SharedElement | undefined): Promise<(Row | SharedElement)[]> {
    // Show an error row instead of an empty list.
    const children = await this.below(row).catch((error: unknown) => [this.problem(row, error)]);
    for (const child of children) {
      this.parents.set(child, row);
    }
    return [...children];
  }

  private async below(row: Row | SharedElement | undefined): Promise<readonly (Row | SharedElement)[]> {
    if (row === undefined) {
      return this.roots();
    }
    if (isAccount(row)) {
      const { account } = row;
      return account.isSignedOut ? [{ kind: 'signedOut', account }] : this.options.ofAccount(account, row);
    }
    return this.options.kinds(row, ({ children }, one) => children?.(one) ?? []);
  }

  /**
   * With one account a view begins with what that account has; with several, with the accounts. If the accounts can't be
   * read or the only one is signed out, there are no rows, and VS Code shows the welcome content for that.
   */
  private async roots(): Promise<readonly (Row | SharedElement)[]> {
    const { accounts, ofAccount, unfoldsAccounts = true } = this.options;
    await accounts.firstRead;
    const [first, ...others] = accounts.list;
    if (first !== undefined && others.length === 0) {
      return first.isSignedOut ? [] : ofAccount(first, undefined);
    }
    return accounts.list.map((account) => ({ kind: 'account', account, isUnfolded: unfoldsAccounts }));
  }

  private slugOf(row: (Row | SharedElement) | undefined): string | undefined {
    const { account, environment }: Partial<TreeElement> = row ?? {};
    return account?.slug ?? environment?.account ?? (row && this.slugOf(this.getParent(row)));
  }

  private isAtOrBelow(row: Row | SharedElement | undefined, rows: ReadonlySet<Row | SharedElement>): boolean {
    return row !== undefined && (rows.has(row) || this.isAtOrBelow(this.getParent(row), rows));
  }

  private isRow(row: unknown): row is Row | SharedElement {
    return typeof row === 'object' && row !== null && this.parents.has(row);
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

interface ViewRows<Row> {
  find(row: object | undefined): Row | undefined;
  selectedIn(tree: Pick<TreeView<unknown>, 'selection'>): Row[];
}

/** Returns the rows of a view that a call is about, from a menu, by a key, or from the Command Palette. */
export async function rowsMeant<Row>(
  call: Call,
  view: { find(row: object | undefined): Row | undefined },
  selection: () => readonly Row[],
): Promise<readonly Row[]> {
  if (call.isOnSelection) {
    return rowsForKey(selection);
  }
  return call.isBare ? selection() : call.clicked.flatMap((one) => view.find(one) ?? []);
}

/**
 * Returns the rows that a key is for: those selected if the one in focus is among them, else that one alone. VS Code tells
 * only which rows are selected, so the one in focus is added to them, or left out, for a moment.
 */
export function rowsForKey<Row>(selection: () => readonly Row[]): Promise<readonly Row[]> {
  // A key that is held down would find the selection of the call before it.
  return turns.take('', async () => {
    const before = selection();
    await commands.executeCommand('list.toggleSelection');
    const added = selection().filter((row) => !before.includes(row));
    await commands.executeCommand('list.toggleSelection');
    return added.length > 0 ? added : before;
  });
}
const turns = new KeyedQueue();

/** Makes commands on what `pick` takes of a view's rows: those clicked, selected, or meant by a key. */
export function commandsOnRows<Row>(view: ViewRows<Row>, tree: TreeView<unknown>) {
  return <T>(pick: (rows: readonly Row[]) => T | undefined | Promise<T | undefined>) =>
    (run: (target: T) => unknown): Handler<'rows'> =>
      command('rows', async (call) => pick(await rowsMeant(call, view, () => view.selectedIn(tree))), run);
}
