// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { FileChangeType, l10n, workspace } from 'vscode';
import { byName } from '../containers/listingRequests';
import { filePlaceOf } from '../containers/place';
import { FileNameSymbols } from '../search/fileNameSymbols';
import { goToFile } from '../search/goToFileFlow';
import { NameIndexes } from '../search/nameIndexes';
import { RequestPace } from '../search/requestPace';
import { searchFolder } from '../search/searchFolderPrompt';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';

interface GoToFileWiringDeps
  extends
    Pick<FileParts, 'accounts' | 'environments' | 'listings' | 'onDidList' | 'openFolders'>,
    Pick<FileParts, 'fileSystem' | 'recent'>,
    Pick<FileTreeParts, 'targets'> {}

/** How many requests may be sent at once after a pause. */
const requestsAtOnce = 8;

const kinds = {
  [FileChangeType.Created]: 'created',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'deleted',
} as const;

/** Go to File, and file names for `#` in Quick Open. */
export function wireGoToFile(deps: GoToFileWiringDeps) {
  const { accounts, listings, openFolders, fileSystem, onDidList, recent } = deps;
  const indexes = new NameIndexes({
    list: (folder, signal) => listings.list(folder, signal),
    knownListing: (folder) => listings.known(folder),
    pace: new RequestPace(requestsPerSecond(), requestsAtOnce),
    now: () => performance.now(),
    exclude: excludedPatterns,
  });
  const flow = { ...deps, indexes, recent };
  const commands = {
    'gantry.search.goToFile': async (...received: readonly unknown[]) => {
      const folder = await searchFolder(l10n.t('Go to File'), received, deps);
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

/** The default of `gantry.search.exclude`. */
const usuallyExcluded = [
  ...['.git', '.svn', '.hg', 'node_modules', 'vendor', '.cache', '__pycache__', 'var/cache', 'wp-content/cache'],
  ...['/proc', '/sys', '/dev', '/run'],
];

function excludedPatterns(): readonly string[] {
  return workspace.getConfiguration('gantry.search').get<readonly string[]>('exclude', usuallyExcluded);
}

function requestsPerSecond(): number {
  return workspace.getConfiguration('gantry.search').get('requestsPerSecond', 100);
}
