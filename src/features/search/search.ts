import { join } from 'node:path';
import type { TreeView } from 'vscode';
import type { FilePlace } from '../../containers/place';
import { listedEntry } from '../../files/wholeText';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { CurrentSearch } from './currentSearch';
import { findAsTask, findLinked, searchAgain, searchCommands } from './searchCommands';
import { FolderSearch, type SearchDeps } from './folderSearch';
import { ReplacementStore } from './replace/replacementStore';
import { linkTargetOf } from './searchLink';
import { SearchMemory } from './findIn';
import type { SearchQuery } from './searchQuery';
import { SearchResultsView } from './searchResultsView';
import { searchLimits, searchPace } from './searchSettings';

/** Find in Folder and its results. */
export function createSearch(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, environments: names, containers, listings, edits, report } = services;
  const memory = new SearchMemory(services.state);
  const searching: SearchDeps = {
    pace: searchPace,
    knownListing: (folder) => listings.known(folder),
    list: (folder, signal) => listings.list(folder, signal),
    knownText: (file, entry) => edits.knownText(file, entry),
    read: (file, signal) => containers.read(file, { signal }),
    measure: (file) => listedEntry(file, { listings }),
  };
  const current = own(new CurrentSearch({ limits: searchLimits, ...searching }));
  const again = () => searchAgain(current, listings).catch(report);
  const view = own(new SearchResultsView({ current, accounts, tree: treeView, names, searchAgain: again }));
  own(accounts.onDidSignOut(({ slug }) => current.forgetAccount(slug)));
  const stored = new ReplacementStore(join(services.storageFolder, 'replacements'));
  const selection = () => treeView.selection.filter((row) => view.isRow(row));
  /** Searches the files on the nodes, without the view and without unsaved texts. */
  const findInFolder = async (folder: FilePlace, query: SearchQuery, signal: AbortSignal): Promise<FolderSearch> => {
    const scope = { folder, query, ...searchLimits() };
    const search = new FolderSearch(scope, { ...searching, knownText: () => undefined });
    if (!signal.aborted) {
      signal.addEventListener('abort', () => search.cancel(), { once: true });
      await search.run();
    }
    return search;
  };
  return {
    view,
    current,
    memory,
    commands: searchCommands(services, { current, view, memory, stored, selection }),
    findInFolder,
    findTask: findAsTask(services, findInFolder),
    linkTarget: (row: object | undefined) => linkTargetOf(view.find(row)),
    findLinked: findLinked(services, { current, memory }),
    forgetAccount: async (slug: string) => {
      await Promise.all([memory.forgetAccount(slug), stored.forgetAccount(slug)]);
    },
  };
}
