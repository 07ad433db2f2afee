import type { EnvironmentTitles } from '../containers/locationText';
import { commands, env, l10n, QuickPickItemKind, type QuickPickItem, Uri } from 'vscode';
import type { CommandId } from '../manifest';
import { formatRelativeTime } from '../ui/relativeTime';
import { askChoice, type Choice } from '../ui/quickPick';
import type { DeployedStates } from './deployedState/deployedStates';
import type { DeployHistory } from './history/deployHistory';
import type { ProjectPlace } from './projectPlace';
import { deployedStateLabel, projectText } from './projectText';
import type { Projects } from './projects';
import { type DeployRecord, severityOf } from './redeploy/redeployResult';
import { showDeployLog } from './redeploy/redeployResultNotice';
import { redeployResultText } from './redeploy/redeployResultText';
import { withoutSecret } from './repositories/repositoryUrl';

export interface ProjectMenuDeps {
  readonly projects: Projects;
  readonly history: DeployHistory;
  readonly deployedStates: DeployedStates;
  readonly environments: EnvironmentTitles;
}

/** Lets the person choose what to do with a project. */
export async function chooseProjectAction(place: ProjectPlace, deps: ProjectMenuDeps): Promise<void> {
  const name = projectText(place, deps.environments);
  const run = (command: CommandId) => async () => {
    await commands.executeCommand(command, place);
  };
  const action = (label: string, value: () => Promise<void>, description = ''): Choice<() => Promise<void>> => ({
    ...{ label, description, value },
  });
  const page = webPageOf(deps.projects.last(place)?.settings.url);
  const records = await deps.history.of(place);
  const choices: readonly (QuickPickItem | Choice<() => Promise<void>>)[] = [
    action(
      l10n.t('$(rocket) Redeploy'),
      run('gantry.project.redeploy'),
      deployedStateLabel(deps.deployedStates.last(place) ?? []),
    ),
    { label: '', kind: QuickPickItemKind.Separator },
    ...(records.length === 0
      ? []
      : [
          action(l10n.t('$(output) Show Last Redeploy Log'), run('gantry.project.showLog')),
          action(l10n.t('$(diff-multiple) Show Redeploy Changes'), run('gantry.project.showChanges')),
          action(l10n.t('$(history) Show History…'), () => chooseFromHistory(name, records)),
        ]),
    action(l10n.t('$(git-compare) Check Deployed Commit'), run('gantry.project.checkDrift')),
    action(l10n.t('$(discard) Roll Back…'), run('gantry.project.rollBack')),
    action(l10n.t('$(settings-gear) Project Settings…'), run('gantry.project.edit')),
    ...(page === undefined
      ? []
      : [
          action(l10n.t('$(repo) Open Repository in Browser'), async () => {
            await env.openExternal(page);
          }),
        ]),
  ];
  const chosen = await askChoice(choices, {
    title: name,
    placeHolder: l10n.t('Select an action'),
  });
  await chosen?.();
}

const icons = { success: 'pass', doubt: 'question', trouble: 'error' } as const;

async function chooseFromHistory(project: string, records: readonly DeployRecord[]): Promise<void> {
  const choices = records.map((record) => ({
    label: `$(${icons[severityOf(record)]}) ${redeployResultText(record)}`,
    description: formatRelativeTime(record.startedAt),
    value: record,
  }));
  const record = await askChoice<DeployRecord>(choices, {
    title: l10n.t('Redeploys of {0}', project),
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
