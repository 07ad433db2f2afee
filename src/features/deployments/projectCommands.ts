import { commands, env, l10n, QuickPickItemKind, Uri } from 'vscode';
import { layerTitle } from '../../containers/locationText';
import { type CommandId, deployScheme } from '../../manifest';
import { isCanceled } from '../../platform/errors';
import { command, commandOnNothing } from '../../ui/commands/command';
import { ExpectedError } from '../../ui/expectedError';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import { askInTurn, type Entered, type Question } from '../../ui/prompts';
import { askChoice, type Choice, type PickRow } from '../../ui/quickPick';
import { formatRelativeTime } from '../../ui/relativeTime';
import { deployedChanges } from './history/deployHistory';
import { showDeployLog } from './history/deployLogDocuments';
import type { DeploymentParts } from './parts';
import type { ProjectPlace } from './projectPlace';
import type { ProjectChooser } from './currentProject';
import { checkedText, stateLabel } from './deployedState/stateTexts';
import { checkingDeployed, cloneProblemText, projectText, trustButton } from './projectText';
import type { RedeployRequest } from './redeploy/plan';
import { severityIcons } from './view/deploymentRows';
import type { DeployRecord } from './redeploy/redeployResult';
import { isFolderUnknown, severityOf, type StateResult } from './results';
import { redeployResultText } from './redeploy/redeployResultText';
import { withoutSecret } from './repositories/repositoryUrl';
import { numberIn } from './settings/projectFields';
import type { DeploymentsView } from './view/deploymentsView';
import { nodesNow } from './deployedState/deployedState';

export function projectCommands(deps: DeploymentParts, chooser: ProjectChooser, view: DeploymentsView) {
  const { flow } = deps;

  const onRecord = (run: (record: DeployRecord) => unknown) =>
    command('project', ({ object }) => recordMeant(object, view.find(object), chooser, deps), run);
  const toRedeploy = l10n.t('Select the project to redeploy');
  const needs = ['Update'] as const;

  return {
    'gantry.deployments.refresh': commandOnNothing(() => view.readAgain(() => forgetReads(deps))),

    'gantry.project.remove': command(
      'rows',
      ({ object }) => projectOfRow(view.find(object)),
      (place) => removeProject(place, deps),
    ),

    'gantry.project.showActions': chooser.command(l10n.t('Select a project'), (place) =>
      chooseProjectAction(place, deps),
    ),

    'gantry.project.redeploy': chooser.command(toRedeploy, (place) => flow.redeploy({ place }), { needs }),

    'gantry.project.redeployWith': chooser.command(
      toRedeploy,
      async (place) => {
        const request = await askOptions(place, deps);
        if (request !== undefined) {
          await flow.redeploy(request);
        }
      },
      { needs },
    ),

    'gantry.project.checkDrift': chooser.command(l10n.t('Select the project to check'), (place) =>
      checkDeployed(place, deps),
    ),

    'gantry.project.showLog': onRecord(showDeployLog),

    'gantry.project.showChanges': onRecord((record) => showChanges(record, deps)),

    'gantry.project.clone': chooser.command(l10n.t('Select a project to clone its repository'), (place) =>
      cloneRepository(place, deps),
    ),

    'gantry.project.selectFolder': chooser.command(l10n.t('Select the project to set the folder for'), (place) =>
      selectFolder(place, deps),
    ),

    'gantry.project.checkResult': onRecord((record) => checkResult(record, deps)),
  };
}

/** Makes the view read from the platform what it shows. */
function forgetReads({ deployedStates, projects, environments }: DeploymentParts): void {
  deployedStates.forget();
  projects.refresh();
  environments.refresh();
}

async function removeProject(place: ProjectPlace, { projects, history }: DeploymentParts): Promise<void> {
  await projects.forget(place);
  await history.forget(place);
}

function projectOfRow(row: ReturnType<DeploymentsView['find']>): ProjectPlace | undefined {
  return row?.kind === 'project' ? row.place : undefined;
}

async function showChanges(record: DeployRecord, deps: DeploymentParts): Promise<void> {
  const changes = await deployedChanges(record, deps);
  if (changes === undefined) {
    await sayCloneIsMissing(
      deps.repositories,
      l10n.t("Couldn't show the changes. Open a clone of the repository that has both commits."),
    );
  }
  await changes?.show();
}

