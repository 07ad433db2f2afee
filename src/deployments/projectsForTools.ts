import { l10n } from 'vscode';
import type { EnvironmentTitles } from '../containers/locationText';
import { ensureNoneMissed } from '../containers/namedContainer';
import { Canceled } from '../platform/errors';
import { ExpectedError } from '../ui/expectedError';
import type { DeployedStates } from './deployedState/deployedStates';
import { fitsWords, type ProjectFinder, type ProjectWords } from './projectFinder';
import { placeOfProject, type ProjectPlace } from './projectPlace';
import type { Projects } from './projects';
import { severityOf } from './results';
import { stateText } from './deployedState/stateTexts';
import type { RedeployFlow } from './redeploy/redeploy';
import type { RedeployPlan } from './redeploy/plan';
import { type ConfirmRedeploy, confirmRedeploy, redeployQuestion } from './redeploy/ask';
import { linesAtStake } from './redeploy/stakes';
import type { DeployRecord, NodeChange } from './redeploy/redeployResult';
import { redeployMessage } from './redeploy/redeployResultText';
import type { Redeploys, RunningRedeploy } from './redeploy/redeploys';
import { withoutSecret } from './repositories/repositoryUrl';

interface ProjectsForToolsDeps {
  readonly finder: ProjectFinder;
  readonly projects: Projects;
  readonly deployedStates: DeployedStates;
  readonly redeploys: Redeploys;
  readonly flow: RedeployFlow;
  readonly environments: EnvironmentTitles;
}

interface RedeployOptions {
  readonly discardEdits: boolean;
  /** Prevents the redeploy if it's aborted before the redeploy starts. */
  readonly signal: AbortSignal;
  /** Whether a person has seen that this would happen. */
  readonly isAsShown: (outlook: ReturnType<typeof outlookOf>) => boolean;
}

const outcomes = { success: 'deployed', warning: 'unverified', error: 'failed' } as const;

/** What the tools for language models do with projects. */
export function projectsForTools({
  finder,
  projects,
  deployedStates,
  redeploys,
  flow,
  environments,
}: ProjectsForToolsDeps) {
  const list = async (words: ProjectWords) => {
    const { places, failures } = await finder.all();
    const found = places.filter((place) => fitsWords(place, words)).map(placeOfProject);
    ensureNoneMissed(words.account, found, failures);
    if (found.length === 0) {
      throw missing(places);
    }
    return found;
  };
  const only = async (words: ProjectWords) => {
    const [place, ...others] = await list(words);
    if (place === undefined || others.length > 0) {
      throw new ExpectedError(
        l10n.t(
          'Several projects match. Specify one: {0}',
          namesOf([...(place === undefined ? [] : [place]), ...others]),
        ),
      );
    }
    return place;
  };
  return {
    list,
    async describe(words: ProjectWords): Promise<readonly string[]> {
      const place = await only(words);
      const results = await deployedStates.look(place);
      const { url, branch } = (await projects.lastOrRead(place)).settings;
      return [
        JSON.stringify({ ...place, branch, repository: url && withoutSecret(url) }),
        ...deployedStates.lastNodes(place).map(nodeLine),
        ...results.map((result) => stateText(result).sentence),
      ];
    },
    async outlook(words: ProjectWords) {
      return outlookOf(await flow.plan({ place: await only(words), consent: 'byTool' }));
    },
    async redeploy(words: ProjectWords, options: RedeployOptions) {
      const place = await only(words);
      if (redeploys.running(place) !== undefined) {
        throw new ExpectedError(l10n.t('{0} is already being redeployed. Try again later.', place.context));
      }
      let refusal: string | undefined;
      const decide: ConfirmRedeploy = async (plan) => {
        refusal = await refusalOf(plan, options);
        return refusal === undefined ? { push: false, keepPatch: false } : undefined;
      };
      let running: RunningRedeploy | undefined;
      const watch = (one: RunningRedeploy) => {
        running = one;
        return one.ended;
      };
      const { signal } = options;
      const record = await flow.perform({ place, consent: 'byTool' }, decide, watch, { signal });
      if (record !== undefined) {
        return { outcome: outcomes[severityOf(record.verdict)], lines: linesOf(record, environments) };
      }
      if (running !== undefined) {
        throw new ExpectedError(
          l10n.t('Another redeploy of {0} started first. Check the deployed commit.', place.context),
        );
      }
      if (signal.aborted) {
        throw new Canceled('Update', { isOutcomeUnknown: false });
      }
      throw new ExpectedError(refusal ?? l10n.t("Nothing was redeployed. Check the project's state."));
    },
  };
}

function outlookOf(plan: RedeployPlan) {
  const { question, paragraphs } = redeployQuestion(plan);
  const { type, url, branch, repoHash, autoResolveConflict } = plan.project.settings;
  return {
    question,
    paragraphs: [...paragraphs, ...linesAtStake(plan)],
    settings: { type, url, branch, repoHash, autoResolveConflict },
  };
}

/** Returns why not to redeploy, as a sentence. */
async function refusalOf(
  plan: RedeployPlan,
  { discardEdits, isAsShown }: RedeployOptions,
): Promise<string | undefined> {
  const { edits, editsUnchecked, production } = plan;
  if (!isAsShown(outlookOf(plan))) {
    return l10n.t('Nothing was redeployed: the state has changed since the user confirmed. Call the tool again.');
  }
  if (!discardEdits && (editsUnchecked !== undefined || edits.some(({ fate }) => fate !== 'stops'))) {
    const lines = linesAtStake(plan).join('; ');
    return l10n.t(
      'Nothing was redeployed: edits on the nodes would be lost. If the user agrees, set discardEdits. {0}',
      editsUnchecked ?? lines,
    );
  }
  return production === undefined || (await confirmRedeploy(plan))
    ? undefined
    : l10n.t("Nothing was redeployed: the user didn't agree to change a production environment.");
}

function linesOf(record: DeployRecord, titles: EnvironmentTitles): readonly string[] {
  return [redeployMessage(record, titles), ...record.nodes.map(nodeLine)];
}

function nodeLine({ name, nodeId, before, after, unreadable }: NodeChange): string {
  const now = unreadable ?? after ?? l10n.t('no commit');
  return `${name} (${nodeId ?? '-'}): ${before === undefined || before === after ? now : `${before} → ${now}`}`;
}

function missing(places: readonly ProjectPlace[]): ExpectedError {
  return new ExpectedError(
    places.length === 0
      ? l10n.t('No environment has a project.')
      : l10n.t("That project doesn't exist. These exist: {0}", namesOf(places)),
  );
}

/** The most projects that an error names. */
const mostNamed = 50;

function namesOf(places: readonly ProjectPlace[]): string {
  return places
    .slice(0, mostNamed)
    .map((place) => JSON.stringify(placeOfProject(place)))
    .join(', ');
}
