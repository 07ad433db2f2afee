import {
  type CancellationToken,
  Location,
  Position,
  SymbolInformation,
  SymbolKind,
  type WorkspaceSymbolProvider,
} from 'vscode';
import { type FilePlace } from '../../../containers/place';
import { uriOf } from '../../../containers/uris';
import type { NameIndex } from './nameIndex';
import type { NameIndexes } from './nameIndexes';
import { parseNameQuery } from './nameSearch';
import { pathIn } from './nameFolders';
import { escapeIcons } from '../../../ui/escapeMarkup';

const maxSymbols = 200;
/** How long after a failed refresh the next one may start, in milliseconds. */
const pauseAfterFailure = 30_000;

/** Answers `#` in Quick Open with the names of files in the open folders. */
export class FileNameSymbols implements WorkspaceSymbolProvider {
  /** In milliseconds. VS Code shows nothing of other extensions either until all have answered. */
  longestWait = 500;
  private readonly failedAt = new WeakMap<NameIndex, number>();

  constructor(
    private readonly indexes: Pick<NameIndexes, 'of'>,
    private readonly openFolders: () => readonly FilePlace[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  async provideWorkspaceSymbols(typed: string, token: CancellationToken): Promise<SymbolInformation[]> {
    const query = parseNameQuery(typed);
    if (query.parts.length === 0) {
      return [];
    }
    const searched = this.openFolders().map((folder) => ({ folder, index: this.indexes.of(folder) }));
    await withinTime(Promise.all(searched.map(({ index }) => this.refresh(index))), this.longestWait, token);
    if (token.isCancellationRequested) {
      return [];
    }
    return searched.flatMap(({ folder, index }) =>
      // VS Code itself shows the path.
      index.search(folder.path, query, maxSymbols).map((found) => {
        const path = pathIn(found.folder, found.name);
        const location = new Location(uriOf({ ...folder, path }), new Position(0, 0));
        return new SymbolInformation(escapeIcons(found.name), SymbolKind.File, '', location);
      }),
    );
  }

  /** Each typed character comes here, so a server that doesn't answer isn't asked each time. */
  private async refresh(index: NameIndex): Promise<void> {
    const failedAt = this.failedAt.get(index);
    if (!index.needsRefresh() || (failedAt !== undefined && this.now() - failedAt < pauseAfterFailure)) {
      return;
    }
    await index.refresh();
    if (index.needsRefresh()) {
      this.failedAt.set(index, this.now());
    }
  }
}

async function withinTime(work: Promise<unknown>, milliseconds: number, token: CancellationToken): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      canceling.dispose();
      resolve();
    };
    const timer = setTimeout(() => end(), milliseconds);
    const canceling = token.onCancellationRequested(() => end());
    void work.finally(end);
  });
}
