import { projectText } from '../projectText';
import type { EnvironmentTitles } from '../../containers/locationText';
import { l10n, QuickPickItemKind } from 'vscode';
import { askInTurn, type Entered, type Question } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { formatRelativeTime } from '../../ui/relativeTime';
import { withCancelableRead } from '../../ui/progress';
import { suggestionQuestion } from '../../ui/suggestionPrompt';
import { short } from '../deployedState/gitHeadLog';
import type { NodeInspector } from '../deployedState/nodeInspector';
import type { DeployHistory } from '../history/deployHistory';
import type { ProjectPlace } from '../projectPlace';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalCommit, LocalRepository } from '../repositories/localRepository';
import { problemWith } from '../settings/fieldChanges';
import type { ProjectFields } from '../settings/projectFields';
import { fieldsFromAnswers, questionsFor } from '../settings/settingsPrompts';
import { gitOff } from './redeployPreflight';
import { changesOf, commitsOnNodes, type DeployRecord } from './redeployResult';
import type { GitExtensionState } from '../repositories/gitExtension';
import { manageWorkspaceTrust } from '../repositories/trustPrompt';

export interface RollBackPromptDeps {
  readonly inspector: Pick<NodeInspector, 'heads'>;
  readonly history: DeployHistory;
  readonly repositories: LocalRepositories;
  readonly environments: EnvironmentTitles;
}

/** Answers that aren't a commit. */
const newest = 'newest';
const otherBranch = 'branch';
const manageTrust = 'trust';

/** Asks which commit to deploy, of this branch or another one, and returns the settings for it. */
export async function askRollbackTarget(
  place: ProjectPlace,
  fields: ProjectFields,
  { inspector, history, repositories, environments }: RollBackPromptDeps,
): Promise<ProjectFields | undefined> {
  await repositories.ready;
  const repository = fields.type === 'SVN' ? undefined : repositories.withAddress(fields.url);
  const branches = (await repository?.branchesOf(fields.url)) ?? [];
  const suggestions = { repositories: [], branchesOf: () => branches.filter((name) => name !== fields.branch) };
  const records = await history.of(place);
  // Someone else may have deployed after this computer's last redeploy.
  const heads = await withCancelableRead(l10n.t('Checking deployed commit'), () => inspector.heads({ place }));
  const isSubversion = fields.type === 'SVN';
  const deployed = commitsOnNodes(isSubversion ? (records[0]?.nodes ?? []) : changesOf([], heads));
  const git = gitOff(fields, repositories);
  const state = stateQuestion(fields, await statesOf(fields, { records, deployed, repository, git }));
  const zdt = missingQuestions(fields);
  const entered = await askInTurn(l10n.t('Roll Back {0}', projectText(place, environments)), (soFar) => {
    const { branch = '' } = soFar;
    const other = questionsFor('branch', { ...fields, branch: '' }, { suggestions, rules: {}, of: 'existing' });
    const ofBranch = branches.includes(branch) ? [commitQuestion({ ...fields, branch }, repository)] : [];
    return soFar['state'] === manageTrust
      ? [state]
      : [state, ...(soFar['state'] === otherBranch ? [...other, ...ofBranch] : []), ...zdt];
  });
  if (entered?.['state'] === manageTrust) {
    await manageWorkspaceTrust();
    return undefined;
  }
  return entered && fieldsFromAnswers('zdt', { ...fields, ...targetIn(entered) }, entered);
}

/** Asks for the settings that a change requires and the platform didn't return. Returns them with the others. */
export async function askMissingSettings(
  place: ProjectPlace,
  fields: ProjectFields,
  { environments }: Pick<RollBackPromptDeps, 'environments'>,
): Promise<ProjectFields | undefined> {
  const title = l10n.t('Deploy Newest Commit of {0}', projectText(place, environments));
  const entered = await askInTurn(title, missingQuestions(fields));
  return entered && fieldsFromAnswers('zdt', fields, entered);
}

/** EditProject requires zero-downtime deployment, but not every platform returns it. */
function missingQuestions(fields: ProjectFields): readonly Question[] {
  const suggestions = { repositories: [], branchesOf: () => [] };
  return fields.zdt === undefined ? questionsFor('zdt', fields, { suggestions, rules: {}, of: 'existing' }) : [];
}

function targetIn(entered: Entered): Partial<ProjectFields> {
  const { state = newest, branch = '' } = entered;
  const hashIn = (answer = newest) => (answer === newest ? '' : answer);
  return state === otherBranch ? { branch, repoHash: hashIn(entered[commitKey(branch)]) } : { repoHash: hashIn(state) };
}

/** Each branch has its own answer, so that going back to another branch doesn't keep a commit of this one. */
const commitKey = (branch: string): string => `commit of ${branch}`;

function stateQuestion(fields: ProjectFields, choices: readonly Choice[]): Question {
  return suggestionQuestion({
    key: 'state',
    prompt:
      fields.type === 'SVN'
        ? l10n.t('Select a revision to deploy, or enter a revision number')
        : l10n.t('Select a commit to deploy, or enter a commit hash'),
    choices,
    typed: (text) => typedCommit(text, fields),
  });
}

