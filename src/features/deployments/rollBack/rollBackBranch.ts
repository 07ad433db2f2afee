import { l10n } from 'vscode';
import { isCanceled, isPlatformError } from '../../../platform/errors';
import { ExpectedError } from '../../../ui/expectedError';
import { showFailure, showInformationMessage, showWarningMessage } from '../../../ui/notifications';
import { withDetachableProgress } from '../../../ui/progress';
import type { DeploymentParts } from '../parts';
import type { Held } from '../projectLock';
import { placeOfProject, type ProjectPlace } from '../projectPlace';
import { commitOfRollback } from '../commits';
import type { Project } from '../projects';
import { projectText } from '../projectText';
import { pushWithProgress } from '../redeploy/plan';
import type { DeployRecord } from '../redeploy/redeployResult';
import type { LocalCommit } from '../repositories/localRepository';
import { sameRepository } from '../repositories/repositoryUrl';
import type { ProjectFields } from '../settings/projectFields';
import { severityOf } from '../results';
import { sendSettings } from '../settings/saveSettingsFlow';
import type { RollbackChange } from './rollBackPlan';
import type { PushedBranch } from './waysBack';

export async function pushRollback(
  fields: ProjectFields,
  { hash }: LocalCommit,
  { repositories }: DeploymentParts,
): Promise<void> {
  const { branch } = fields;
  const repository = repositories.withAddress(fields.url);
  if (repository === undefined) {
    throw new ExpectedError(l10n.t("Couldn't push {0}: the repository isn't open here anymore.", branch));
  }
  await pushWithProgress(branch, () => repository.pushCommit(fields, hash));
}

/** Saves the settings. If that fails, lets the project go, and says that the branch was pushed. */
export async function saveAfterPush(
  change: RollbackChange,
  deps: DeploymentParts,
  held: Held,
): Promise<Project | undefined> {
  const { place, base, fields } = change;
  const project = projectText(place, deps.environments);
  const text = l10n.t("Pushed the branch {0}, but didn't redeploy {1}.", fields.branch, project);
  let problem: unknown;
  try {
    return await sendSettings(change, deps);
  } catch (error) {
    if ((isCanceled(error) || isPlatformError(error)) && error.isOutcomeUnknown) {
      // The platform may deploy the branch yet.
      void showWarningMessage(text);
      throw error;
    }
    problem = error;
  }
  held.dispose();
  const leftover = { place, rollback: fields, current: base.branch };
  const offered = (await isLeftover(leftover, deps).catch(() => false)) ? [deleteButton()] : [];
  if ((await tellStopped(text, problem, ...offered)) === deleteButton()) {
    await deleteLeftover(leftover, deps);
  }
  return undefined;
}

/** Says what a roll back did until it stopped. Canceling it isn't an error. */
export function tellStopped(text: string, problem: unknown, ...buttons: readonly string[]) {
  return problem === undefined || isCanceled(problem)
    ? showWarningMessage(text, ...buttons)
    : showFailure({ before: text }, problem, ...buttons);
}

/** Offers it for one branch after the other, also if one can't be deleted. */
export async function offerToDeleteAll(
  [rollback, ...others]: readonly PushedBranch[],
  on: { readonly place: ProjectPlace; readonly current: string },
  deps: DeploymentParts,
): Promise<void> {
  if (rollback === undefined) {
    return;
  }
  // Several roll backs in a row may have pushed the same, and one of them may be deployed now.
  const isAnother = ({ url, branch }: PushedBranch) => url !== rollback.url || branch !== rollback.branch;
  try {
    await (rollback.branch === on.current ? undefined : offerToDelete({ ...on, rollback }, deps));
  } finally {
    await offerToDeleteAll(others.filter(isAnother), on, deps);
  }
}

