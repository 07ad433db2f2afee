import { FolderSearch, type SearchDeps, type SearchScope } from '../../../../src/features/search/folderSearch';
import { RequestPace } from '../../../../src/features/search/folderWalk';
import { emptyQuery, type SearchQuery } from '../../../../src/features/search/searchQuery';
import type { ConnectedScene } from '../../../scene/connectedScene';
import type { Layer } from '../../../scene/layer';

/** As fast as the platform answers. */
const unlimited = new RequestPace(() => 100_000, 1_000);

export interface SearchOptions extends Partial<Omit<SearchScope, 'query'>> {
  readonly deps?: Partial<SearchDeps>;
  readonly changed?: () => void;
}

/** What a search needs, over HTTP. */
export function depsOf({ listings, containers }: ConnectedScene): SearchDeps {
  return {
    knownListing: (folder) => listings.known(folder),
    list: (folder, signal) => listings.list(folder, signal),
    knownText: () => undefined,
    read: (file, signal) => containers.read(file, { signal }),
    measure: (file) => listings.lookUp(file),
    pace: unlimited,
  };
}

/** A search below `/srv` on the first node. */
export function searchFor(
  layer: Layer<ConnectedScene>,
  query: string | Partial<SearchQuery>,
  { deps, changed, ...scope }: SearchOptions = {},
): FolderSearch {
  const wanted = typeof query === 'string' ? { text: query } : query;
  return new FolderSearch(
    {
      folder: layer.place('/srv'),
      query: { ...emptyQuery, ...wanted },
      exclude: [],
      largestFile: 1_000_000,
      ...scope,
    },
    { ...depsOf(layer.scene), ...deps },
    changed,
  );
}

/** The results as `grep -n` prints them. */
export function linesOfSearch({ files }: FolderSearch): readonly string[] {
  return files.flatMap(({ file, lines }) => lines.map(({ line, preview }) => `${file.path}:${line + 1}:${preview}`));
}

/** What wasn't searched, and why. */
export function skippedBy({ skipped }: FolderSearch): readonly string[] {
  return skipped.map(({ place, isFolder, reason }) => `${place.path}${isFolder ? '/' : ''} ${reason}`).sort();
}