async function checkResult(record: DeployRecord, { flow }: DeploymentParts): Promise<void> {
  if (severityOf(record.verdict) === 'warning') {
    await flow.lookAgain(record);
    return;
  }
  // The result would read as if there had been another redeploy.
  void showInformationMessage(
    l10n.t(
      'The result of the last redeploy of {0} is already known. To see it, use Show Last Redeploy.',
      record.context,
    ),
  );
}

/** Returns the redeploy of a row or of the log that is open, or else the project's last one. */
async function recordMeant(
  named: object | undefined,
  row: ReturnType<DeploymentsView['find']>,
  chooser: ProjectChooser,
  { redeploys, history }: DeploymentParts,
): Promise<DeployRecord | undefined> {
  if (row?.kind === 'redeploy') {
    return row.record;
  }
  if (named instanceof Uri && named.scheme === deployScheme) {
    return history.shownIn(named);
  }
  const place = await chooser.meant(named, l10n.t('Select a project to show its last redeploy'));
  // The one that just began may not be in the history yet.
  const last = place && ((await redeploys.running(place)?.recorded) ?? (await history.last(place)));
  if (place !== undefined && last === undefined) {
    void showInformationMessage(l10n.t("{0} hasn't been redeployed from this computer yet.", place.context));
  }
  return last;
}

async function selectFolder(place: ProjectPlace, { flow, history, deployedStates }: DeploymentParts): Promise<void> {
  await flow.askForFolder(place, await history.last(place));
  await deployedStates.look(place);
}

/** Checks the nodes, and says what they run. Fetching is a separate step, because Git may ask for a password. */
async function checkDeployed(place: ProjectPlace, deps: DeploymentParts): Promise<void> {
  const { deployedStates, projects, repositories } = deps;
  const seen = await withCancelableRead(checkingDeployed(), () => deployedStates.lookAnew(place));
  const { url, branch = '' } = projects.last(place)?.settings ?? {};
  const isOpen = repositories.withAddress(url) !== undefined;
  const isLost = seen.some(isFolderUnknown);
  const [fetch, select] = [l10n.t('Fetch'), l10n.t('Select Project Folder…')];
  const chosen = await tell(place, seen, deps, [...(isLost ? [select] : []), ...(isOpen ? [fetch] : [])]);
  if (chosen === select) {
    await selectFolder(place, deps);
  } else if (chosen === fetch) {
    const fetched = await tryToFetch(place, projects.branchBefore(place) ?? branch, deps);
    if (fetched !== undefined) {
      await tell(place, fetched, deps, []);
    }
  }
}

