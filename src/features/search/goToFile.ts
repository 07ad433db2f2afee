// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import '../tree/tree';
import { FileChangeType, l10n } from 'vscode';
import { byName } from '../../containers/listingRequests';
import { filePlaceOf } from '../../containers/place';
import { FileNameSymbols } from './goToFile/fileNameSymbols';
import { goToFile } from './goToFile/goToFileFlow';
import { NameIndexes } from './goToFile/nameIndexes';
import { searchLimits, searchPace } from './searchSettings';
import { searchFolder } from './searchFolderPrompt';
import type { FeatureApis } from '../../featureApis';
import type { FileParts } from '../../wiring/wireFiles';

interface GoToFileWiringDeps
  extends
    Pick<FileParts, 'accounts' | 'environments' | 'listings' | 'onDidList' | 'openFolders'>,
    Pick<FileParts, 'fileSystem' | 'recentFiles' | 'targets'> {
  /** The Favorites view, if it's loaded. */
  readonly favorites: () => FeatureApis['favorites'] | undefined;
  /** The rows selected in the Environments view. */
  readonly selection: () => readonly unknown[];
}

const kinds = {
  [FileChangeType.Created]: 'created',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'deleted',
} as const;

/** Go to File, and file names for `#` in Quick Open. */
export function wireGoToFile(deps: GoToFileWiringDeps) {
  const { accounts, listings, openFolders, fileSystem, onDidList, recentFiles } = deps;
  const indexes = new NameIndexes({
    list: (folder, signal) => listings.list(folder, signal),
    knownListing: (folder) => listings.known(folder),
    pace: searchPace,
    now: () => performance.now(),
    exclude: () => searchLimits().exclude,
  });
  const favoriteTarget = (row: unknown) => deps.favorites()?.targetOf(row);
  const flow = { ...deps, indexes, recent: recentFiles, favoriteTarget };
  const commands = {
    'gantry.search.goToFile': async (...received: readonly unknown[]) => {
      const folder = await searchFolder(l10n.t('Go to File'), received, flow, 'container');
      if (folder !== undefined) {
        await goToFile(folder, flow);
      }
    },
  };
  const disposables = [
    indexes,
    onDidList(({ folder, entries, askedAt }) => {
      indexes.forEach((index) => index.noteListing(folder, byName(entries), askedAt));
    }),
    fileSystem.onDidChangeFile((changes) => {
      for (const { uri, type } of changes) {
        const place = filePlaceOf(uri);
        if (place !== undefined) {
          indexes.forEach((index) => index.noteChange(place, kinds[type]));
        }
      }
    }),
    accounts.onDidSignOut(({ slug }) => indexes.forgetAccount(slug)),
  ];
  return { indexes, symbols: new FileNameSymbols(indexes, openFolders), commands, disposables };
}
