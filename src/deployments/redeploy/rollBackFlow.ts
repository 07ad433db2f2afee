import { l10n } from 'vscode';
import { type DeployRecord, commitsOnNodes } from './redeployResult';
import { short } from '../deployedState/gitHeadLog';
import { changedFields, fieldsOf, type ProjectFields } from '../settings/projectFields';
import type { ProjectPlace } from '../projectPlace';
import { type RedeployFlow, watchRedeploy } from './redeployFlow';
import { waitForProjectLock } from '../projectLockPrompt';
import {
  changeLines,
  saveSettings,
  type SaveSettingsDeps,
  checkSettingsChange,
  type CheckedSettingsChange,
} from '../settings/saveSettingsFlow';
import { showWarningMessage } from '../../ui/notifications';
import type { DeployHistory } from '../history/deployHistory';
import { noRules, problemWith } from '../settings/fieldProblems';
import { problemSentence } from '../settings/fieldText';
import type { LocalRepositories } from '../repositories/localRepositories';
import { askInTurn, type Choice, type Entered, type Question } from '../../ui/prompts';
import { fieldsFromAnswers, questionsFor } from '../settings/settingsPrompts';

export interface RollBackDeps extends RollBackPromptDeps, SaveSettingsDeps {
  readonly flow: RedeployFlow;
}

/** An Update deploys what the settings say, so going back is a change of the settings and an Update after it. */
export async function rollBack(place: ProjectPlace, parts: RollBackDeps): Promise<void> {
  const { projects, setHere, flow, turns } = parts;
  if (!(await waitForProjectLock(place, turns))) {
    return;
  }
  const { settings } = await projects.read(place);
  const base = fieldsOf(place.context, settings, await setHere.of(place));
  const fields = await askRollbackTarget(place, base, parts);
  const wish = fields && (await checkSettingsChange({ place, base, fields }, parts));
  if (wish === undefined || !(await confirm(wish)) || !(await flow.mayTakeEdits({ place }))) {
    return;
  }
  if (changedFields(wish.base, wish.fields).length > 0 && (await saveSettings(wish, parts)) === undefined) {
    return;
  }
  // What is older on purpose is no work that would be missed, and of the edits the person has decided.
  const goOn = () => Promise.resolve({ push: false, keepPatch: false });
  const record = await flow.perform({ place }, goOn, watchRedeploy);
  if (record === undefined) {
    return;
  }
  if (isElsewhere(record, wish.fields)) {
    await tellElsewhere(record, wish, parts);
  } else {
    await flow.showResult(record);
  }
}

/** The platform deployed something else than the commit that was asked for. */
function isElsewhere({ verdict, nodes }: DeployRecord, { type, repoHash }: ProjectFields): boolean {
  const stands = commitsOnNodes(nodes);
  return (
    type === 'GIT' &&
    repoHash !== '' &&
    (verdict.kind === 'deployed' || verdict.kind === 'answerLost') &&
    stands !== undefined &&
    !stands.startsWith(repoHash.toLowerCase())
  );
}

async function tellElsewhere({ nodes }: DeployRecord, wish: CheckedSettingsChange, parts: RollBackDeps): Promise<void> {
  const wanted = short(wish.fields.repoHash);
  const text = l10n.t(
    'The platform took the setting, but deployed {0} and not {1}: it deploys the newest commit of a branch. Make a branch at {1}, push it, and choose that branch.',
    short(commitsOnNodes(nodes) ?? ''),
    wanted,
  );
  const undo = l10n.t('Take the Setting Back');
  if ((await showWarningMessage(text, undo)) === undo) {
    // Where the platform did not say it, the person did.
    const fields = { ...wish.base, zdt: wish.base.zdt ?? wish.fields.zdt };
    await saveSettings({ place: wish.place, base: wish.fields, fields }, parts);
  }
}

async function confirm({ place, base, fields, warnings }: CheckedSettingsChange): Promise<boolean> {
  const go = l10n.t('Go Back');
  const lines = [
    ...changeLines(base, fields),
    '',
    fields.repoHash === ''
      ? l10n.t('The newest commit of {0} is deployed.', fields.branch)
      : l10n.t('The project stays at {0} until it is set to the newest commit again.', short(fields.repoHash)),
    l10n.t('The settings are changed first, then it is redeployed. Databases and uploaded files stay as they are.'),
    ...warnings.flatMap((warning) => ['', warning]),
  ];
  const text = l10n.t('Deploy another state of {0} on {1}?', place.context, place.environment);
  return (await showWarningMessage(text, { modal: true, detail: lines.join('\n') }, go)) === go;
}

export interface RollBackPromptDeps {
  readonly history: DeployHistory;
  readonly repositories: LocalRepositories;
}

