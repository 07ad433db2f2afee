// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { join } from 'node:path';
import type { TreeView } from 'vscode';
import type { LinkOptions } from '../containers/containerLink';
import type { FilePlace } from '../containers/place';
import { listedEntry, readWholeText } from '../files/wholeText';
import { CurrentSearch } from '../search/currentSearch';
import { findAsTask } from '../search/findTaskFlow';
import { FolderSearch, type SearchDeps } from '../search/folderSearch';
import { ReplacementStore } from '../search/replacementStore';
import { focusedIn } from '../search/searchFolderPrompt';
import { findLinked, searchAgain, searchCommands, type SearchCommandsDeps } from '../search/searchCommands';
import type { SearchElement } from '../search/searchElement';
import { linkTargetOf } from '../search/searchLink';
import { SearchMemory } from '../search/searchMemory';
import { SearchResultsView } from '../search/searchResultsView';
import type { SearchQuery } from '../search/searchQuery';
import { searchLimits, searchPace } from '../search/searchSettings';
import type { SharedElement } from '../trees/sharedElement';
import type { FeatureApis } from '../featureApis';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';
import type { Host } from '../services';

interface SearchWiringDeps
  extends
    Host,
    Pick<
      FileParts,
      | 'accounts'
      | 'environments'
      | 'containers'
      | 'listings'
      | 'edits'
      | 'openFolders'
      | 'turns'
      | 'writeIfUnchanged'
      | 'agreeToPieces'
    >,
    Pick<FileTreeParts, 'targets'> {
  readonly extensionId: string;
  readonly tree: TreeView<SearchElement>;
  readonly environmentsTree: Pick<TreeView<SharedElement>, 'selection'>;
  /** The Favorites view, if it's loaded. */
  readonly favorites: () => FeatureApis['favorites'] | undefined;
}

/** Find in Folder and its results. */
export function wireSearch(deps: SearchWiringDeps) {
  const { accounts, environments, containers, listings, edits, tree, writeIfUnchanged, report } = deps;
  const memory = new SearchMemory(deps.state);
  const searching: SearchDeps = {
    pace: searchPace,
    knownListing: (folder) => listings.known(folder),
    list: (folder, signal) => listings.list(folder, signal),
    knownText: (file, entry) => edits.knownText(file, entry),
    read: (file, signal) => containers.read(file, { signal }),
    measure: (file) => listedEntry(file, { listings }),
  };
  const current = new CurrentSearch({ limits: searchLimits, ...searching });
  const view = new SearchResultsView({
    ...{ current, accounts, tree, names: environments },
    searchAgain: () => searchAgain(current, listings).catch(report),
  });
  const stored = new ReplacementStore(join(deps.storageFolder, 'replacements'));
  const replacing = {
    ...{ containers, environments, texts: deps.texts, queue: deps.turns, writeIfUnchanged, stored, current },
    agreeToPieces: deps.agreeToPieces,
    read: (file: FilePlace, signal?: AbortSignal) => readWholeText(file, { containers, listings }, signal),
  };
  const commandDeps: SearchCommandsDeps = {
    ...{ replacing, extensionId: deps.extensionId },
    ...{ accounts, environments, listings, current, view, memory },
    ...{ targets: deps.targets, openFolders: deps.openFolders },
    favoriteTarget: (received) =>
      received === focusedIn.favorites ? deps.favorites()?.selectedTarget() : deps.favorites()?.targetOf(received),
    selection: () => deps.environmentsTree.selection,
    results: () => tree.selection,
  };
  const disposables = [current, view, accounts.onDidSignOut(({ slug }) => current.forgetAccount(slug))];
  const forgetAccount = async (slug: string) => {
    await Promise.all([memory.forgetAccount(slug), stored.forgetAccount(slug)]);
  };
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
  const findTask = findAsTask({ accounts, environments, listings, findInFolder });
  return {
    ...{ view, current, memory, disposables, forgetAccount, findInFolder, findTask },
    commands: searchCommands(commandDeps),
    linkTarget: (received: unknown) => linkTargetOf(view.find(received)),
    findLinked: (folder: FilePlace, options: LinkOptions) => findLinked(folder, options, commandDeps),
  };
}
