import { l10n } from 'vscode';
import type { EnvironmentTitles } from '../../containers/locationText';
import { placeOfProject } from '../projectPlace';
import { projectText } from '../projectText';
import { withProgress } from '../../ui/progress';
import type { DeployRecord } from './redeployResult';
import type { RunningRedeploy } from './redeploys';

/**
 * Shows a redeploy's elapsed time. Returns its result, or `undefined` if the user stops waiting. An Update that was sent
 * can't be stopped and continues.
 */
export async function watchRedeploy(
  running: RunningRedeploy,
  environments: EnvironmentTitles,
): Promise<DeployRecord | undefined> {
  const project = projectText(running.request.place, environments);
  const title = running.isFirst ? l10n.t('Deploying {0}', project) : l10n.t('Redeploying {0}', project);
  const argument = placeOfProject(running.request.place);
  const link = { text: l10n.t('Show Log'), command: 'gantry.project.showLog', argument } as const;
  return withProgress(
    title,
    async ({ signal, say }) => {
      const show = () => say(elapsed(running));
      show();
      const ticking = setInterval(show, 1000);
      const left = new Promise<undefined>((resolve) => {
        signal.addEventListener('abort', () => {
          running.stop();
          if (running.phase === 'updating') {
            resolve(undefined);
          }
        });
      });
      return Promise.race([running.ended, left]).finally(() => clearInterval(ticking));
    },
    { delay: 0, link },
  );
}

export function elapsed({ startedAt, phase }: RunningRedeploy): string {
  const time = clock(Date.now() - startedAt);
  return phase === 'updating' ? time : l10n.t('{0}: connection lost, checking the deploy log', time);
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