/** Asks for a commit of another branch. */
function commitQuestion(fields: ProjectFields, repository: LocalRepository | undefined): Question {
  const key = commitKey(fields.branch);
  return {
    kind: 'own',
    key,
    ask: async (frame) => {
      const commits = (await repository?.commitsOf(fields)) ?? [];
      const choices = [newestChoice(fields), ...commits.map((commit) => commitChoice(commit))];
      const prompt = l10n.t('Select a commit on {0} to deploy, or enter a commit hash', fields.branch);
      return suggestionQuestion({ key, prompt, choices, typed: (text) => typedCommit(text, fields) }).ask(frame);
    },
  };
}

function typedCommit(text: string, fields: ProjectFields): readonly Choice[] | string {
  const problem = problemWith('repoHash', { ...fields, repoHash: text }, {});
  if (problem !== undefined) {
    return problem;
  }
  const label = fields.type === 'SVN' ? l10n.t('Deploy revision {0}', text) : l10n.t('Deploy commit {0}', text);
  return [{ label, icon: 'arrow-right', value: text }];
}

interface KnownStates {
  /** The redeploys from this computer, the latest first. */
  readonly records: readonly DeployRecord[];
  /** What all nodes have now, if that's known. */
  readonly deployed: string | undefined;
  readonly repository: LocalRepository | undefined;
  /** Why there is no local repository, if Gantry can't use Git. */
  readonly git: GitExtensionState | undefined;
}

/** What was deployed earlier, the branch's commits in the local repository, and the choice of another branch. */
async function statesOf(
  fields: ProjectFields,
  { records, deployed, repository, git }: KnownStates,
): Promise<readonly Choice[]> {
  const earlier = deployedBefore(records, deployed);
  const known = await repository?.find(
    earlier.map(({ commit }) => commit),
    fields,
  );
  const before = earlier.map(({ commit, when }): Choice => {
    const subject = known?.get(commit)?.subject;
    // A Subversion revision is recorded as `r17`.
    const value = fields.type === 'SVN' ? commit.replace(/^r/, '') : commit;
    return subject === undefined
      ? { label: short(commit), icon: 'history', description: when, value }
      : { label: subject, icon: 'history', description: `${short(commit)} · ${when}`, value };
  });
  const commits = ((await repository?.commitsOf(fields)) ?? []).filter(
    ({ hash }) => !earlier.some(({ commit }) => commit === hash),
  );
  return [
    // The way back from an earlier commit.
    ...(fields.repoHash === '' ? [] : [newestChoice(fields)]),
    ...below(l10n.t('deployed earlier'), before),
    ...below(
      fields.type === 'SVN' ? '' : l10n.t('branch {0}', fields.branch),
      commits.map((commit) => commitChoice(commit, deployed)),
    ),
    ...(fields.type === 'SVN'
      ? []
      : below(l10n.t('other branches'), [{ label: l10n.t('Select Branch…'), icon: 'git-branch', value: otherBranch }])),
    ...(git === 'untrusted' ? below('', [trustChoice()]) : []),
  ];
}

function below(heading: string, choices: readonly Choice[]): readonly Choice[] {
  return choices.length === 0 ? [] : [{ label: heading, kind: QuickPickItemKind.Separator, value: '' }, ...choices];
}

/** Says why the list has no commits of the repository that's open here, and leads out of Restricted Mode. */
function trustChoice(): Choice {
  return {
    label: l10n.t('Manage Workspace Trust'),
    icon: 'shield',
    detail: l10n.t("In Restricted Mode, Gantry can't list a local repository's commits or their subjects."),
    value: manageTrust,
  };
}

function newestChoice({ type, branch }: ProjectFields): Choice {
  const label = type === 'SVN' ? l10n.t('Newest revision') : l10n.t('Newest commit on {0}', branch);
  return { label, icon: 'arrow-up', value: newest };
}

function commitChoice({ hash, subject, at }: LocalCommit, deployed?: string): Choice {
  const words = [
    short(hash),
    ...(at === undefined ? [] : [formatRelativeTime(at)]),
    ...(hash === deployed ? [l10n.t('currently deployed')] : []),
  ];
  return { label: subject, icon: 'git-commit', description: words.join(' · '), value: hash };
}

/** The commits that the nodes had before and after each redeploy and don't have now, the latest first. */
function deployedBefore(records: readonly DeployRecord[], deployed: string | undefined) {
  const seen = records.flatMap(({ nodes, startedAt }) => {
    const at = formatRelativeTime(startedAt);
    const after = nodes.map((node) => ({ commit: node.after, when: l10n.t('deployed {0}', at) }));
    const before = nodes.map((node) => ({ commit: node.before, when: l10n.t('deployed until {0}', at) }));
    return [...after, ...before].flatMap(({ commit, when }) =>
      commit === undefined || commit === deployed ? [] : [{ commit, when }],
    );
  });
  return seen.filter(({ commit }, index) => seen.findIndex((other) => other.commit === commit) === index);
}
