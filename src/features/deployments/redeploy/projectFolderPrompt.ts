import { projectText } from '../projectText';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { l10n } from 'vscode';
import type { FoundFolder, NodeInspector } from '../deployedState/nodeInspector';
import { likelyFolders, type ProjectPlace } from '../projectPlace';
import type { KnownProjects } from '../projects';
import { askInTurn, type Question, type Resumption } from '../../../ui/prompts';

export interface ProjectFolderDeps {
  readonly inspector: NodeInspector;
  readonly known: KnownProjects;
  readonly environments: EnvironmentTitles;
}

const pathProblem = (text: string) =>
  /^\/[^/]/.test(text.trim()) ? undefined : l10n.t('Enter an absolute path, such as /var/www.');

/** Whether to ask for a project's folder: it is unknown, and the user hasn't been asked yet. */
export function isFolderMissing(place: ProjectPlace, known: KnownProjects): boolean {
  const { folder, wasAskedForFolder } = known.find(place) ?? {};
  return folder === undefined && wasAskedForFolder !== true;
}

/** Asks for a project's folder in its containers, looks there, and remembers it. Returns whether the user entered one. */
export async function askForFolder(
  place: ProjectPlace,
  { inspector, known, environments }: ProjectFolderDeps,
): Promise<boolean> {
  const { folder: knownFolder } = known.find(place) ?? {};
  const question: Question = {
    key: 'folder',
    prompt: promptFor(knownFolder, known.isFolderFound(place)),
    value: knownFolder ?? likelyFolders(place)[0] ?? '/',
    problem: pathProblem,
  };
  const title = l10n.t('Select Project Folder for {0}', projectText(place, environments));
  let resumption: Resumption = { entered: {} };
  for (let doubted: string | undefined; ;) {
    const entered = await askInTurn(title, [question], resumption);
    const folder = entered?.['folder']?.trim().replace(/\/+$/, '');
    if (entered === undefined || folder === undefined) {
      // Gantry doesn't ask again.
      await known.remember(place, { wasAskedForFolder: true });
      return false;
    }
    const problem = folder === doubted ? undefined : problemOf(await inspector.look(place, folder), folder);
    if (problem === undefined) {
      await known.remember(place, { folder, isFolderUnconfirmed: true, wasAskedForFolder: true });
      return true;
    }
    doubted = folder;
    resumption = { entered, at: { key: 'folder', problem } };
  }
}

function promptFor(folder: string | undefined, isFound: boolean): string {
  const where = folder ?? l10n.t('the default locations');
  const found = isFound ? l10n.t('A clone was found in {0}.', where) : l10n.t('No clone was found in {0}.', where);
  return `${l10n.t('Path of the project folder in the container.')} ${found}`;
}

/** Accepts an unconfirmed folder if the user enters it a second time. */
function problemOf(found: FoundFolder, folder: string): string | undefined {
  if (found === 'commit' || found === 'checkout') {
    return undefined;
  }
  const why = found === 'absent' ? l10n.t("There's no clone in {0}.", folder) : l10n.t("Couldn't read {0}.", folder);
  return `${why} ${l10n.t('Press Enter again to use this folder anyway.')}`;
}
