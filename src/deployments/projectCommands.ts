import { l10n } from 'vscode';
import type { Environments } from '../containers/environments';
import type { DeployHistory } from './history/deployHistory';
import type { DeployRecord } from './redeploy/redeployResult';
import type { DeployedStates } from './deployedState/deployedStates';
import type { LocalRepositories } from './repositories/localRepositories';
import type { Projects } from './projects';
import { showInformationMessage } from '../ui/notifications';
import { withLook } from '../ui/progress';
import type { DeploymentsView } from './view/deploymentsView';
import { addProject } from './settings/newProjectFlow';
import type { ProjectChooser } from './projectPrompt';
import type { RedeployFlow } from './redeploy/redeployFlow';
import { deployedChanges, showDeployLog } from './redeploy/redeployResultNotice';
import type { Accounts } from '../accounts/accounts';
import type { ProjectPlace } from './projectPlace';
import type { RedeployRequest } from './redeploy/redeployOperation';
import { askInTurn, type Entered, type Question } from '../ui/prompts';

export interface ProjectCommandsDeps {
  readonly chooser: ProjectChooser;
  readonly flow: RedeployFlow;
  readonly view: DeploymentsView;
  readonly environments: Environments;
  readonly projects: Projects;
  readonly history: DeployHistory;
  readonly drifts: DeployedStates;
  readonly repositories: LocalRepositories;
  readonly accounts: Parameters<typeof addProject>[1]['accounts'];
}

export function projectCommands(parts: ProjectCommandsDeps) {
  const { chooser, flow, view, environments, projects, history, drifts, repositories } = parts;

  /** The redeploy whose row a command was called on, else the newest of the project that is meant. */
  async function recordOf(received: unknown): Promise<DeployRecord | undefined> {
    const element = view.find(received);
    if (element?.kind === 'redeploy') {
      return element.record;
    }
    const place = await chooser.choose(received, l10n.t("Which project's last redeploy?"));
    const last = place && (await history.last(place));
    if (place !== undefined && last === undefined) {
      void showInformationMessage(l10n.t('{0} was not redeployed from here yet.', place.context));
    }
    return last;
  }

  return {
    'gantry.deployments.refresh'() {
      drifts.forget();
      environments.refresh();
    },

    async 'gantry.project.add'(received: unknown) {
      await addProject(view.find(received), parts);
    },

    async 'gantry.project.forget'(received: unknown) {
      const element = view.find(received);
      if (element?.kind === 'project') {
        await projects.forget(element.place);
        await history.forget(element.place);
      }
    },

    async 'gantry.project.redeploy'(received: unknown) {
      const place = await chooser.choose(received, l10n.t('Which project shall be redeployed?'));
      if (place !== undefined) {
        await flow.redeploy({ place });
      }
    },

    async 'gantry.project.redeployWith'(received: unknown) {
      const place = await chooser.choose(received, l10n.t('Which project shall be redeployed?'));
      const request = place && (await askOptions(place, parts));
      if (request !== undefined) {
        await flow.redeploy(request);
      }
    },

    async 'gantry.project.checkDrift'(received: unknown) {
      const place = await chooser.choose(received, l10n.t('Which project shall be looked at?'));
      if (place !== undefined) {
        await withLook(l10n.t('Checking what is deployed…'), () => drifts.lookAnew(place));
      }
    },

    async 'gantry.project.showLog'(received: unknown) {
      const record = await recordOf(received);
      if (record !== undefined) {
        await showDeployLog(record);
      }
    },

    async 'gantry.project.showChanges'(received: unknown) {
      const record = await recordOf(received);
      const changes = record && (await deployedChanges(record, { projects, repositories }));
      if (changes !== undefined) {
        await changes.show();
      } else if (record !== undefined) {
        void showInformationMessage(
          l10n.t('What this redeploy changed can be shown where its repository is open and knows both commits.'),
        );
      }
    },

    async 'gantry.project.tellFolder'(received: unknown) {
      const place = await chooser.choose(received, l10n.t('Which project shall be found?'));
      if (place !== undefined) {
        await flow.askForFolder(place, await history.last(place));
        await drifts.look(place);
      }
    },

    async 'gantry.project.lookAgain'(received: unknown) {
      const record = await recordOf(received);
      if (record !== undefined) {
        await flow.lookAgain(record);
      }
    },
  };
}

/** Which nodes, and how long to wait between them. */
export async function askOptions(
  place: ProjectPlace,
  { accounts, environments }: { readonly accounts: Accounts; readonly environments: Environments },
): Promise<RedeployRequest | undefined> {
  const account = accounts.find(place.account);
  const all = account === undefined ? [] : await environments.of(account);
  const layers = all.find(({ name }) => name === place.environment)?.layers ?? [];
  const nodes = layers.find(({ id }) => id === place.layer)?.nodes ?? [];
  const which: Question = {
    kind: 'choice',
    key: 'node',
    prompt: l10n.t('Which nodes shall be redeployed?'),
    choices: [
      { label: l10n.t('All nodes of the layer'), description: place.layer, value: '' },
      ...nodes.map(({ id, name }) => ({ label: name, description: String(id), value: String(id) })),
    ],
  };
  const delay: Question = {
    key: 'delay',
    prompt: l10n.t('Seconds between the restart of one node and the next; empty for what the project says'),
    placeholder: '30',
    mayBeEmpty: true,
    problem: (text) => (/^\d{0,5}$/.test(text.trim()) ? undefined : l10n.t('Enter a number of seconds.')),
  };
  const questions = ({ node }: Entered) => (node === undefined || node === '' ? [which, delay] : [which]);
  const entered = await askInTurn(l10n.t('Redeploy {0} on {1}', place.context, place.environment), questions);
  return (
    entered && {
      place,
      nodeId: numberIn(entered['node']),
      delay: numberIn(entered['delay']),
    }
  );
}

function numberIn(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : Number(trimmed);
}