/** Offers to delete the branch that a roll back pushed, once every node has another one. */
async function offerToDelete(leftover: Leftover, deps: DeploymentParts): Promise<void> {
  const { place, rollback, current } = leftover;
  if (!(await isLeftover(leftover, deps).catch(() => false))) {
    return;
  }
  if (deps.known.find(place)?.rolledBack?.to === rollback.branch) {
    // It's offered once.
    await deps.known.remember(place, { rolledBack: undefined });
  }
  const deletion = deleteButton();
  const text = l10n.t(
    'All nodes of {0} are on {1}. Delete the branch {2} unless another project deploys it.',
    projectText(place, deps.environments),
    current,
    rollback.branch,
  );
  if ((await showInformationMessage(text, deletion)) === deletion) {
    await deleteLeftover(leftover, deps);
  }
}

/** The same after a redeploy of another branch, which someone has set in the project's settings. */
export async function offerToDeleteAfter(record: DeployRecord, deps: DeploymentParts): Promise<void> {
  const { rolledBack, url = '' } = deps.known.find(record) ?? {};
  const { branch = '', verdict } = record;
  const isLeft = rolledBack !== undefined && ![rolledBack.to, ''].includes(branch) && severityOf(verdict) !== 'error';
  // A roll back holds the project, and offers it when it's over.
  if (isLeft && deps.lock.holder(record) === undefined) {
    const place = placeOfProject(record);
    await offerToDelete({ place, rollback: { url, branch: rolledBack.to }, current: branch }, deps);
  }
}

const deleteButton = () => l10n.t('Delete Branch');

/** A branch that a roll back pushed, and the one that every node must have instead before it's deleted. */
interface Leftover {
  readonly place: ProjectPlace;
  readonly rollback: PushedBranch;
  readonly current: string;
}

/**
 * Whether nothing that Gantry knows of deploys a branch. A node that has it would fail at its next pull without it. Doesn't
 * ask the remote, because Git may ask for a login.
 */
async function isLeftover({ place, rollback, current }: Leftover, deps: DeploymentParts): Promise<boolean> {
  const { url, branch } = rollback;
  if (deps.repositories.withAddress(url) === undefined) {
    return false;
  }
  // Someone may have rolled back to it again.
  await Promise.all([deps.projects.readAgain(place), deps.inspector.listAgain(place)]);
  const isUsed = deps.known.all.some((one) => one.branch === branch && sameRepository(one.url, url));
  const clones = isUsed ? [] : await deps.inspector.branches({ place }, branch);
  return clones.length > 0 && clones.every((one) => one.node.target.nodeId !== undefined && one.current === current);
}

/** Deletes the branch if it's still left over: the message that offers that may have been open for long. */
async function deleteLeftover(leftover: Leftover, deps: DeploymentParts): Promise<void> {
  const { rollback } = leftover;
  const { url, branch } = rollback;
  const deleted = async () => {
    const repository = deps.repositories.withAddress(url);
    // Someone may have pushed a fix to it.
    const isUntouched = async () =>
      (await repository?.tipOnRemote(rollback))?.startsWith(commitOfRollback(branch) ?? ' ') === true;
    // The nodes come after it, because Git may have asked for a login, and waited. The remote may change while they're asked.
    const isLeft = (await isUntouched()) && (await isLeftover(leftover, deps)) && (await isUntouched());
    await (isLeft ? repository?.deleteBranch(rollback) : undefined);
    return isLeft;
  };
  const isDeleted = await withDetachableProgress(l10n.t('Deleting {0}', branch), deleted).catch((error: unknown) => {
    const isWaitCanceled = isCanceled(error) && error.isOutcomeUnknown;
    if (isPlatformError(error) || (isCanceled(error) && !isWaitCanceled)) {
      throw error;
    }
    // Git's own words may contain the login.
    const text = isWaitCanceled
      ? l10n.t('Canceled. Git may still delete {0}.', branch)
      : l10n.t("Couldn't delete {0}. To see why, use Git: Show Git Output.", branch);
    throw new ExpectedError(text, { cause: error });
  });
  if (!isDeleted) {
    throw new ExpectedError(
      l10n.t("Didn't delete {0}, because someone pushed to it, or it may be in use again.", branch),
    );
  }
}
