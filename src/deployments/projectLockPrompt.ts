import { projectText } from './projectText';
import type { EnvironmentTitles } from '../containers/locationText';
import { l10n } from 'vscode';
import { isCanceled } from '../platform/errors';
import type { ProjectPlace } from './projectPlace';
import { confirm } from '../ui/notifications';
import { withCancelableRead } from '../ui/progress';
import type { ChangeInProgress, ProjectChange, Redeploys } from './redeploy/redeploys';

export interface ProjectLockDeps {
  readonly redeploys: Redeploys;
  readonly environments: EnvironmentTitles;
}

/** Changes a project while nothing else here changes it. Returns `undefined` if the user stops waiting. */
export async function withProjectLock<T>(
  place: ProjectPlace,
  what: Exclude<ProjectChange, 'redeploy'>,
  deps: ProjectLockDeps,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const { redeploys } = deps;
  while (await waitForProjectLock(place, deps)) {
    // Another change may have started in the meantime.
    if (redeploys.changeUnderway(place) === undefined) {
      return redeploys.lockDuring(place, what, work);
    }
  }
  return undefined;
}

/** Reports a change in progress and lets the user wait for it. Returns whether to continue. */
export async function waitForProjectLock(
  place: ProjectPlace,
  { redeploys, environments }: ProjectLockDeps,
): Promise<boolean> {
  const project = projectText(place, environments);
  for (let change = redeploys.changeUnderway(place); change; change = redeploys.changeUnderway(place)) {
    if (!(await wantsToWait(project, change)) || !(await waitForChange(project, change))) {
      return false;
    }
  }
  return true;
}

/** Resolves when the change ends, even if it fails. Returns `false` if the user stops waiting. */
export async function waitForChange(project: string, { what, ended }: ChangeInProgress): Promise<boolean> {
  const title =
    what === 'redeploy'
      ? l10n.t('Waiting for the redeploy of {0} to finish', project)
      : l10n.t('Waiting for another change to {0} to finish', project);
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

function wantsToWait(project: string, { what }: ChangeInProgress): Promise<boolean> {
  const detail = l10n.t('Only one operation on a project can run at a time.');
  return confirm(underwayTexts[what](project), [detail], l10n.t('Wait and Continue'));
}

const underwayTexts: Readonly<Record<ProjectChange, (project: string) => string>> = {
  redeploy: (project) => l10n.t('{0} is being redeployed. Wait for it to finish?', project),
  settings: (project) => l10n.t('The settings of {0} are being changed. Wait for this to finish?', project),
  deletion: (project) => l10n.t('{0} is being deleted. Wait for this to finish?', project),
};
