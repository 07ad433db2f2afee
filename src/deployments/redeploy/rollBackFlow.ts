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
import { confirm, showWarningMessage } from '../../ui/notifications';
import type { DeployHistory } from '../history/deployHistory';
import { noRules, problemWith } from '../settings/fieldProblems';
import { problemSentence } from '../settings/fieldText';
import type { LocalRepositories } from '../repositories/localRepositories';
import { askInTurn, type Entered, type Question } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { fieldsFromAnswers, questionsFor } from '../settings/settingsPrompts';

export interface RollBackDeps extends SaveSettingsDeps {
  readonly history: DeployHistory;
  readonly repositories: LocalRepositories;
  readonly flow: RedeployFlow;
}

/** Changes the settings and then redeploys, because an Update always deploys what the settings say. */
export async function rollBack(place: ProjectPlace, deps: RollBackDeps): Promise<void> {
  const { projects, writeOnlySettings, flow, redeploys } = deps;
  if (!(await waitForProjectLock(place, redeploys))) {
    return;
  }
  const { settings } = await projects.read(place);
  const base = fieldsOf(place.context, settings, await writeOnlySettings.of(place));
  const fields = await askRollbackTarget(place, base, deps);
  const change = fields && (await checkSettingsChange({ place, base, fields }, deps));
  if (change === undefined || !(await confirmRollBack(change)) || !(await flow.mayTakeEdits({ place }))) {
    return;
  }
  if (changedFields(change.base, change.fields).length > 0 && (await saveSettings(change, deps)) === undefined) {
    return;
  }
  // Don't ask again: an older version is intended, and the user has already decided about the edits.
  const goOn = () => Promise.resolve({ push: false, keepPatch: false });
  const record = await flow.perform({ place }, goOn, watchRedeploy);
  if (record === undefined) {
    return;
  }
  if (isElsewhere(record, change.fields)) {
    await tellElsewhere(record, change, deps);
  } else {
    await flow.showResult(record);
  }
}

/** Whether the platform deployed a different commit than requested. */
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

async function tellElsewhere(
  { nodes }: DeployRecord,
  change: CheckedSettingsChange,
  deps: RollBackDeps,
): Promise<void> {
  const wanted = short(change.fields.repoHash);
  const text = l10n.t(
    'The platform deployed {0} instead of {1}, because it deploys only the newest commit of a branch. To deploy {1}, create a branch at that commit, push it, and roll back to the branch.',
    short(commitsOnNodes(nodes) ?? ''),
    wanted,
  );
  const undo = l10n.t('Restore Settings');
  if ((await showWarningMessage(text, undo)) === undo) {
    // If the platform didn't return the value, use what the user entered.
    const fields = { ...change.base, zdt: change.base.zdt ?? change.fields.zdt };
    await saveSettings({ place: change.place, base: change.fields, fields }, deps);
  }
}

function confirmRollBack({ place, base, fields, warnings }: CheckedSettingsChange): Promise<boolean> {
  const consequence = [
    fields.repoHash === ''
      ? l10n.t('The newest commit of {0} will be deployed.', fields.branch)
      : l10n.t(
          'The project stays pinned to {0} until you switch it back to the newest commit.',
          short(fields.repoHash),
        ),
    l10n.t("Gantry changes the project's settings and redeploys it. Databases and uploaded files don't change."),
  ];
  const question = l10n.t('Roll back {0} on {1}?', place.context, place.environment);
  const paragraphs = [changeLines(base, fields).join('\n'), consequence.join('\n'), ...warnings];
  return confirm(question, paragraphs, l10n.t('Roll Back'));
}

const noOffers = { addresses: [], branchesOf: () => [] };

/** A state to deploy: fields of the settings, or the field that is typed. */
type Target = Omit<Choice, 'value'> & { readonly to: Partial<ProjectFields> | 'repoHash' | 'branch' };

/** Asks which commit or branch to deploy, and returns the settings for it. */
async function askRollbackTarget(
  place: ProjectPlace,
  fields: ProjectFields,
  deps: RollBackDeps,
): Promise<ProjectFields | undefined> {
  const targets = await targetsOf(place, fields, deps);
  const choices = targets.map((target, index) => ({ ...target, value: String(index) }));
  const state: Question = { kind: 'choice', key: 'state', prompt: l10n.t('Select what to deploy'), choices };
  const targetIn = (entered: Entered) => targets[Number(entered['state'])]?.to ?? {};
  const asking = { offers: noOffers, rules: noRules, of: 'existing' } as const;
  // EditProject requires it, but the platform didn't return it.
  const zdt = fields.zdt === undefined ? questionsFor('zdt', fields, {}, asking) : [];
  const entered = await askInTurn(l10n.t('Roll Back'), (soFar) => {
    const to = targetIn(soFar);
    return [state, ...(typeof to === 'string' ? [typedQuestion(to, fields)] : []), ...zdt];
  });
  if (entered === undefined) {
    return undefined;
  }
  const to = targetIn(entered);
  // A branch is followed again: the project isn't pinned to a commit any more.
  const typed =
    typeof to === 'string' ? { ...(to === 'branch' ? { repoHash: '' } : {}), [to]: entered[to]?.trim() ?? '' } : to;
  return fieldsFromAnswers('zdt', { ...fields, ...typed }, entered);
}

function typedQuestion(name: 'repoHash' | 'branch', fields: ProjectFields): Question {
  return {
    key: name,
    prompt:
      name === 'branch'
        ? l10n.t('Branch to deploy, for example main')
        : l10n.t('Commit hash or revision number to deploy'),
    problem: (text) => {
      const problem = problemWith(name, { ...fields, [name]: text.trim() }, noRules);
      return problem === undefined ? undefined : problemSentence(problem);
    },
  };
}

/** The commits deployed earlier, according to the history; the branch's newest; other branches; any commit. */
async function targetsOf(
  place: ProjectPlace,
  { type, url, branch, repoHash }: ProjectFields,
  { history, repositories }: RollBackDeps,
): Promise<readonly Target[]> {
  const repository = repositories.withAddress(url);
  const branches = type === 'SVN' ? [] : ((await repository?.branches()) ?? []);
  const commits = (await deployedBefore(place, history)).map(async ({ commit, until }) => ({
    label: `$(git-commit) ${short(commit)}`,
    description: (await repository?.subject(commit)) ?? '',
    detail: l10n.t('deployed until {0}', new Date(until).toLocaleString()),
    to: { repoHash: commit },
  }));
  const newest =
    type === 'SVN' ? l10n.t('$(arrow-up) Newest revision') : l10n.t('$(arrow-up) Newest commit of {0}', branch);
  return [
    ...(await Promise.all(commits)),
    ...(repoHash === '' ? [] : [{ label: newest, to: { branch, repoHash: '' } }]),
    ...branches
      .filter((name) => name !== branch)
      .map((name) => ({
        label: `$(git-branch) ${name}`,
        description: l10n.t('another branch'),
        to: { branch: name, repoHash: '' },
      })),
    ...(type === 'SVN'
      ? [{ label: l10n.t('$(edit) Enter revision number…'), to: 'repoHash' } as const]
      : [
          { label: l10n.t('$(edit) Enter commit hash…'), to: 'repoHash' } as const,
          { label: l10n.t('$(edit) Enter branch name…'), to: 'branch' } as const,
        ]),
  ];
}

/** The commits that were deployed earlier and aren't now, the latest first. */
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
