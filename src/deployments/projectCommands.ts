import { l10n } from 'vscode';
import type { Environments } from '../containers/environments';
import type { DeployHistory } from './history/deployHistory';
import type { DeployRecord } from './history/deployRecord';
import type { DeployedStates } from './deployedState/deployedStates';
import type { LocalRepositories } from './repositories/localRepositories';
import type { Projects } from './projects';
import { showInformationMessage } from '../ui/notifications';
import { withLook } from '../ui/progress';
import type { DeploymentsView } from './view/deploymentsView';
import { addProject } from './settings/addProjectFlow';
import type { ProjectChooser } from './projectPrompt';
import { askOptions } from './redeploy/redeployOptionsPrompt';
import type { RedeployFlow } from './redeploy/redeployFlow';
import { deployedChanges, showDeployLog } from './redeploy/redeployResultNotice';

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