const noOffers = { addresses: [], branchesOf: () => [] };

/** Asks which commit or branch shall be deployed, and answers the settings that say so. */
export async function askRollbackTarget(
  place: ProjectPlace,
  fields: ProjectFields,
  parts: RollBackPromptDeps,
): Promise<ProjectFields | undefined> {
  const states = await statesOf(place, fields, parts);
  const asking = { offers: noOffers, rules: noRules, of: 'existing' } as const;
  // EditProject demands it, and the platform did not say.
  const zdt = fields.zdt === undefined ? questionsFor('zdt', fields, {}, asking) : [];
  const questions = ({ state }: Entered) => [
    stateQuestion(states),
    ...(state === typed.repoHash ? [typedQuestion('repoHash', fields)] : []),
    ...(state === typed.branch ? [typedQuestion('branch', fields)] : []),
    ...zdt,
  ];
  const entered = await askInTurn(l10n.t('Go Back to an Earlier State'), questions);
  return entered && fieldsFromAnswers('zdt', inState(fields, entered), entered);
}

/** What is chosen is told by these words, with the branch or the commit behind the first two. */
const onBranch = 'branch ';
const atCommit = 'commit ';
const typed = { repoHash: 'typed commit', branch: 'typed branch' } as const;

function inState(fields: ProjectFields, { state = '', ...entered }: Entered): ProjectFields {
  if (state === typed.branch) {
    return { ...fields, branch: (entered['branch'] ?? '').trim(), repoHash: '' };
  }
  if (state.startsWith(onBranch)) {
    return { ...fields, branch: state.slice(onBranch.length), repoHash: '' };
  }
  return {
    ...fields,
    repoHash: state === typed.repoHash ? (entered['repoHash'] ?? '').trim() : state.slice(atCommit.length),
  };
}

function stateQuestion(choices: readonly Choice[]): Question {
  return { kind: 'choice', key: 'state', prompt: l10n.t('What shall be deployed?'), choices };
}

function typedQuestion(name: 'repoHash' | 'branch', fields: ProjectFields): Question {
  return {
    key: name,
    prompt: name === 'branch' ? l10n.t('The branch to deploy') : l10n.t('The commit or revision to deploy'),
    problem: (text) => {
      const problem = problemWith(name, { ...fields, [name]: text.trim() }, noRules);
      return problem === undefined ? undefined : problemSentence(problem);
    },
  };
}

/** What stood there before, as the history from here knows it; the branch's newest; other branches; any commit. */
async function statesOf(
  place: ProjectPlace,
  { type, url, branch, repoHash }: ProjectFields,
  { history, repositories }: RollBackPromptDeps,
): Promise<readonly Choice[]> {
  const repository = repositories.withAddress(url);
  const branches = type === 'SVN' ? [] : ((await repository?.branches()) ?? []);
  const commits = (await deployedBefore(place, history)).map(async ({ commit, until }): Promise<Choice> => ({
    label: `$(git-commit) ${short(commit)}`,
    description: (await repository?.subject(commit)) ?? '',
    detail: l10n.t('deployed until {0}', new Date(until).toLocaleString()),
    value: atCommit + commit,
  }));
  const others = branches.filter((name) => name !== branch);
  return [
    ...(await Promise.all(commits)),
    ...(repoHash === '' ? [] : [{ label: newestLabel(type, branch), value: onBranch + branch }]),
    ...others.map((name) => ({
      label: `$(git-branch) ${name}`,
      description: l10n.t('another branch'),
      value: onBranch + name,
    })),
    ...(type === 'SVN'
      ? [{ label: l10n.t('$(edit) A revision by its number…'), value: typed.repoHash }]
      : [
          { label: l10n.t('$(edit) A commit by its hash…'), value: typed.repoHash },
          { label: l10n.t('$(edit) Another branch by its name…'), value: typed.branch },
        ]),
  ];
}

function newestLabel(type: ProjectFields['type'], branch: string): string {
  return type === 'SVN'
    ? l10n.t('$(arrow-up) The newest revision again')
    : l10n.t('$(arrow-up) The newest commit of {0} again', branch);
}

/** Each commit that stood there and does not stand there now, the latest first. */
async function deployedBefore(
  place: ProjectPlace,
  history: DeployHistory,
): Promise<readonly { readonly commit: string; readonly until: number }[]> {
  const records = await history.of(place);
  const stands = records[0] === undefined ? undefined : commitsOnNodes(records[0].nodes);
  const seen = records.flatMap(({ nodes, startedAt }) =>
    nodes.flatMap(({ before, after }) =>
      before === undefined || before === after || before === stands ? [] : [{ commit: before, until: startedAt }],
    ),
  );
  return seen.filter(({ commit }, index) => seen.findIndex((other) => other.commit === commit) === index);
}
