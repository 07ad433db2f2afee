import { l10n, window } from 'vscode';
import { type FilePlace, filePlaceOf, parentOf } from '../containers/place';
import { askQuery } from './findInFolderPrompt';
import { searchFolder, type SearchFolderDeps } from './searchFolderPrompt';
import type { SearchMemory } from './searchMemory';
import type { SearchQuery } from './searchQuery';
import { folderText } from './searchText';

export interface FindInFolderDeps extends SearchFolderDeps {
  readonly memory: SearchMemory;
  /** Searches, and shows the results. Resolves when the search has ended. */
  readonly search: (folder: FilePlace, query: SearchQuery) => Promise<void>;
}

/** Asks what to search for in the folder that the command was called on, or also for the folder. */
export async function findInFolder(received: readonly unknown[], deps: FindInFolderDeps): Promise<void> {
  const folder = await searchFolder(l10n.t('Find in Folder'), received, deps, (file) => parentOf(file) ?? file);
  if (folder !== undefined) {
    await findIn(folder, startQuery(deps.memory.last(folder)), deps);
  }
}

/** Asks what to search for in this folder, starting with an earlier query. */
export async function findIn(folder: FilePlace, before: SearchQuery, deps: FindInFolderDeps): Promise<void> {
  const query = await askQuery(l10n.t('Find in {0}', folderText(folder, deps.environments)), before);
  if (query !== undefined) {
    await deps.memory.remember(folder, query);
    await deps.search(folder, query);
  }
}

/** Like VS Code's search, starts with what is selected in the editor. */
function startQuery(last: SearchQuery): SearchQuery {
  const editor = window.activeTextEditor;
  const selection = editor?.selection;
  const isUsable = selection !== undefined && selection.isSingleLine && !selection.isEmpty;
  if (editor === undefined || !isUsable || filePlaceOf(editor.document.uri) === undefined) {
    return last;
  }
  return { ...last, text: editor.document.getText(selection), isRegex: false };
}
