import { l10n, ProgressLocation, window } from 'vscode';
import type { DeployRecord } from '../history/deployRecord';
import type { RunningRedeploy } from './redeploys';

/**
 * Shows how long a redeploy has been going on. Answers how it ended, or `undefined` when the person waits no longer: an
 * Update cannot be stopped, and goes on.
 */
export async function watchRedeploy(running: RunningRedeploy): Promise<DeployRecord | undefined> {
  const { context, environment } = running.request.place;
  const title = running.isFirst
    ? l10n.t('Deploying {0} on {1}', context, environment)
    : l10n.t('Redeploying {0} on {1}', context, environment);
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const show = () => progress.report({ message: elapsed(running) });
      show();
      const ticking = setInterval(show, 1000);
      const left = new Promise<undefined>((resolve) => {
        token.onCancellationRequested(() => {
          running.stopFollowing();
          if (running.phase === 'updating') {
            resolve(undefined);
          }
        });
      });
      try {
        return await Promise.race([running.ended, left]);
      } finally {
        clearInterval(ticking);
      }
    },
  );
}

export function elapsed({ startedAt, phase }: RunningRedeploy): string {
  const time = clock(Date.now() - startedAt);
  return phase === 'updating' ? time : l10n.t("{0}: the platform's answer was lost, watching its log", time);
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
