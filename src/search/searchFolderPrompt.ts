import { l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { containerPathQuestions, containerQuestion } from '../containers/containerPrompt';
import type { Environment } from '../containers/environment';
import { isContainer, partOfRow, startIn } from '../containers/environmentPart';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { pathQuestion } from '../containers/pathPrompt';
import { type FilePlace, filePlaceOf, isPathWithin, isSameContainer, parentOrSelf } from '../containers/place';
import { activeFile } from '../files/tabs';
import type { CommandTargets } from '../fileTree/commandTargets';
import { folderName } from '../fileTree/folderCommands';
import { selected } from '../trees/rowTree';
import type { CommandTarget, SharedElement } from '../trees/sharedElement';
import { askInTurn } from '../ui/prompts';
import { askChoice } from '../ui/quickPick';

export interface SearchFolderDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
  /** Resolves files and folders from the Environments view, the Explorer, and tabs. */
  readonly targets: Pick<CommandTargets, 'all'>;
  /** The rows selected in the Environments view. */
  readonly selection: () => readonly SharedElement[];
  /** Returns what a row of the Favorites view, or its selection, stands for. */
  readonly favoriteTarget: (received: unknown) => CommandTarget | undefined;
  /** The container folders that are open in the window. */
  readonly openFolders: () => readonly FilePlace[];
}

/** What keybindings pass, because VS Code passes no row with them. */
export const focusedIn = { environments: selected, favorites: 'favorites', explorer: 'explorer' } as const;

/**
 * Returns the folder that a command searches: the one clicked, or the root of the node clicked. Without either, it's the
 * folder that is open in the window, or the one for the active file. Otherwise asks for one.
 * @param usual what to search if no folder is named: that of a file, or all of its container
 */
export async function searchFolder(
  title: string,
  [received]: readonly unknown[],
  deps: SearchFolderDeps,
  usual: 'folder' | 'container',
): Promise<FilePlace | undefined> {
  await deps.accounts.demandRead();
  switch (received) {
    case undefined:
      return openFolder(title, deps, usual);
    case focusedIn.explorer:
      return askBelowOpenFolder(title, deps);
    case focusedIn.environments:
      return folderOfRow(title, deps.selection()[0], deps);
    default:
      return folderOfRow(title, received, deps);
  }
}

async function openFolder(
  title: string,
  deps: SearchFolderDeps,
  usual: 'folder' | 'container',
): Promise<FilePlace | undefined> {
  const folders = deps.openFolders();
  const uri = activeFile();
  const file = uri && filePlaceOf(uri);
  if (folders.length === 0) {
    if (usual === 'container') {
      return file === undefined ? askContainer(title, deps) : { ...file, path: '/' };
    }
    return file === undefined ? askFolder(title, undefined, deps) : parentOrSelf(file);
  }
  const around = folders.find((one) => file && isSameContainer(one, file) && isPathWithin(file.path, one.path));
  return around ?? askOpenFolder(folders, deps);
}

async function folderOfRow(title: string, row: unknown, deps: SearchFolderDeps): Promise<FilePlace | undefined> {
  const target = row === undefined ? undefined : (deps.favoriteTarget(row) ?? (await deps.targets.all([row]))[0]);
  if (target !== undefined) {
    return target.isFolder ? target.place : parentOrSelf(target.place);
  }
  const part = await partOfRow(row, deps);
  return part !== undefined && isContainer(part) ? startIn(part) : askFolder(title, part?.environment, deps);
}

/** VS Code doesn't tell which folder has the focus in the Explorer, so asks, starting in the workspace folder. */
async function askBelowOpenFolder(title: string, deps: SearchFolderDeps): Promise<FilePlace | undefined> {
  const folders = deps.openFolders();
  if (folders.length === 0) {
    return askFolder(title, undefined, deps);
  }
  const start = await askOpenFolder(folders, deps);
  if (start === undefined) {
    return undefined;
  }
  const question = pathQuestion({ ...folderQuestion(), key: 'path', start, listings: deps.listings });
  const entered = await askInTurn(title, [question]);
  return entered && { ...start, path: entered['path'] ?? start.path };
}

/** Asks for one of several folders. */
async function askOpenFolder(
  folders: readonly FilePlace[],
  { environments }: SearchFolderDeps,
): Promise<FilePlace | undefined> {
  if (folders.length === 1) {
    return folders[0];
  }
  const choices = folders.map((value) => ({ label: folderName(value, environments), icon: 'folder', value }));
  return askChoice<FilePlace>(choices, { placeHolder: l10n.t('Select the workspace folder to search') });
}

async function askFolder(
  title: string,
  within: Environment | undefined,
  deps: SearchFolderDeps,
): Promise<FilePlace | undefined> {
  const { questions, place } = await containerPathQuestions(within, { ...deps, ...folderQuestion() });
  const entered = await askInTurn(title, questions);
  return entered && place(entered);
}

async function askContainer(title: string, deps: SearchFolderDeps): Promise<FilePlace | undefined> {
  const { question, place } = await containerQuestion(undefined, deps);
  const entered = await askInTurn(title, [question]);
  return entered && place(entered);
}

function folderQuestion() {
  return { prompt: l10n.t('Select the folder to search, or type its path'), wanted: 'folder' } as const;
}
