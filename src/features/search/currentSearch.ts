import { type Disposable, EventEmitter } from 'vscode';
import type { FilePlace } from '../../containers/place';
import { FolderSearch, type SearchDeps, type SearchScope } from './folderSearch';
import type { SearchQuery } from './searchQuery';
import type { SearchLimits } from './searchSettings';

/** The search whose results the view shows. A new one replaces it. */
export class CurrentSearch implements Disposable {
  private readonly changed = new EventEmitter<void>();
  /** Often fires many times at once. */
  readonly onDidChange = this.changed.event;
  private current: FolderSearch | undefined;

  /** @param limits read at the start of each search */
  constructor(
    private readonly deps: SearchDeps,
    private readonly limits: () => SearchLimits,
  ) {}

  get search(): FolderSearch | undefined {
    return this.current;
  }

  /** Cancels the search under way, and starts this one. Resolves when it has ended. */
  async start(folder: FilePlace, query: SearchQuery): Promise<void> {
    const { largestFile, exclude } = this.limits();
    const scope: SearchScope = { folder, query, largestFile, exclude };
    const search: FolderSearch = new FolderSearch(scope, this.deps, () => {
      if (this.current === search) {
        this.changed.fire();
      }
    });
    this.cancel();
    this.current = search;
    this.changed.fire();
    await search.run();
  }

  cancel(): void {
    this.current?.cancel();
  }

  /** Cancels the search, and drops its results. */
  clear(): void {
    this.cancel();
    this.current = undefined;
    this.changed.fire();
  }

  /** Shows what it finds in a file that has this text now. */
  async noteText(file: FilePlace, text: string): Promise<void> {
    if (this.current?.covers(file) === true) {
      await this.current.refresh(file, text);
    }
  }

  /** Drops what was found in an account that was signed out. */
  forgetAccount(slug: string): void {
    if (this.current?.scope.folder.account === slug) {
      this.clear();
    }
  }

  dispose(): void {
    this.cancel();
    this.changed.dispose();
  }
}