async function tryToFetch(
  place: ProjectPlace,
  branch: string,
  { deployedStates, environments }: DeploymentParts,
): Promise<readonly StateResult[] | undefined> {
  try {
    return await withCancelableRead(l10n.t('Fetching {0}', branch), () => deployedStates.fetch(place));
  } catch (error) {
    if (isCanceled(error) || error instanceof ExpectedError) {
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
    return undefined;
  }
}

/** While the results are computed again, the last ones are older than what was just seen. */
function tell(
  place: ProjectPlace,
  results: readonly StateResult[],
  { deployedStates, environments }: DeploymentParts,
  buttons: readonly string[],
): Thenable<string | undefined> {
  const nodes = deployedStates.lastNodes(place);
  return showInformationMessage(checkedText(projectText(place, environments), nodes, results), ...buttons);
}

/** Hands the repository's address to the Git extension, which asks for the folder, and offers to open the clone. */
async function cloneRepository(place: ProjectPlace, { projects, repositories }: DeploymentParts): Promise<void> {
  const { settings } = await projects.lastOrRead(place);
  await repositories.ready;
  const { type, url } = settings;
  const isOpen = repositories.withAddress(url) !== undefined;
  // The settings may have anything as the URL, which Git could take for an option. The Git extension cuts off `git clone`.
  if (type !== 'GIT' || url === undefined || !(isOpen || /^\w\S*$/.test(url))) {
    void showInformationMessage(l10n.t('{0} has no Git repository to clone.', place.context));
  } else if (isOpen) {
    await commands.executeCommand('workbench.view.scm');
  } else if (repositories.available) {
    await commands.executeCommand('git.clone', withoutSecret(url, ''));
  } else {
    await sayCloneIsMissing(
      repositories,
      l10n.t("Couldn't clone the repository because VS Code's Git extension isn't available in this window."),
    );
  }
}

/** Says why Gantry can use no clone in this window, or else what is said here. */
async function sayCloneIsMissing({ state }: DeploymentParts['repositories'], otherwise: string): Promise<void> {
  const buttons = trustButton(state);
  const chosen = await showInformationMessage(cloneProblemText(state) ?? otherwise, ...buttons.keys());
  await buttons.get(chosen ?? '')?.();
}

async function askOptions(
  place: ProjectPlace,
  { accounts, environments }: DeploymentParts,
): Promise<RedeployRequest | undefined> {
  const account = accounts.find(place.account);
  const nodes = (account && (await environments.findLayer(account, place)))?.layer.nodes ?? [];
  const which: Question = {
    kind: 'choice',
    key: 'node',
    prompt: l10n.t('Select the nodes to redeploy'),
    choices: [
      { label: l10n.t('All nodes in the layer'), description: layerTitle(place, environments), value: '' },
      ...nodes.map(({ id, name }) => ({ label: name, description: String(id), value: String(id) })),
    ],
  };
  const delay: Question = {
    key: 'delay',
    prompt: l10n.t("Seconds between node restarts (empty to use the project's setting)"),
    placeholder: '30',
    mayBeEmpty: true,
    problem: (text) => (/^\d{0,5}$/.test(text.trim()) ? undefined : l10n.t('Enter a number of seconds.')),
  };
  const questions = ({ node }: Entered) => (node === undefined || node === '' ? [which, delay] : [which]);
  const entered = await askInTurn(l10n.t('Redeploy {0}', projectText(place, environments)), questions);
  return entered && { place, nodeId: numberIn(entered['node']), delay: numberIn(entered['delay']) };
}

async function chooseProjectAction(place: ProjectPlace, deps: DeploymentParts): Promise<void> {
  const name = projectText(place, deps.environments);
  const run = (command: CommandId) => async () => {
    await commands.executeCommand(command, place);
  };
  const action = (icon: string, label: string, value: () => Promise<void>): Choice<() => Promise<void>> => ({
    icon,
    label,
    value,
  });
  const page = webPageOf(deps.projects.last(place)?.settings.url);
  const records = await deps.history.of(place);
  const choices: readonly (PickRow | Choice<() => Promise<void>>)[] = [
    action('rocket', l10n.t('Redeploy'), run('gantry.project.redeploy')),
    action('discard', l10n.t('Roll Back…'), run('gantry.project.rollBack')),
    ...(deps.projects.isPinned(place)
      ? [action('arrow-up', l10n.t('Deploy Newest Commit'), run('gantry.project.deployNewest'))]
      : []),
    action('rocket', l10n.t('Redeploy with Options…'), run('gantry.project.redeployWith')),
    { label: '', kind: QuickPickItemKind.Separator },
    ...(records.length === 0
      ? []
      : [
          action('output', l10n.t('Show Last Redeploy'), run('gantry.project.showLog')),
          action('history', l10n.t('Show History…'), () => chooseFromHistory(place, records, deps)),
        ]),
    action('git-compare', l10n.t('Check Deployed Commit'), run('gantry.project.checkDrift')),
    action('settings-gear', l10n.t('Project Settings…'), run('gantry.project.edit')),
    ...(page === undefined
      ? []
      : [
          action('repo', l10n.t('Open Repository in Browser'), async () => {
            await env.openExternal(page);
          }),
        ]),
    action('trash', l10n.t('Delete Project…'), run('gantry.project.delete')),
  ];
  const chosen = await askChoice(choices, {
    title: [name, stateLabel(deps.deployedStates.last(place) ?? [])].filter((part) => part !== '').join(' · '),
    placeHolder: l10n.t('Select an action'),
  });
  await chosen?.();
}

async function chooseFromHistory(
  place: ProjectPlace,
  records: readonly DeployRecord[],
  { findDeployedCommits, environments }: DeploymentParts,
): Promise<void> {
  const commits = await findDeployedCommits(place, records);
  const choices = records.map((record) => ({
    label: redeployResultText(record),
    icon: severityIcons[severityOf(record.verdict)].id,
    description: [commits.get(nodesNow(record.nodes).commit ?? '')?.subject, formatRelativeTime(record.startedAt)]
      .filter((part) => part !== undefined)
      .join(' · '),
    value: record,
  }));
  const record = await askChoice<DeployRecord>(choices, {
    title: l10n.t('Redeploys of {0}', projectText(place, environments)),
    placeHolder: l10n.t('Select a redeploy to show its log'),
  });
  if (record !== undefined) {
    await showDeployLog(record);
  }
}

/** Repositories on the web often have their page at the address they're cloned from. */
function webPageOf(url: string | undefined): Uri | undefined {
  const address = withoutSecret(url ?? '');
  return /^https?:\/\//.test(address) ? Uri.parse(address, true) : undefined;
}
