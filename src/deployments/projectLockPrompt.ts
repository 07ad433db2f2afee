import { l10n } from 'vscode';
import { isCanceled } from '../platform/errors';
import type { ProjectPlace } from './projectPlace';
import { confirm } from '../ui/notifications';
import { withCancelableRead } from '../ui/progress';
import type { ChangeInProgress, ProjectChange, Redeploys } from './redeploy/redeploys';

/** Changes a project while nothing else here changes it. Returns `undefined` if the user stops waiting. */
export async function withProjectLock<T>(
  place: ProjectPlace,
  what: Exclude<ProjectChange, 'redeploy'>,
  redeploys: Redeploys,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (await waitForProjectLock(place, redeploys)) {
    // Another change may have started in the meantime.
    if (redeploys.changeUnderway(place) === undefined) {
      return redeploys.lockDuring(place, what, work);
    }
  }
  return undefined;
}

/** Reports a change in progress and lets the user wait for it. Returns whether to continue. */
export async function waitForProjectLock(place: ProjectPlace, redeploys: Redeploys): Promise<boolean> {
  for (let change = redeploys.changeUnderway(place); change; change = redeploys.changeUnderway(place)) {
    if (!(await wantsToWait(place, change)) || !(await waitForChange(place, change))) {
      return false;
    }
  }
  return true;
}

/** Resolves when the change ends, even if it fails. Returns `false` if the user stops waiting. */
export async function waitForChange(
  { context, environment }: ProjectPlace,
  { what, ended }: ChangeInProgress,
): Promise<boolean> {
  const title =
    what === 'redeploy'
      ? l10n.t('Waiting for the redeploy of {0} on {1}', context, environment)
      : l10n.t('Waiting for the change to {0} on {1}', context, environment);
  try {
    await withCancelableRead(title, () => Promise.allSettled([ended]));
    return true;
  } catch (error) {
    if (isCanceled(error)) {
      return false;
    }
    throw error;
  }
}

function wantsToWait({ context, environment }: ProjectPlace, { what }: ChangeInProgress): Promise<boolean> {
  const detail = l10n.t('Only one operation on a project can run at a time.');
  return confirm(underwayTexts[what](context, environment), [detail], l10n.t('Wait and Continue'));
}

const underwayTexts: Readonly<Record<ProjectChange, (context: string, environment: string) => string>> = {
  redeploy: (context, environment) =>
    l10n.t('{0} on {1} is being redeployed. Wait for it to finish?', context, environment),
  settings: (context, environment) =>
    l10n.t('The settings of {0} on {1} are being changed. Wait for this to finish?', context, environment),
  deletion: (context, environment) =>
    l10n.t('{0} on {1} is being deleted. Wait for this to finish?', context, environment),
};
