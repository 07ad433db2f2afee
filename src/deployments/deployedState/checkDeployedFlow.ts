import { commands, l10n } from 'vscode';
import type { EnvironmentTitles } from '../../containers/locationText';
import { isCanceled } from '../../platform/errors';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import type { ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import { checkingDeployed, projectText } from '../projectText';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { DeployedStates } from './deployedStates';
import { isFolderUnknown } from '../results';
import { checkedText } from './stateTexts';

export interface CheckDeployedDeps {
  readonly deployedStates: DeployedStates;
  readonly projects: Pick<Projects, 'last' | 'branchBefore'>;
  readonly repositories: LocalRepositories;
  readonly environments: EnvironmentTitles;
  readonly selectFolder: (place: ProjectPlace) => Promise<void>;
}

/** Checks the nodes, and says what they run. Fetching is a separate step, because Git may ask for a password. */
export async function checkDeployed(place: ProjectPlace, deps: CheckDeployedDeps): Promise<void> {
  const { deployedStates, projects, repositories } = deps;
  await withCancelableRead(checkingDeployed(), () => deployedStates.lookAnew(place));
  const { url, branch = '' } = projects.last(place)?.settings ?? {};
  const isOpen = repositories.withAddress(url) !== undefined;
  const isLost = deployedStates.last(place)?.some(isFolderUnknown) === true;
  const [fetch, select] = [l10n.t('Fetch'), l10n.t('Select Project Folder…')];
  const chosen = await tell(place, deps, [...(isLost ? [select] : []), ...(isOpen ? [fetch] : [])]);
  if (chosen === select) {
    await deps.selectFolder(place);
  } else if (chosen === fetch && (await tryToFetch(place, projects.branchBefore(place) ?? branch, deps))) {
    await tell(place, deps, []);
  }
}

async function tryToFetch(
  place: ProjectPlace,
  branch: string,
  { deployedStates, environments }: CheckDeployedDeps,
): Promise<boolean> {
  try {
    await withCancelableRead(l10n.t('Fetching {0}', branch), () => deployedStates.fetch(place));
    return true;
  } catch (error) {
    if (isCanceled(error)) {
      throw error;
    }
    const output = l10n.t('Show Git Output');
    const text = l10n.t(
      "Couldn't fetch {1} for {0}, so newer commits may exist.",
      projectText(place, environments),
      branch,
    );
    if ((await showWarningMessage(text, output)) === output) {
      await commands.executeCommand('git.showOutput');
    }
    return false;
  }
}

function tell(
  place: ProjectPlace,
  { deployedStates, environments }: CheckDeployedDeps,
  buttons: readonly string[],
): Thenable<string | undefined> {
  const [nodes, results] = [deployedStates.lastNodes(place), deployedStates.last(place) ?? []];
  return showInformationMessage(checkedText(projectText(place, environments), nodes, results), ...buttons);
}
