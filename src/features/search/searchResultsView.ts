import { Disposable, EventEmitter, type TreeDataProvider, type TreeItem, type TreeView } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { type FilePlace, keyOf } from '../../containers/place';
import type { ContextKeys, ViewId } from '../../manifest';
import type { Services } from '../../services';
import { addLacks } from '../../trees/rowTree';
import { setContextKey } from '../../ui/contextKeys';
import { lackWords } from '../../ui/lackText';
import type { CurrentSearch } from './currentSearch';
import type { FolderSearch } from './folderSearch';
import { type FoundFileElement, type FoundLineElement, type SearchElement, searchRow } from './searchRows';
import { folderText, inOrderOfReasons, resultsText, shownError } from './searchText';
import { showProgressIn } from '../../ui/progress';

/** The pause between two refreshes while results come in, in milliseconds. */
const pause = 250;
/** Files that appear after so many others are collapsed, because each expanded one costs time in every refresh. */
const maxUnfolded = 100;

/** Shows the current search's results as they come in: files, their lines with matches, and what wasn't searched. */
export class SearchResultsView implements TreeDataProvider<SearchElement>, Disposable {
  private readonly changed = new EventEmitter<SearchElement | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly following: Disposable;
  private timer: NodeJS.Timeout | undefined;
  private shown: FolderSearch | undefined;
  /** The rows that were shown, with those above them. */
  private readonly parents = new WeakMap<object, SearchElement | undefined>();
  /** Whether a file was expanded when it first appeared. */
  private readonly unfolded = new Map<string, boolean>();
  private state: ContextKeys['gantry.search'] = 'none';
  private endProgress: () => void = () => undefined;

  constructor(
    private readonly services: Pick<Services, 'accounts' | 'environments'>,
    private readonly current: CurrentSearch,
    private readonly tree: Pick<TreeView<unknown>, 'message' | 'description'>,
    private readonly searchAgain: () => Promise<void>,
  ) {
    this.following = Disposable.from(
      current.onDidChange(() => this.follow()),
      services.accounts.onDidChangeRights(() => {
        this.showLacks();
        this.changed.fire(undefined);
      }),
    );
  }

  getTreeItem(element: SearchElement): TreeItem {
    return addLacks(searchRow(element), this.account);
  }

  getChildren(element?: SearchElement): Promise<SearchElement[]> {
    const children = this.below(element);
    children.forEach((child) => this.parents.set(child, element));
    return Promise.resolve(children);
  }

  getParent(element: SearchElement): SearchElement | undefined {
    return this.parents.get(element);
  }

  /** Returns the row that a command was called on, if it's one of this view's. */
  find(row: object | undefined): SearchElement | undefined {
    return this.isRow(row) ? row : undefined;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.endProgress();
    Disposable.from(this.following, this.changed).dispose();
  }

  private get account(): Account | undefined {
    const { search } = this.current;
    return search && this.services.accounts.find(search.scope.folder.account);
  }

  private showLacks(): void {
    void setContextKey('gantry.searchLacks', lackWords(this.account).join(' '));
  }

  isRow(row: unknown): row is SearchElement {
    return typeof row === 'object' && row !== null && this.parents.has(row);
  }

  private below(element: SearchElement | undefined): SearchElement[] {
    const { search } = this.current;
    if (search === undefined) {
      return [];
    }
    switch (element?.kind) {
      case undefined:
        return this.roots(search);
      case 'foundFile':
        return linesOf(element);
      case 'notSearched':
        return inOrderOfReasons(element.skipped).map((skipped) => ({
          kind: 'skipped',
          skipped,
          folder: element.folder,
        }));
      default:
        return [];
    }
  }

  private roots({ state, files, skipped, scope: { folder } }: FolderSearch): SearchElement[] {
    const problem: SearchElement[] =
      state.kind === 'stopped'
        ? [
            {
              kind: 'problem',
              id: 'problem search',
              error: shownError(state.error),
              what: undefined,
              slug: folder.account,
              retry: () => void this.searchAgain(),
            },
          ]
        : [];
    const found = files.map((file): FoundFileElement => {
      return { kind: 'foundFile', found: file, folder, isUnfolded: this.isUnfolded(file.file) };
    });
    const left: SearchElement[] = skipped.length === 0 ? [] : [{ kind: 'notSearched', skipped: [...skipped], folder }];
    return [...problem, ...found, ...left];
  }

  private isUnfolded(file: FilePlace): boolean {
    const key = keyOf(file);
    const isUnfolded = this.unfolded.get(key) ?? this.unfolded.size < maxUnfolded;
    this.unfolded.set(key, isUnfolded);
    return isUnfolded;
  }

  /** Shows the start and the end of a search at once, and what comes in between from time to time. */
  private follow(): void {
    const { search } = this.current;
    const isNew = search !== this.shown;
    if (isNew || search?.state.kind !== 'running') {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.show(search, isNew);
    } else {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.show(this.current.search, false);
      }, pause);
    }
  }

  private show(search: FolderSearch | undefined, isNew: boolean): void {
    if (isNew) {
      this.shown = search;
      this.unfolded.clear();
    }
    const description =
      search === undefined
        ? undefined
        : `${search.scope.query.text} · ${folderText(search.scope.folder, this.services.environments)}`;
    Object.assign(this.tree, { message: search && messageOf(search), description });
    this.showLacks();
    this.showState(search?.state.kind === 'running' ? 'running' : search === undefined ? 'none' : 'ended');
    this.changed.fire(undefined);
  }

  private showState(state: ContextKeys['gantry.search']): void {
    if (this.state === state) {
      return;
    }
    this.state = state;
    this.endProgress();
    void setContextKey('gantry.search', state);
    if (state === 'running') {
      const view: ViewId = 'gantry.searchResults';
      const ended = new Promise<void>((resolve) => {
        this.endProgress = resolve;
      });
      showProgressIn(view, ended);
    }
  }
}

/** Without a message and rows, VS Code shows the view's welcome content. */
function messageOf(search: FolderSearch): string | undefined {
  const isEmpty = search.state.kind === 'done' && search.matchCount === 0 && search.skipped.length === 0;
  return isEmpty ? undefined : resultsText(search);
}

function linesOf({ found }: FoundFileElement): FoundLineElement[] {
  return found.lines.map((line) => ({ kind: 'foundLine', file: found.file, found: line }));
}
