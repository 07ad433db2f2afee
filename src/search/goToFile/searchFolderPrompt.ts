import { l10n } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { containerPathQuestions } from '../../containers/containerPathPrompt';
import type { Environment } from '../../containers/environment';
import { isContainer, partOfRow, startIn } from '../../containers/environmentPart';
import type { Environments } from '../../containers/environments';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, isPathWithin, isSameContainer, parentOf } from '../../containers/place';
import { activeFile } from '../../files/tabs';
import type { CommandTarget, CommandTargets } from '../../fileTree/commandTargets';
import { folderName } from '../../fileTree/folderCommands';
import { askInTurn } from '../../ui/prompts';
import { askChoice } from '../../ui/quickPick';

export interface SearchFolderDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly targets: Pick<CommandTargets, 'all'>;
  /** Returns what a row of the Favorites view stands for. */
  readonly favoriteTarget: (received: unknown) => CommandTarget | undefined;
  /** The container folders in the workspace. */
  readonly openFolders: () => readonly FilePlace[];
}

/**
 * Returns the folder that a command searches: the one clicked, or the root of the node clicked. Without either, it's the
 * folder that is open in the window, or the container of the active editor. Otherwise asks for one.
 */
export async function searchFolder(
  title: string,
  received: readonly unknown[],
  deps: SearchFolderDeps,
): Promise<FilePlace | undefined> {
  const [row] = received;
  if (row === undefined) {
    return openFolder(deps) ?? (await askForFolder(title, undefined, deps));
  }
  const target = deps.favoriteTarget(row) ?? (await deps.targets.all(received))[0];
  if (target !== undefined) {
    return target.isFolder ? target.place : (parentOf(target.place) ?? target.place);
  }
  const part = await partOfRow(row, deps);
  return part !== undefined && isContainer(part) ? startIn(part) : askForFolder(title, part?.environment, deps);
}

/** Without a folder in the workspace, returns the container's root folder. */
function openFolder(deps: SearchFolderDeps): FilePlace | Promise<FilePlace | undefined> | undefined {
  const folders = deps.openFolders();
  const [first, ...others] = folders;
  const uri = activeFile();
  const file = uri && filePlaceOf(uri);
  if (first === undefined) {
    return file && { ...file, path: '/' };
  }
  const around = folders.find((one) => file && isSameContainer(one, file) && isPathWithin(file.path, one.path));
  return around ?? (others.length === 0 ? first : askAmong(folders, deps));
}

function askAmong(folders: readonly FilePlace[], { environments }: SearchFolderDeps): Promise<FilePlace | undefined> {
  const choices = folders.map((value) => ({ label: `$(folder) ${folderName(value, environments)}`, value }));
  return askChoice<FilePlace>(choices, { placeHolder: l10n.t('Select the workspace folder to search in') });
}

async function askForFolder(
  title: string,
  within: Environment | undefined,
  deps: SearchFolderDeps,
): Promise<FilePlace | undefined> {
  await deps.accounts.demandRead();
  const prompt = l10n.t('Select the folder to search, or type its path');
  const { questions, place } = await containerPathQuestions(within, { ...deps, prompt, wanted: 'folder' });
  const entered = await askInTurn(title, questions);
  return entered && place(entered);
}
