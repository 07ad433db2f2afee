import { commands, env, l10n, type TreeView } from 'vscode';
import { type FilePlace, keyOf } from '../../containers/place';
import { showNewDocument } from '../../files/documents';
import { listedEntry } from '../../files/wholeText';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { CurrentSearch, findIn, type SearchMemory, searchMemory, startQuery } from './currentSearch';
import { FolderSearch, type FoundFile, type SearchDeps, type SkipReason } from './folderSearch';
import { ReplacementStore } from './replace/replacementStore';
import type { SearchQuery } from './searchQuery';
import { SearchResultsView } from './searchResultsView';
import { searchLimits, searchPace } from './searchSettings';
import type { LinkOptions } from '../../containers/containerLink';
import { copyLinks, type LinkTarget } from '../../trees/links';
import type { ViewId } from '../../manifest';
import { rowsMeant } from '../../trees/rowTree';
import { Call } from '../../ui/commands/call';
import { command, commandOnNothing } from '../../ui/commands/command';
import type { Listings } from '../../containers/listings';
import { searchFolder } from './searchFolderPrompt';
import type { FeatureApis, ReplacedText } from '../../featureApis';
import { replaceFound, type Replacing, undoNewestReplacement, undoReplaceInFiles } from './replace/replaceFlow';
import type { SearchElement } from './searchRows';
import { copiedText, resultsText, searchEditorText, skippedCounts, wholeFolderText } from './searchText';
import { containerNamed, type ContainerWords, placeInContainer } from '../../containers/namedContainer';
import type { TaskRun } from '../../ui/taskTerminal';

/** Find in Folder and its results. */
export function createSearch(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, containers, listings, edits, report } = services;
  const memory = searchMemory(services.state, (account) => accounts.isForgotten(account));
  const searching: SearchDeps = {
    pace: searchPace,
    knownListing: (folder) => listings.known(folder),
    list: (folder, signal) => listings.list(folder, signal),
    knownText: (file, entry) => edits.knownText(file, entry),
    read: (file, signal) => containers.read(file, { signal }),
    measure: (file) => listedEntry(file, { listings }),
  };
  const current = own(new CurrentSearch(searching, searchLimits));
  const again = () => searchAgain(current, listings).catch(report);
  const view = own(new SearchResultsView(services, current, treeView, again));
  own(accounts.onDidSignOut(({ slug }) => current.forgetAccount(slug)));
  const stored = new ReplacementStore(services.journal, (owner) => services.presence.isAlive(owner));
  const selection = () => treeView.selection.filter((row) => view.isRow(row));
  const findInFolder = folderFinder(searching);
  return {
    view,
    current,
    memory,
    commands: searchCommands(services, { current, view, memory, stored, selection }),
    findInFolder,
    keepReplaced: keepReplaced(services, { stored, current }),
    findTask: findAsTask(services, findInFolder),
    linkTarget: (row: object | undefined) => linkTargetOf(view.find(row)),
    findLinked: findLinked(services, { current, memory }),
    forgetAccount: async (slug: string) => {
      stored.forgetAccount(slug);
      await memory.forgetAccount(slug);
    },
  };
}

interface ShownSearch extends Replacing {
  readonly current: CurrentSearch;
  readonly view: SearchResultsView;
  readonly memory: SearchMemory;
  /** The rows selected in the Search Results view. */
  readonly selection: () => readonly SearchElement[];
}

function searchCommands(services: Services, shown: ShownSearch) {
  const { current, view, memory, selection } = shown;
  const { environments, listings } = services;
  const onRows = (run: (rows: readonly SearchElement[]) => unknown) =>
    command('rows', (call) => rowsMeant(call, view, selection), run);
  const folderMeant = (call: Call) => searchFolder(l10n.t('Find in Folder'), call, services, 'folder');
  const find = (folder: FilePlace, before = startQuery(memory.last(folder))) =>
    findIn(folder, before, services, memory, searchIn(current));
  return {
    'gantry.search.findInFolder': command('folder', folderMeant, (folder) => find(folder)),

    'gantry.search.again': commandOnNothing(() => searchAgain(current, listings)),

    'gantry.search.edit': commandOnNothing(async () => {
      const { scope } = current.search ?? {};
      const folder = scope?.folder ?? (await folderMeant(new Call([])));
      if (folder !== undefined) {
        await find(folder, scope?.query);
      }
    }),

    'gantry.search.replace': onRows(async (rows) => {
      if (current.search !== undefined) {
        await replaceIn(current.search, rows, services, shown);
      }
    }),

    'gantry.search.undoReplace': commandOnNothing(() => undoNewestReplacement(services, shown)),

    'gantry.search.cancel': commandOnNothing(() => current.cancel()),

    'gantry.search.clear': commandOnNothing(() => current.clear()),

    'gantry.search.remove': onRows((rows) => rows.forEach((row) => removeRow(row, current.search))),

    'gantry.search.copy': onRows(async (rows) => {
      const text = textOf(rows);
      if (text !== '') {
        await env.clipboard.writeText(text);
      }
    }),

    'gantry.search.copyLink': commandOnNothing(async () => {
      if (current.search !== undefined) {
        const { folder: place, query } = current.search.scope;
        await copyLinks([{ place, options: toLinkOptions(query) }], services);
      }
    }),

    'gantry.search.openEditor': commandOnNothing(async () => {
      if (current.search !== undefined) {
        const content = searchEditorText(current.search, environments);
        await showNewDocument(content, 'search-result');
      }
    }),
  };
}

