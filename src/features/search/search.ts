// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import '../tree/tree';
import { join } from 'node:path';
import type { TreeView } from 'vscode';
import type { LinkOptions } from '../../containers/containerLink';
import type { FilePlace } from '../../containers/place';
import { listedEntry, readWholeText } from '../../files/wholeText';
import { CurrentSearch } from './currentSearch';
import { findAsTask } from './findTaskFlow';
import { FolderSearch, type SearchDeps } from './folderSearch';
import { ReplacementStore } from './replacementStore';
import { focusedIn } from './searchFolderPrompt';
import { findLinked, searchAgain, searchCommands, type SearchCommandsDeps } from './searchCommands';
import type { SearchElement } from './searchElement';
import { linkTargetOf } from './searchLink';
import { SearchMemory } from './searchMemory';
import { SearchResultsView } from './searchResultsView';
import type { SearchQuery } from './searchQuery';
import { searchLimits, searchPace } from './searchSettings';
import type { FeatureApis } from '../../featureApis';
import type { FileParts } from '../../wiring/wireFiles';
import type { Host } from '../../services';

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
      | 'writeOver'
      | 'agreeToPieces'
      | 'targets'
    > {
  readonly extensionId: string;
  readonly tree: TreeView<SearchElement>;
  /** The rows selected in the Environments view. */
  readonly selection: () => readonly unknown[];
  /** The Favorites view, if it's loaded. */
  readonly favorites: () => FeatureApis['favorites'] | undefined;
}

/** Find in Folder and its results. */
export function wireSearch(deps: SearchWiringDeps) {
  const { accounts, environments, containers, listings, edits, tree, report } = deps;
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
    ...{ containers, environments, texts: deps.texts, queue: deps.turns, writeOver: deps.writeOver, stored, current },
    agreeToPieces: deps.agreeToPieces,
    read: (file: FilePlace, signal?: AbortSignal) => readWholeText(file, { containers, listings }, signal),
  };
  const commandDeps: SearchCommandsDeps = {
    ...{ replacing, extensionId: deps.extensionId },
    ...{ accounts, environments, listings, current, view, memory },
    ...{ targets: deps.targets, openFolders: deps.openFolders },
    favoriteTarget: (received) =>
      received === focusedIn.favorites ? deps.favorites()?.selectedTarget() : deps.favorites()?.targetOf(received),
    selection: deps.selection,
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
