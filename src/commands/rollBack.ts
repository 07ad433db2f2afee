import { l10n, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { DeployHistory } from '../projects/deployHistory';
import type { LocalRepositories } from '../projects/localRepositories';
import { problemWith } from '../projects/fieldProblems';
import { problemSentence } from '../projects/fieldWords';
import { short } from '../projects/headLog';
import { fieldsOf, type ProjectFields } from '../projects/projectFields';
import type { ProjectPlace } from '../projects/projectPlace';
import type { Projects } from '../projects/projects';
import type { ProjectWork } from '../projects/projectWork';
import type { SetHereStore } from '../projects/setHereStore';
import { standingOn } from '../projects/verdict';
import { askInTurn, type Choice, type Question } from '../ui/prompts';
import { withProgress } from '../ui/progress';
import type { RedeployFlow } from './redeployFlow';
import { watchRedeploy } from './redeployProgress';

export interface RollBackParts {
  readonly accounts: Accounts;
  readonly projects: Projects;
  readonly work: ProjectWork;
  readonly setHere: SetHereStore;
  readonly history: DeployHistory;
  readonly repositories: LocalRepositories;
  readonly flow: RedeployFlow;
}

const newest = 'newest';
const typedCommit = 'typed';

/** An Update deploys what the settings say, so going back is a change of the settings and an Update after it. */
export async function rollBack(place: ProjectPlace, parts: RollBackParts): Promise<void> {
  const { projects, setHere, work, flow } = parts;
  const { settings } = await projects.read(place);
  const before = fieldsOf(place.context, settings, await setHere.of(place));
  const after = await askWhere(before, await earlier(place, before, parts));
  if (after === undefined || !(await confirm(place, before, after))) {
    return;
  }
  const withZdt = { ...after, zdt: after.zdt ?? false };
  await withProgress(l10n.t('Changing {0}…', place.context), () => work.edit(place, before, withZdt));
  // What is older on purpose is no work that would be missed.
  const goOn = () => Promise.resolve({ push: false, keepPatch: false });
  const record = await flow.perform({ place }, goOn, watchRedeploy);
  if (record === undefined) {
    return;
  }
  const stands = standingOn(record.nodes);
  if (record.verdict.kind === 'deployed' && after.repoHash !== '' && stands?.startsWith(after.repoHash) !== true) {
    const text = l10n.t(
      'The platform took the setting, but deployed {0} and not {1}: it deploys the newest commit of a branch. Make a branch at {1}, push it, and choose that branch.',
      short(stands ?? ''),
      short(after.repoHash),
    );
    void window.showWarningMessage(text);
    return;
  }
  await flow.tell(record);
}

async function askWhere(fields: ProjectFields, commits: readonly Choice[]): Promise<ProjectFields | undefined> {
  const where: Question = {
    kind: 'choice',
    key: 'where',
    prompt: l10n.t('What shall be deployed?'),
    choices: [
      ...commits,
      ...(fields.repoHash === ''
        ? []
        : [{ label: l10n.t('$(arrow-up) The newest commit of {0} again', fields.branch), value: newest }]),
      { label: l10n.t('$(edit) A commit by its hash…'), value: typedCommit },
    ],
  };
  const hash: Question = {
    key: 'hash',
    prompt: l10n.t('The commit or revision to deploy'),
    problem: (text) => {
      const problem = problemWith('repoHash', { ...fields, repoHash: text.trim() }, noRules);
      return problem === undefined ? undefined : problemSentence(problem);
    },
  };
  const entered = await askInTurn(l10n.t('Go Back to an Earlier State'), (soFar) =>
    soFar['where'] === typedCommit ? [where, hash] : [where],
  );
  const chosen = entered?.['where'];
  if (entered === undefined || chosen === undefined) {
    return undefined;
  }
  if (chosen.startsWith(branchPrefix)) {
    return { ...fields, branch: chosen.slice(branchPrefix.length), repoHash: '' };
  }
  const repoHash = chosen === typedCommit ? (entered['hash'] ?? '').trim() : chosen;
  return { ...fields, repoHash: chosen === newest ? '' : repoHash };
}

const branchPrefix = 'branch ';
const noRules = { contextPattern: undefined, singleContext: false };

/** What stood there before, as the history from here knows it, and other branches. */
async function earlier(
  place: ProjectPlace,
  { url, branch }: ProjectFields,
  { history, repositories }: RollBackParts,
): Promise<readonly Choice[]> {
  const records = await history.of(place);
  const seen = new Map(
    records.flatMap(({ nodes, startedAt }) =>
      nodes.flatMap(({ before }) => (before === undefined ? [] : [[before, startedAt] as const])),
    ),
  );
  const stands = records[0] === undefined ? undefined : standingOn(records[0].nodes);
  const repository = repositories.withAddress(url);
  const commits = await Promise.all(
    [...seen]
      .filter(([commit]) => commit !== stands)
      .map(async ([commit, until]): Promise<Choice> => ({
        label: `$(git-commit) ${short(commit)}`,
        description: (await repository?.subject(commit)) ?? '',
        detail: l10n.t('deployed until {0}', new Date(until).toLocaleString()),
        value: commit,
      })),
  );
  const branches = (await repository?.branches()) ?? [];
  return [
    ...commits,
    ...branches
      .filter((name) => name !== branch)
      .map((name): Choice => ({ label: `$(git-branch) ${name}`, value: `${branchPrefix}${name}` })),
  ];
}

async function confirm({ context, environment }: ProjectPlace, before: ProjectFields, after: ProjectFields) {
  const go = l10n.t('Go Back');
  const what =
    after.branch === before.branch
      ? after.repoHash === ''
        ? l10n.t('The newest commit of {0} is deployed.', after.branch)
        : l10n.t('The project is pinned to {0} until it is set to the newest commit again.', short(after.repoHash))
      : l10n.t('Branch: {0} → {1}', before.branch, after.branch);
  const note = l10n.t(
    'The settings are changed first, then it is redeployed. Databases and uploaded files stay as they are.',
  );
  const text = l10n.t('Deploy another state of {0} on {1}?', context, environment);
  return (await window.showWarningMessage(text, { modal: true, detail: `${what}\n${note}` }, go)) === go;
}