/** Searches the files on the nodes, without the view and without unsaved texts. */
function folderFinder(searching: SearchDeps) {
  return async (
    folder: FilePlace,
    query: SearchQuery,
    signal: AbortSignal,
    view?: Parameters<FeatureApis['search']['findInFolder']>[3],
  ): Promise<FolderSearch> => {
    const scope = { folder, query, ...searchLimits() };
    const search = new FolderSearch(scope, { ...searching, knownText: () => undefined, view });
    if (!signal.aborted) {
      signal.addEventListener('abort', () => search.cancel(), { once: true });
      await search.run();
    }
    return search;
  };
}

/** Keeps what a replacement outside of the view changed. */
function keepReplaced(services: Services, shown: Replacing) {
  return async (texts: readonly ReplacedText[]) => {
    const name = shown.stored.begin();
    for (const one of texts) {
      await shown.stored.keepChanged(name, one);
    }
    return () => undoReplaceInFiles(name, services, shown);
  };
}

function removeRow(row: SearchElement, from: FolderSearch | undefined): void {
  if (row.kind === 'foundFile') {
    from?.remove(row.found.file);
  } else if (row.kind === 'foundLine') {
    from?.removeLine(row.file, row.found.line);
  }
}

async function replaceIn(
  found: FolderSearch,
  rows: readonly SearchElement[],
  services: Services,
  shown: ShownSearch,
): Promise<void> {
  const matches = new Map(found.files.map(({ file, matchCount }) => [keyOf(file), matchCount]));
  const chosen = chosenFiles(found.files, rows);
  const outcomes = await replaceFound(chosen, found, services, shown);
  const saved = (outcomes ?? []).flatMap(({ file, outcome }) => (outcome.kind === 'saved' ? [keyOf(file)] : []));
  for (const { file, matchCount } of chosen.filter((one) => saved.includes(keyOf(one.file)))) {
    if (matchCount === matches.get(keyOf(file))) {
      found.remove(file);
    } else {
      await found.refresh(file);
    }
  }
}

/** Asks whether to search for what a link says, because a link alone must not send many requests. */
function findLinked(services: Services, { current, memory }: Pick<ShownSearch, 'current' | 'memory'>) {
  return (folder: FilePlace, options: LinkOptions): Promise<void> =>
    findIn(folder, queryIn(options), services, memory, searchIn(current));
}

function searchIn(current: CurrentSearch) {
  return async (folder: FilePlace, query: SearchQuery): Promise<void> => {
    const ended = current.start(folder, query);
    await showResults();
    await ended;
  };
}

/** The matches of the selected rows, or all of them if no row with matches is selected. */
function chosenFiles(files: readonly FoundFile[], elements: readonly SearchElement[]): readonly FoundFile[] {
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
async function searchAgain(current: CurrentSearch, listings: Pick<Listings, 'forget'>): Promise<void> {
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

interface FindTask extends ContainerWords, SearchQuery {
  readonly path: string;
}

/** Prints what a search finds as `grep -rn` does. Returns its exit codes, too. */
function findAsTask(
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
      const counts = skippedCounts(search.skipped);
      say(missesAny(search) ? l10n.t('Not everything was searched: {0}', counts) : l10n.t('Not searched: {0}', counts));
    }
    return exitCodeOf(search);
  };
}

/** Whether something was found, or nothing, or whether that isn't known because not everything could be searched. */
function exitCodeOf(search: FolderSearch): number {
  return search.matchCount > 0 ? 0 : search.state.kind === 'done' && !missesAny(search) ? 1 : 2;
}

/** Whether a text that the task asks for wasn't searched to its end. */
function missesAny({ skipped }: FolderSearch): boolean {
  const missing: readonly SkipReason[] = ['unreadable', 'cut', 'slow', 'tooLarge'];
  return skipped.some(({ reason }) => missing.includes(reason));
}

/** The query in a link to a folder's search, without what is off or empty. */
function toLinkOptions({ text, ...others }: SearchQuery): LinkOptions {
  const set = Object.entries(others).filter(([, value]) => value !== '' && value !== false);
  return { find: text, ...Object.fromEntries(set.map(([name, value]) => [name, String(value)])) };
}

/** What a link asks to search for. */
function queryIn({ find = '', include = '', exclude = '', ...flags }: LinkOptions): SearchQuery {
  const isOn = (flag: 'isRegex' | 'matchCase' | 'wholeWord') => flags[flag] === 'true';
  return {
    text: find,
    include,
    exclude,
    isRegex: isOn('isRegex'),
    matchCase: isOn('matchCase'),
    wholeWord: isOn('wholeWord'),
  };
}

/** Returns what a row's link leads to. */
function linkTargetOf(element: SearchElement | undefined): LinkTarget | undefined {
  switch (element?.kind) {
    case 'foundFile':
      return { place: element.found.file };
    case 'foundLine':
      return { place: element.file, options: { line: `${element.found.line + 1}` } };
    case 'skipped':
      return { place: element.skipped.place };
    default:
      return undefined;
  }
}
