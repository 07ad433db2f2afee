import { l10n } from 'vscode';
import { containerNamed, type ContainerWords, placeInContainer } from '../../containers/namedContainer';
import type { FilePlace } from '../../containers/place';
import type { Services } from '../../services';
import type { TaskRun } from '../../ui/taskTerminal';
import type { FolderSearch } from './folderSearch';
import type { SearchQuery } from './searchQuery';
import { resultsText, skippedCounts, wholeFolderText } from './searchText';

export interface FindTask extends ContainerWords, SearchQuery {
  readonly path: string;
}

/** Prints what a search finds as `grep -rn` does. Returns its exit codes, too. */
export function findAsTask(
  services: Services,
  findInFolder: (folder: FilePlace, query: SearchQuery, signal: AbortSignal) => Promise<FolderSearch>,
) {
  return async (task: FindTask, { signal, say }: TaskRun): Promise<number> => {
    const folder = placeInContainer(await containerNamed(task, services), task.path);
    say(l10n.t('Searching {0} for “{1}”…', wholeFolderText(folder, services.environments), task.text));
    // Others may have created and changed files since.
    services.listings.forget(folder);
    const search = await findInFolder(folder, task, signal);
    for (const { file, lines } of search.files) {
      lines.forEach(({ line, preview }) => say(`${file.path}:${line + 1}: ${preview}`));
    }
    say(resultsText(search));
    if (search.skipped.length > 0) {
      say(l10n.t('Not searched: {0}', skippedCounts(search.skipped)));
    }
    return exitCodeOf(search);
  };
}

/** Whether something was found, or nothing, or whether that isn't known because not everything could be searched. */
function exitCodeOf({ matchCount, state, skipped }: FolderSearch): number {
  const isComplete =
    state.kind === 'done' && !skipped.some(({ reason }) => ['unreadable', 'cut', 'slow'].includes(reason));
  return matchCount > 0 ? 0 : isComplete ? 1 : 2;
}
