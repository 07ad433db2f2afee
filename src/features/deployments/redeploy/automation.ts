import { l10n } from 'vscode';
import { ensureNoneMissed, ensureSignedIn, namesText } from '../../../containers/namedContainer';
import type { FeatureApis, ProjectNames } from '../../../featureApis';
import { Canceled, isCanceled } from '../../../platform/errors';
import { ExpectedError } from '../../../ui/expectedError';
import type { TaskRun } from '../../../ui/taskTerminal';
import { stateText } from '../deployedState/stateTexts';
import type { DeploymentParts } from '../parts';
import { matchesNames, type ProjectFinder } from '../projectFinder';
import { placeOfProject, type ProjectPlace } from '../projectPlace';
import { gitProblemText, projectText } from '../projectText';
import { withoutSecret } from '../repositories/repositoryUrl';
import { severityOf } from '../results';
import { askBeforeRedeploy, confirmRedeploy, type Decision, plainly, redeployQuestion } from './ask';
import type { RedeployPlan } from './plan';
import type { NodeChange } from './redeployResult';
import { redeployMessage, sectionText } from './redeployResultText';
import { isAtStake, linesAtStake, summaryOf } from './stakes';

type RedeployTask = Parameters<FeatureApis['deployments']['redeployTask']>[0];

/**
 * Redeploys for a build. Reports in lines, and answers `deployed` only if it is. Stopping the task prevents a redeploy
 * that hasn't started.
 */
