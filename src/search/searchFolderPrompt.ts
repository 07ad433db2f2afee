import { l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import { isContainer, partOfRow, startIn } from '../containers/environmentPart';
import { listContainers, partAt, partChoices } from '../containers/environmentPartPrompts';
import type { Environments } from '../containers/environments';
import { type Listings } from '../containers/listings';
import { type FilePlace, filePlaceOf, isPathWithin, isSameContainer, parentOf } from '../containers/place';
import { pathQuestion } from '../containers/pathPrompt';
import { activeFile } from '../files/tabs';
import type { CommandTargets } from '../fileTree/commandTargets';
import { folderName } from '../fileTree/folderCommands';
import { askInTurn, type Entered, type Question } from '../ui/prompts';
import { askChoice } from '../ui/quickPick';

export interface SearchFolderDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly targets: Pick<CommandTargets, 'all'>;
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
  if (received[0] === undefined) {
    return openFolder(deps) ?? (await askForFolder(title, undefined, deps));
  }
  const part = await partOfRow(received[0], deps);
  if (part !== undefined) {
    return isContainer(part) ? startIn(part) : askForFolder(title, part.environment, deps);
  }
  const [target] = await deps.targets.all(received);
  return target?.isFolder === false ? (parentOf(target.place) ?? target.place) : target?.place;
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
  const choices = folders.map((value) => ({ label: `$(root-folder) ${folderName(value, environments)}`, value }));
  return askChoice<FilePlace>(choices, { placeHolder: l10n.t('Select the folder to search') });
}

async function askForFolder(
  title: string,
  within: Environment | undefined,
  { accounts, environments, listings }: SearchFolderDeps,
): Promise<FilePlace | undefined> {
  await accounts.demandRead();
  const containers = await listContainers({ accounts, environments }, within);
  const choices = partChoices(containers, ({ node, layer }) => node === undefined || layer.nodes.length > 1);
  const where: Question = { kind: 'choice', key: 'where', prompt: l10n.t('Select the layer or node'), choices };
  const placeOf = (entered: Entered) => {
    const container = partAt(containers, entered['where']);
    return container && { ...startIn(container), path: entered['path'] ?? '/' };
  };
  const prompt = l10n.t('Select the folder to search');
  const entered = await askInTurn(title, (entered) => {
    const start = placeOf({ ...entered, path: '/' });
    return start === undefined
      ? [where]
      : [where, pathQuestion({ key: 'path', prompt, start, listings, wanted: 'folder' })];
  });
  return entered && placeOf(entered);
}
