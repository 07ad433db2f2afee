import { l10n, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { containerPathQuestions } from '../containers/containerPathPrompt';
import { isContainer, partOfRow, startIn } from '../containers/environmentPart';
import type { Environment } from '../containers/environment';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { shortLocationText } from '../containers/locationText';
import { pathQuestion } from '../containers/pathPrompt';
import { type FilePlace, filePlaceOf, parentOf } from '../containers/place';
import type { CommandTarget, CommandTargets } from '../fileTree/commandTargets';
import { selected } from '../trees/rowTreeProvider';
import type { SharedElement } from '../trees/sharedElement';
import { askInTurn } from '../ui/prompts';
import { askChoice } from '../ui/quickPick';
import { askQuery } from './findInFolderPrompt';
import type { SearchMemory } from './searchMemory';
import type { SearchQuery } from './searchQuery';
import { folderText } from './searchText';

export interface FindInFolderDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly memory: SearchMemory;
  /** Resolves files and folders from the Environments view, the Explorer, tabs and the active editor. */
  readonly targets: Pick<CommandTargets, 'all'>;
  /** The rows selected in the Environments view. */
  readonly selection: () => readonly SharedElement[];
  /** Returns what a row of the Favorites view, or its selection, stands for. */
  readonly favoriteTarget: (received: unknown) => CommandTarget | undefined;
  /** The container folders that are open in the window. */
  readonly openFolders: () => readonly FilePlace[];
  /** Searches, and shows the results. Resolves when the search has ended. */
  readonly search: (folder: FilePlace, query: SearchQuery) => Promise<void>;
}

/** What keybindings pass, because VS Code passes no row with them. */
export const focusedIn = { environments: selected, favorites: 'favorites', explorer: 'explorer' } as const;

/** Asks what to search for in the folder that the command was called on, or also for the folder. */
export async function findInFolder(received: readonly unknown[], deps: FindInFolderDeps): Promise<void> {
  await deps.accounts.demandRead();
  const folder = await folderMeant(received, deps);
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

async function folderMeant([received]: readonly unknown[], deps: FindInFolderDeps): Promise<FilePlace | undefined> {
  switch (received) {
    case focusedIn.explorer:
      return askOpenFolder(deps);
    case focusedIn.environments:
      return folderOfRow(deps.selection()[0], deps);
    case undefined: {
      // From the palette: the folder of the active file.
      const [file] = await deps.targets.all([]);
      return file === undefined ? askFolder(undefined, deps) : folderOf(file);
    }
    default:
      return folderOfRow(received, deps);
  }
}

async function folderOfRow(row: unknown, deps: FindInFolderDeps): Promise<FilePlace | undefined> {
  const target = row === undefined ? undefined : (deps.favoriteTarget(row) ?? (await deps.targets.all([row]))[0]);
  if (target !== undefined) {
    return folderOf(target);
  }
  const part = await partOfRow(row, deps);
  return part !== undefined && isContainer(part) ? startIn(part) : askFolder(part?.environment, deps);
}

function folderOf({ place, isFolder }: CommandTarget): FilePlace {
  return isFolder ? place : (parentOf(place) ?? place);
}

async function askFolder(within: Environment | undefined, deps: FindInFolderDeps): Promise<FilePlace | undefined> {
  const { questions, place } = await containerPathQuestions(within, { ...deps, ...folderQuestion() });
  const entered = await askInTurn(l10n.t('Find in Folder'), questions);
  return entered && place(entered);
}

/** VS Code doesn't tell which folder has the focus in the Explorer, so asks, starting in the workspace folder. */
async function askOpenFolder(deps: FindInFolderDeps): Promise<FilePlace | undefined> {
  const [first, ...others] = deps.openFolders();
  const start = first !== undefined && others.length > 0 ? await askWorkspaceFolder([first, ...others], deps) : first;
  if (start === undefined) {
    return first === undefined ? askFolder(undefined, deps) : undefined;
  }
  const question = pathQuestion({ ...folderQuestion(), key: 'path', start, listings: deps.listings });
  const entered = await askInTurn(l10n.t('Find in Folder'), [question]);
  return entered && { ...start, path: entered['path'] ?? start.path };
}

function askWorkspaceFolder(
  folders: readonly FilePlace[],
  { environments }: FindInFolderDeps,
): Promise<FilePlace | undefined> {
  const choices = folders.map((folder) => ({
    ...{ label: `$(folder) ${folder.path}`, description: shortLocationText(folder, environments), value: folder },
  }));
  return askChoice<FilePlace>(choices, { placeHolder: l10n.t('Select the workspace folder to search in') });
}

function folderQuestion() {
  return { prompt: l10n.t('Select the folder to search, or type its path'), wanted: 'folder' } as const;
}
