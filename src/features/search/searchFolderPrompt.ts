import { l10n } from 'vscode';
import { containerPathQuestions, containerQuestion } from '../../ui/commands/containerPrompt';
import type { Environment } from '../../containers/environment';
import { isContainer, partOfRow, startIn } from '../../containers/environmentPart';
import { folderName } from '../../containers/locationText';
import { pathQuestion } from '../../ui/commands/pathPrompt';
import { type FilePlace, filePlaceOf, isPathWithin, isSameContainer, parentOrSelf } from '../../containers/place';
import { activeFile } from '../../files/tabs';
import type { Services } from '../../services';
import { rowsForKey } from '../../trees/rowTree';
import { type Call, selected } from '../../ui/commands/call';
import type { CommandTarget } from '../../trees/sharedElement';
import { askInTurn } from '../../ui/prompts';
import { askChoice } from '../../ui/quickPick';

type PromptServices = Pick<Services, 'accounts' | 'environments' | 'listings' | 'targets' | 'openFolders' | 'features'>;

/** What keybindings pass, because VS Code passes no row with them. */
const focusedIn = { environments: selected, favorites: 'favorites', explorer: 'explorer' } as const;

/**
 * Returns the folder that a command searches: the one clicked, or the root of the node clicked. Without either, it's the
 * folder that is open in the window, or the one for the active file. Otherwise asks for one.
 * @param usual what to search if no folder is named: that of a file, or all of its container
 */
export async function searchFolder(
  title: string,
  call: Call,
  services: PromptServices,
  usual: 'folder' | 'container',
): Promise<FilePlace | undefined> {
  await services.accounts.demandRead();
  const { tree, favorites } = services.features;
  switch (call.text) {
    case focusedIn.explorer:
      return askBelowOpenFolder(title, services);
    case focusedIn.environments:
      return folderOfRow(title, (await rowsForKey(() => tree.loaded?.selection() ?? []))[0], services);
    case focusedIn.favorites: {
      const target = await favorites.loaded?.selectedTarget();
      return target === undefined ? askFolder(title, undefined, services) : folderAt(target);
    }
    default:
      return call.isBare ? openFolder(title, services, usual) : folderOfRow(title, call.object, services);
  }
}

async function openFolder(
  title: string,
  services: PromptServices,
  usual: 'folder' | 'container',
): Promise<FilePlace | undefined> {
  const folders = services.openFolders();
  const uri = activeFile();
  const file = uri && filePlaceOf(uri);
  if (folders.length === 0) {
    if (usual === 'container') {
      return file === undefined ? askContainer(title, services) : { ...file, path: '/' };
    }
    return file === undefined ? askFolder(title, undefined, services) : parentOrSelf(file);
  }
  const around = folders.find((one) => file && isSameContainer(one, file) && isPathWithin(file.path, one.path));
  return around ?? askOpenFolder(folders, services);
}

async function folderOfRow(
  title: string,
  row: object | undefined,
  services: PromptServices,
): Promise<FilePlace | undefined> {
  const favorite = services.features.favorites.loaded?.targetOf(row);
  const target = row && (favorite ?? (await services.targets.of(row)));
  if (target !== undefined) {
    return folderAt(target);
  }
  const part = await partOfRow(row, services);
  return part !== undefined && isContainer(part) ? startIn(part) : askFolder(title, part?.environment, services);
}

function folderAt({ place, isFolder }: CommandTarget): FilePlace {
  return isFolder ? place : parentOrSelf(place);
}

/** VS Code doesn't tell which folder has the focus in the Explorer, so asks, starting in the workspace folder. */
async function askBelowOpenFolder(title: string, services: PromptServices): Promise<FilePlace | undefined> {
  const folders = services.openFolders();
  if (folders.length === 0) {
    return askFolder(title, undefined, services);
  }
  const start = await askOpenFolder(folders, services);
  if (start === undefined) {
    return undefined;
  }
  const question = pathQuestion({ ...folderQuestion(), key: 'path', start, listings: services.listings });
  const entered = await askInTurn(title, [question]);
  return entered && { ...start, path: entered['path'] ?? start.path };
}

async function askOpenFolder(
  folders: readonly FilePlace[],
  { environments }: PromptServices,
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
  services: PromptServices,
): Promise<FilePlace | undefined> {
  const { questions, place } = await containerPathQuestions(within, { ...services, ...folderQuestion() });
  const entered = await askInTurn(title, questions);
  return entered && place(entered);
}

async function askContainer(title: string, services: PromptServices): Promise<FilePlace | undefined> {
  const { question, place } = await containerQuestion(undefined, services);
  const entered = await askInTurn(title, [question]);
  return entered && place(entered);
}

function folderQuestion() {
  return { prompt: l10n.t('Select the folder to search, or type its path'), wanted: 'folder' } as const;
}
