import { FileChangeType, l10n } from 'vscode';
import { byName } from '../../containers/listingRequests';
import { filePlaceOf } from '../../containers/place';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { command } from '../../ui/commands/command';
import { FileNameSymbols } from './goToFile/goToFileRows';
import { goToFile } from './goToFile/goToFileFlow';
import { NameIndexes } from './goToFile/nameIndexes';
import { searchFolder } from './searchFolderPrompt';
import { searchLimits, searchPace } from './searchSettings';

const kinds = {
  [FileChangeType.Created]: 'created',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'deleted',
} as const;

/** Go to File, and file names for `#` in Quick Open. */
export function createGoToFile(services: Services, own: Own) {
  const { accounts, listings, openFolders, fileSystem, onDidList } = services;
  const indexes = own(
    new NameIndexes({
      list: (folder, signal) => listings.list(folder, signal),
      knownListing: (folder) => listings.known(folder),
      pace: searchPace,
      now: () => performance.now(),
      exclude: () => searchLimits().exclude,
    }),
  );
  own(
    onDidList(({ folder, entries, askedAt }) => {
      indexes.forEach((index) => index.noteListing(folder, byName(entries), askedAt));
    }),
  );
  own(
    fileSystem.onDidChangeFile((changes) => {
      for (const { uri, type } of changes) {
        const place = filePlaceOf(uri);
        if (place !== undefined) {
          indexes.forEach((index) => index.noteChange(place, kinds[type]));
        }
      }
    }),
  );
  own(accounts.onDidSignOut(({ slug }) => indexes.forgetAccount(slug)));
  return {
    indexes,
    symbols: new FileNameSymbols(indexes, openFolders),
    commands: {
      'gantry.search.goToFile': command(
        'folder',
        (call) => searchFolder(l10n.t('Go to File'), call, services, 'container'),
        (folder) => goToFile(folder, services, indexes),
      ),
    },
  };
}
