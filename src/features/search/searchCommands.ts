import { commands, env, window, workspace } from 'vscode';
import type { LinkOptions } from '../../containers/containerLink';
import type { FilePlace } from '../../containers/place';
import { keyOf } from '../../containers/place';
import { copyLinks } from '../../trees/links';
import type { ViewId } from '../../manifest';
import { selectedRows } from '../../trees/rowTree';
import type { Listings } from '../../containers/listings';
import type { CurrentSearch } from './currentSearch';
import { type FindInFolderDeps, findIn, findInFolder } from './findInFolderFlow';
import type { FoundFile } from './folderSearch';
import { replaceFound, type ReplaceFlowDeps, undoNewestReplacement } from './replaceFlow';
import type { SearchElement } from './searchElement';
import { copiedText, searchEditorText } from './searchEditorText';
import { queryIn, toLinkOptions } from './searchLink';
import type { SearchResultsView } from './searchResultsView';

export interface SearchCommandsDeps extends Omit<FindInFolderDeps, 'search'> {
  readonly current: CurrentSearch;
  readonly view: SearchResultsView;
  /** The rows selected in the Search Results view. */
  readonly results: () => readonly SearchElement[];
  readonly replacing: ReplaceFlowDeps;
  /** The extension's ID in VS Code. */
  readonly extensionId: string;
}

export function searchCommands(deps: SearchCommandsDeps) {
  const { current, view, environments } = deps;
  const meant = (received: readonly unknown[]) => selectedRows(received, view, deps.results);
  const asking = withSearch(deps);
  return {
    'gantry.search.findInFolder': (...received: readonly unknown[]) => findInFolder(received, asking),

    async 'gantry.search.again'() {
      await searchAgain(current, deps.listings);
    },

    async 'gantry.search.edit'() {
      const { search } = current;
      if (search === undefined) {
        await findInFolder([], asking);
      } else {
        await findIn(search.scope.folder, search.scope.query, asking);
      }
    },

    async 'gantry.search.replace'(...received: readonly unknown[]) {
      const { search } = current;
      if (search !== undefined) {
        const matches = new Map(search.files.map((found) => [keyOf(found.file), found.matchCount]));
        const chosen = chosenFiles(search.files, meant(received));
        const outcomes = await replaceFound(chosen, search, deps.replacing);
        const saved = (outcomes ?? []).flatMap(({ file, outcome }) => (outcome.kind === 'saved' ? [keyOf(file)] : []));
        for (const { file, matchCount } of chosen.filter((found) => saved.includes(keyOf(found.file)))) {
          if (matchCount === matches.get(keyOf(file))) {
            search.remove(file);
          } else {
            await search.refresh(file);
          }
        }
      }
    },

    'gantry.search.undoReplace': () => undoNewestReplacement(deps.replacing),

    'gantry.search.cancel': () => current.cancel(),

    'gantry.search.clear': () => current.clear(),

    'gantry.search.remove'(...received: readonly unknown[]) {
      for (const element of meant(received)) {
        if (element.kind === 'foundFile') {
          current.search?.remove(element.found.file);
        } else if (element.kind === 'foundLine') {
          current.search?.removeLine(element.file, element.found.line);
        }
      }
    },

    async 'gantry.search.copy'(...received: readonly unknown[]) {
      const text = textOf(meant(received));
      if (text !== '') {
        await env.clipboard.writeText(text);
      }
    },

    async 'gantry.search.copyLink'() {
      const { search } = current;
      if (search !== undefined) {
        const { folder: place, query } = search.scope;
        await copyLinks([{ place, options: toLinkOptions(query) }], deps);
      }
    },

    async 'gantry.search.openEditor'() {
      if (current.search !== undefined) {
        const content = searchEditorText(current.search, environments);
        await window.showTextDocument(await workspace.openTextDocument({ language: 'search-result', content }));
      }
    },
  };
}

/** Asks whether to search for what a link says, because a link alone must not send many requests. */
export function findLinked(folder: FilePlace, options: LinkOptions, deps: SearchCommandsDeps): Promise<void> {
  return findIn(folder, queryIn(options), withSearch(deps));
}

function withSearch(deps: SearchCommandsDeps): FindInFolderDeps {
  return {
    ...deps,
    search: async (folder, query) => {
      const ended = deps.current.start(folder, query);
      await showResults();
      await ended;
    },
  };
}

/** The matches of the selected rows, or all of them if no row with matches is selected. */
export function chosenFiles(files: readonly FoundFile[], elements: readonly SearchElement[]): readonly FoundFile[] {
  const whole = new Set(elements.flatMap((one) => (one.kind === 'foundFile' ? [keyOf(one.found.file)] : [])));
  const lines = elements.flatMap((one) => (one.kind === 'foundLine' ? [one] : []));
  if (whole.size === 0 && lines.length === 0) {
    return files;
  }
  return files.flatMap((found) => {
    const chosen = lines.filter(({ file }) => keyOf(file) === keyOf(found.file)).map(({ found: { line } }) => line);
    return whole.has(keyOf(found.file)) ? [found] : chosen.length === 0 ? [] : [onlyLines(found, new Set(chosen))];
  });
}

function onlyLines(found: FoundFile, chosen: ReadonlySet<number>): FoundFile {
  const lines = found.lines.filter(({ line }) => chosen.has(line));
  return { ...found, lines, matchCount: lines.reduce((sum, { ranges }) => sum + ranges.length, 0) };
}

/** Runs the same search once more. What it found before goes. */
export async function searchAgain(current: CurrentSearch, listings: Pick<Listings, 'forget'>): Promise<void> {
  const { search } = current;
  if (search !== undefined) {
    const { folder, query } = search.scope;
    // Others may have created and changed files since.
    listings.forget(folder);
    await current.start(folder, query);
  }
}

async function showResults(): Promise<void> {
  const view: ViewId = 'gantry.searchResults';
  await commands.executeCommand(`${view}.focus`);
}

/** The texts of lines, or a file's path and lines. A line isn't repeated if its file is selected, too. */
function textOf(elements: readonly SearchElement[]): string {
  const files = elements.flatMap((element) => (element.kind === 'foundFile' ? [element.found] : []));
  const chosen = new Set(files.map(({ file }) => keyOf(file)));
  const isAlone = (file: FilePlace) => !chosen.has(keyOf(file));
  const lines = elements.flatMap((element) =>
    element.kind === 'foundLine' && isAlone(element.file) ? [element.found.preview] : [],
  );
  const places = elements.flatMap((element) => (element.kind === 'skipped' ? [element.skipped.place.path] : []));
  return [...lines, ...places, ...(files.length === 0 ? [] : [copiedText(files)])].join('\n');
}
