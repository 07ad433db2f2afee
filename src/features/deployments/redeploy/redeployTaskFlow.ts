import { ExpectedError } from '../../../ui/expectedError';
import { isCanceled } from '../../../platform/errors';
import type { FeatureApis } from '../../../featureApis';
import type { TaskRun } from '../../../ui/taskTerminal';
import { gitIsOff, projectText } from '../projectText';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { ensureNoneMissed, ensureSignedIn, namesText } from '../../../containers/namedContainer';
import { l10n } from 'vscode';
import { severityOf } from '../results';
import { sectionText } from '../history/deployLogDocuments';
import { fitsWords, type ProjectFinder } from '../projectFinder';
import { type ProjectLock, waitForProject } from '../projectLock';
import type { ProjectPlace } from '../projectPlace';
import { decideForTask } from './ask';
import type { RedeployPlan } from './plan';
import { redeployMessage } from './redeployResultText';
import type { RedeployFlow } from './redeploy';

export type RedeployTask = Parameters<FeatureApis['deployments']['redeployTask']>[0];

/**
 * Redeploys for a build. Reports in lines, and answers `deployed` only if it is. Stopping the task prevents a redeploy
 * that hasn't started.
 */
export function redeployAsTask(deps: {
  readonly finder: ProjectFinder;
  readonly lock: ProjectLock;
  readonly flow: RedeployFlow;
  readonly environments: EnvironmentTitles;
}) {
  return async (task: RedeployTask, run: TaskRun): Promise<'deployed' | 'notDeployed'> => {
    const { say } = run;
    const place = await placeOf(task, deps.finder);
    say(l10n.t('Redeploying {0}…', projectText(place, deps.environments)));
    const gitOff = await deps.flow.gitOff(place);
    if (gitOff !== undefined) {
      say(gitIsOff(gitOff));
    }
    const request = { place, nodeId: task.node, delay: task.delay, consent: 'chosen' } as const;
    // One that is running may have started before the build pushed its commits.
    if (await waitForProject(place, run, deps)) {
      const decide = (plan: RedeployPlan) => decideForTask(plan, task.onDataLoss, say);
      const ended = await deps.flow.perform(request, decide, { task: run }).catch(ifCanceled);
      if (ended?.kind === 'ended') {
        const { record } = ended;
        [record.log, ...(record.logsBeside ?? []).map(sectionText)].forEach(say);
        say(redeployMessage(record, deps.environments));
        return severityOf(record.verdict) === 'success' ? 'deployed' : 'notDeployed';
      }
    }
    say(l10n.t('Redeploy canceled.'));
    return 'notDeployed';
  };
}

/** For `catch`: a canceled redeploy has no record. */
function ifCanceled(error: unknown): undefined {
  if (!isCanceled(error)) {
    throw error;
  }
}

async function placeOf(task: RedeployTask, finder: ProjectFinder): Promise<ProjectPlace> {
  const { environment, layer, context, account } = task;
  const words = { environment, layer, context, account };
  const accounts = await finder.accounts();
  ensureSignedIn(account, accounts);
  const known = finder.named(words);
  // The platform may have a project that wasn't used here, and other accounts may have one of the same name.
  const isSure = known.length > 0 && (account !== undefined || accounts.length === 1);
  const { places, failures } = isSure
    ? { places: known, failures: [] }
    : await finder.all((one) => fitsWords(one, words));
  const found = places.filter((one) => fitsWords(one, words));
  ensureNoneMissed(account, found, failures);
  const [place, ...others] = found;
  if (place === undefined) {
    throw new ExpectedError(
      l10n.t("Couldn't find project {0} on {1}. Add it in the Deployments view.", context, environment),
    );
  }
  if (others.length > 0) {
    throw new ExpectedError(severalSentence([place, ...others]));
  }
  return place;
}

/** Explains what the task must specify. */
function severalSentence(places: readonly [ProjectPlace, ...ProjectPlace[]]): string {
  const [{ environment, context }] = places;
  const isOneAccount = new Set(places.map(({ account }) => account)).size === 1;
  const key = isOneAccount ? 'layer' : 'account';
  const names = namesText(
    key,
    places.map((place) => place[key]),
  );
  return isOneAccount
    ? l10n.t(
        'Several layers of {1} have a project named {0}. Specify the layer in the task: {2}',
        ...[context, environment, names],
      )
    : l10n.t(
        'Several accounts have a project named {0} on {1}. Specify the account in the task: {2}',
        ...[context, environment, names],
      );
}