export function redeployAsTask({ finder, lock, flow, environments }: DeploymentParts) {
  return async (task: RedeployTask, run: TaskRun): Promise<'deployed' | 'notDeployed'> => {
    const { say } = run;
    const place = await placeOf(task, finder);
    say(l10n.t('Redeploying {0}…', projectText(place, environments)));
    const gitProblem = await flow.gitProblem(place);
    if (gitProblem !== undefined) {
      say(gitProblemText(gitProblem));
    }
    const request = { place, nodeId: task.node, delay: task.delay, consent: 'byTask' } as const;
    // One that is running may have started before the build pushed its commits.
    if (await lock.wait(place, run)) {
      const decide = (plan: RedeployPlan) => decideForTask(plan, task.onDataLoss, say);
      const ended = await flow.perform(request, decide, { task: run }).catch(ifCanceled);
      if (ended?.kind === 'ended') {
        const { record } = ended;
        [record.log, ...(record.logsBeside ?? []).map(sectionText)].forEach(say);
        say(redeployMessage(record, environments));
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

/** Decides for a task, which asks only about production, unless it asks about everything. */
async function decideForTask(
  plan: RedeployPlan,
  onDataLoss: 'ask' | 'stop' | 'continue',
  say: (line: string) => void,
): Promise<Decision | undefined> {
  if (isAtStake(plan)) {
    say(summaryOf(plan));
  }
  if (onDataLoss === 'ask') {
    return askBeforeRedeploy(plan);
  }
  // That a branch was gone at the last redeploy may no longer be true, and nothing is lost by trying.
  const wedged = plan.wedged.filter(({ goneBranch }) => goneBranch === undefined);
  if (onDataLoss === 'stop' && isAtStake({ ...plan, wedged })) {
    return undefined;
  }
  // `onDataLoss` is about edits. It doesn't agree to a redeploy in production.
  const isAgreed = !plan.mustConfirm || (await confirmRedeploy(plan));
  return isAgreed ? { ...plainly, discardsLaterEdits: onDataLoss === 'continue' } : undefined;
}

async function placeOf(task: RedeployTask, finder: ProjectFinder): Promise<ProjectPlace> {
  const { environment, layer, context, account } = task;
  const words = { environment, layer, context, account };
  const accounts = await finder.accounts();
  ensureSignedIn(account, accounts);
  const known = finder.named(words);
  // The platform may have a project that wasn't used here, perhaps on another layer, and other accounts may have one of the
  // same name.
  const isSure = known.length > 0 && layer !== undefined && (account !== undefined || accounts.length === 1);
  const all = isSure ? { places: known, failures: [] } : await finder.all((one) => matchesNames(one, words));
  const [place, ...others] = fitting(words, all);
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

/** The projects that are meant. Fails if there may be one that couldn't be listed. */
function fitting(
  words: ProjectNames,
  { places, failures }: Awaited<ReturnType<ProjectFinder['all']>>,
): readonly ProjectPlace[] {
  const found = places.filter((place) => matchesNames(place, words));
  ensureNoneMissed(words.account, found, failures);
  return found;
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
        context,
        environment,
        names,
      )
    : l10n.t(
        'Several accounts have a project named {0} on {1}. Specify the account in the task: {2}',
        context,
        environment,
        names,
      );
}

const outcomes = { success: 'deployed', warning: 'unverified', error: 'failed' } as const;

/** What tools of language models read, and how they redeploy. */
export function projectsForTools({ finder, projects, deployedStates, redeploys, flow, environments }: DeploymentParts) {
  const describeOne = async (place: ProjectPlace) => {
    const results = await deployedStates.look(place);
    const { url, branch } = (await projects.lastOrRead(place)).settings;
    return [
      JSON.stringify({ ...namesOf(place), branch, repository: url && withoutSecret(url) }),
      ...deployedStates.lastNodes(place).map(nodeLine),
      ...results.map((result) => stateText(result).sentence),
    ];
  };
  return {
    async describe(words: ProjectNames): Promise<readonly string[]> {
      const all = await finder.all((place) => matchesNames(place, words));
      return (await Promise.all(fitting(words, all).map((place) => describeOne(placeOfProject(place))))).flat();
    },
    /** @param words.accounts those that the person lets tools read */
    async find({ accounts, ...words }: ProjectNames & { readonly accounts: readonly string[] }): Promise<ProjectPlace> {
      const isReadable = ({ account }: ProjectPlace) => accounts.includes(account);
      const { places: all, failures } = await finder.all((one) => isReadable(one) && matchesNames(one, words));
      const places = all.filter(isReadable);
      const missed = failures.filter(({ account }) => accounts.includes(account.slug));
      const [place, ...others] = fitting(words, { places, failures: missed });
      if (place === undefined) {
        throw new ExpectedError(
          places.length === 0
            ? l10n.t('No environment has a project. Ask the user to create one.')
            : l10n.t("That project doesn't exist. These exist: {0}", listOf(places)),
        );
      }
      if (others.length > 0) {
        throw new ExpectedError(l10n.t('Several projects match. Specify one: {0}', listOf([place, ...others])));
      }
      return placeOfProject(place);
    },
    async outlook(place: ProjectPlace) {
      return outlookOf(await flow.plan({ place, consent: 'byTool' }));
    },
    /** @param options.signal prevents the redeploy if it's aborted before the Update is sent */
    async redeploy(place: ProjectPlace, options: ToolOptions) {
      if (redeploys.running(place) !== undefined) {
        throw new ExpectedError(l10n.t('{0} is already being redeployed. Try again later.', place.context));
      }
      let before: readonly string[] = [];
      const decide = (plan: RedeployPlan) => {
        before = outlookOf(plan).paragraphs.flatMap((text) => (text === undefined || text === '' ? [] : text));
        return decideForTool(plan, options);
      };
      const ended = await flow.perform({ place, consent: 'byTool' }, decide, options);
      switch (ended.kind) {
        case 'ended': {
          const { record } = ended;
          const lines = [...before, redeployMessage(record, environments), ...record.nodes.map(nodeLine)];
          return { outcome: outcomes[severityOf(record.verdict)], lines };
        }
        case 'joined':
          throw new ExpectedError(
            l10n.t('Another redeploy of {0} started first. Check the deployed commit.', place.context),
          );
        case 'declined':
          if (options.signal.aborted) {
            throw new Canceled('Update', { isOutcomeUnknown: false });
          }
          throw new ExpectedError(ended.why ?? l10n.t("Nothing was redeployed. Check the project's state."));
      }
    },
  };
}

/** What a language model's tool is about to do, as texts that a person can see before. */
function outlookOf(plan: RedeployPlan) {
  const { question, paragraphs } = redeployQuestion(plan);
  const { type, url, branch, repoHash, autoResolveConflict } = plan.project.settings;
  return {
    question,
    paragraphs: [...paragraphs, ...linesAtStake(plan)],
    settings: { type, url, branch, repoHash, autoResolveConflict },
  };
}

interface ToolOptions {
  /** Whether a person has seen that this would happen. */
  readonly isAsShown: (outlook: ReturnType<typeof outlookOf>) => boolean;
  /** Rejects if tools may not do that anymore. */
  readonly demand: () => void;
  readonly signal: AbortSignal;
}

/** Decides for a tool. People can have VS Code confirm tools by itself, but not what would be lost, and not for production. */
async function decideForTool(plan: RedeployPlan, { isAsShown, demand }: ToolOptions): Promise<Decision | string> {
  if (!isAsShown(outlookOf(plan))) {
    return l10n.t('Nothing was redeployed: the state has changed since the user confirmed. Call the tool again.');
  }
  const isHarmless = plan.production === undefined && !isAtStake(plan);
  const decision = isHarmless ? plainly : await askBeforeRedeploy(plan);
  demand();
  return decision ?? l10n.t("Nothing was redeployed: the user didn't agree. Ask them before you try again.");
}

function nodeLine({ name, nodeId, before, after, unreadable }: NodeChange): string {
  const now = unreadable ?? after ?? l10n.t('no commit');
  return `${name} (${nodeId ?? '-'}): ${before === undefined || before === after ? now : `${before} → ${now}`}`;
}

const mostNamed = 50;

function listOf(places: readonly ProjectPlace[]): string {
  return places
    .slice(0, mostNamed)
    .map((place) => JSON.stringify(namesOf(placeOfProject(place))))
    .join(', ');
}

/** The names that a tool's input has. */
function namesOf({ context, ...rest }: ProjectPlace) {
  return { ...rest, project: context };
}
