import { commands, l10n } from 'vscode';
import type { EnvironmentTitles } from '../../containers/locationText';
import { isCanceled } from '../../platform/errors';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import type { ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import { deployedStateSentence, projectText } from '../projectText';
import { type NodeChange } from '../redeploy/redeployResult';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { Finding } from './deployedState';
import type { DeployedStates } from './deployedStates';
import { short } from '../commits';
import { nodesNow } from './nodesNow';

export interface CheckDeployedDeps {
  readonly deployedStates: DeployedStates;
  readonly projects: Pick<Projects, 'last'>;
  readonly repositories: LocalRepositories;
  readonly environments: EnvironmentTitles;
  readonly selectFolder: (place: ProjectPlace) => Promise<void>;
}

/** Checks the nodes, and says what they run. Fetching is a separate step, because Git may ask for a password. */
export async function checkDeployed(place: ProjectPlace, deps: CheckDeployedDeps): Promise<void> {
  const { deployedStates, projects, repositories } = deps;
  await withCancelableRead(l10n.t('Checking deployed commit'), () => deployedStates.lookAnew(place));
  const { url, branch = '' } = projects.last(place)?.settings ?? {};
  const isOpen = repositories.withAddress(url) !== undefined;
  const isLost = deployedStates.last(place)?.some(({ kind }) => kind === 'notDeployed') === true;
  const [fetch, select] = [l10n.t('Fetch'), l10n.t('Select Project Folder…')];
  const chosen = await tell(place, deps, [...(isLost ? [select] : []), ...(isOpen ? [fetch] : [])]);
  if (chosen === select) {
    await deps.selectFolder(place);
  } else if (chosen === fetch && (await tryToFetch(place, branch, deps))) {
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

/** The findings that answer what the command checks, which are said first. */
const answers: readonly Finding['kind'][] = ['pinned', 'behind', 'upToDate', 'atCommit', 'notDeployed', 'unknown'];

function tell(
  place: ProjectPlace,
  { deployedStates, projects, environments }: CheckDeployedDeps,
  buttons: readonly string[],
): Thenable<string | undefined> {
  const { branch = '' } = projects.last(place)?.settings ?? {};
  const nodes = deployedStates.lastNodes(place);
  const isPartlyRead = nodes.some(({ after }) => after !== undefined);
  const rest = (deployedStates.last(place) ?? []).filter(
    ({ kind }) => kind !== 'nodesDiffer' && !(kind === 'unknown' && isPartlyRead),
  );
  const isAnswer = ({ kind }: Finding) => answers.includes(kind);
  const sentences = [...rest.filter(isAnswer), ...rest.filter((finding) => !isAnswer(finding))].map((finding) =>
    deployedStateSentence(finding, branch),
  );
  const text = [...whatNodesRun(projectText(place, environments), nodes), ...sentences];
  return showInformationMessage(text.slice(0, 3).join(' '), ...buttons);
}

function whatNodesRun(project: string, nodes: readonly NodeChange[]): readonly string[] {
  const now = nodesNow(nodes);
  if (now.kind === 'same') {
    return [
      nodes.length === 1
        ? l10n.t('{0} runs {1}.', project, short(now.commit))
        : l10n.t('{0} runs {1} on all nodes.', project, short(now.commit)),
    ];
  }
  if (nodes.every(({ after }) => after === undefined)) {
    return [];
  }
  const found = ({ after, unreadable = l10n.t('no commit') }: NodeChange) =>
    after === undefined ? unreadable : short(after);
  const each = nodes.map((node) => `${node.name}: ${found(node)}`).join(', ');
  return now.kind === 'unreadable'
    ? [l10n.t("Couldn't read the deployed commit of some nodes of {0} ({1}).", project, each)]
    : [l10n.t('The nodes of {0} run different commits ({1}).', project, each)];
}
