import { gitIsOff, projectText } from '../projectText';
import { trustButton } from '../repositories/trustPrompt';
import { l10n } from 'vscode';
import { type DeployRecord, commitsOnNodes } from './redeployResult';
import { short } from '../deployedState/gitHeadLog';
import { changedFields, fieldsOf, type ProjectFields } from '../settings/projectFields';
import type { Environments } from '../../containers/environments';
import { confirmChange } from '../../containers/protectedPrompt';
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
import { showFailure, showWarningMessage } from '../../ui/notifications';
import { isCanceled } from '../../platform/errors';
import type { Decision } from './redeployPrompt';
import { askMissingSettings, askRollbackTarget, type RollBackPromptDeps } from './rollBackPrompt';

export interface RollBackDeps extends SaveSettingsDeps, RollBackPromptDeps {
  readonly environments: Environments;
  readonly flow: RedeployFlow;
}

/** Deploys an earlier commit or another branch, which the user selects. */
export function rollBack(place: ProjectPlace, deps: RollBackDeps): Promise<void> {
  return deployTarget(place, deps, (fields) => askRollbackTarget(place, fields, deps));
}

/** Makes a pinned project follow its branch again, and deploys the branch's newest commit. */
export function deployNewest(place: ProjectPlace, deps: RollBackDeps): Promise<void> {
  return deployTarget(place, deps, (fields) => askMissingSettings(place, { ...fields, repoHash: '' }, deps));
}

/** Changes the settings and then redeploys, because an Update always deploys what the settings say. */
async function deployTarget(
  place: ProjectPlace,
  deps: RollBackDeps,
  ask: (fields: ProjectFields) => Promise<ProjectFields | undefined>,
): Promise<void> {
  const { projects, writeOnlySettings } = deps;
  if (!(await waitForProjectLock(place, deps))) {
    return;
  }
  const { settings } = await projects.read(place);
  const base = fieldsOf(place.context, settings, await writeOnlySettings.of(place));
  const fields = await ask(base);
  const change = fields && (await checkSettingsChange({ place, base, fields }, deps));
  if (change === undefined || !(await confirmRollBack(change, deps))) {
    return;
  }
  const decision = await decisionOn(change, deps);
  if (decision === undefined) {
    return;
  }
  if (changedFields(change.base, change.fields).length === 0) {
    await redeploy(change, decision, deps, undefined);
  } else if ((await saveSettings(change, deps)) !== undefined) {
    await redeploy(change, decision, deps, () => restoreSettings(change, deps));
  }
}

/** Asks about edits on the nodes, and about local work if that could be part of what is deployed. */
function decisionOn(change: CheckedSettingsChange, { flow }: RollBackDeps): Promise<Decision | undefined> {
  return flow.decisionOn({ place: change.place }, change.fields, { asksAboutLocal: deploysOwnBranch(change) });
}

/** Whether the newest commit of the branch is deployed that the project had before. */
function deploysOwnBranch({ base, fields }: CheckedSettingsChange): boolean {
  return fields.repoHash === '' && fields.branch === base.branch;
}

/** @param restore undoes the change of settings, if there was one */
async function redeploy(
  change: CheckedSettingsChange,
  { push }: Decision,
  deps: RollBackDeps,
  restore: (() => Promise<void>) | undefined,
): Promise<void> {
  const { place } = change;
  // Don't ask again: the user has already decided about local work and edits, and has saved a patch.
  const goOn = () => Promise.resolve({ push, keepPatch: false });
  const running = deps.flow.perform({ place, consent: 'confirmed' }, goOn, (one) =>
    watchRedeploy(one, deps.environments),
  );
  const record = await (restore === undefined
    ? running
    : running.catch((error: unknown) => tellUndeployed(projectText(place, deps.environments), restore, error)));
  if (record === undefined) {
    return;
  }
  if (isElsewhere(record, change.fields)) {
    await tellElsewhere(record, change, deps);
  } else {
    await deps.flow.showResult(record, { restoreSettings: restore });
  }
}

/** Says that the settings are changed, but the redeploy didn't start. Canceling it isn't an error. */
async function tellUndeployed(project: string, restore: () => Promise<void>, error: unknown): Promise<undefined> {
  const undo = l10n.t('Restore Settings');
  const text = l10n.t("Saved the settings of {0}, but didn't redeploy it.", project);
  const chosen = isCanceled(error) ? await showWarningMessage(text, undo) : await showFailure(text, error, undo);
  if (chosen === undo) {
    await restore();
  }
  return undefined;
}

/** Whether the platform deployed a different commit than requested. */
function isElsewhere({ verdict, nodes }: DeployRecord, { type, repoHash }: ProjectFields): boolean {
  const commit = commitsOnNodes(nodes);
  return (
    type === 'GIT' &&
    repoHash !== '' &&
    (verdict.kind === 'deployed' || verdict.kind === 'answerLost') &&
    commit !== undefined &&
    !commit.startsWith(repoHash.toLowerCase())
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
    await restoreSettings(change, deps);
  }
}

async function restoreSettings({ place, base, fields }: CheckedSettingsChange, deps: RollBackDeps): Promise<void> {
  // If the platform didn't return the value, use what the user entered.
  const before = { ...base, zdt: base.zdt ?? fields.zdt };
  await saveSettings({ place, base: fields, fields: before }, deps);
}

async function confirmRollBack(
  change: CheckedSettingsChange,
  { environments, flow, repositories }: RollBackDeps,
): Promise<boolean> {
  const { place, base, fields, warnings } = change;
  const { repoHash } = fields;
  const repository = repositories.withAddress(fields.url);
  const found = await repository?.find([repoHash], fields);
  const subject = found?.get(repoHash)?.subject;
  const gitOff = deploysOwnBranch(change) ? await flow.gitOff(place) : undefined;
  const project = projectText(place, environments);
  const isNewest = repoHash === '';
  const [tip] = isNewest ? ((await repository?.commitsOf(fields)) ?? []) : [];
  const consequence = [
    ...(tip === undefined
      ? []
      : [l10n.t('The newest known commit of {0} is {1} ({2}).', fields.branch, short(tip.hash), tip.subject)]),
    ...(isNewest
      ? []
      : [l10n.t('The project stays pinned to {0} until you use Deploy Newest Commit.', short(repoHash))]),
    l10n.t("Gantry changes the project's settings and redeploys it. Databases and uploaded files don't change."),
  ];
  const paragraphs = [
    changeLines(base, fields, new Map(subject === undefined ? [] : [[repoHash, subject]])).join('\n'),
    consequence.join('\n'),
    ...warnings,
    gitOff && gitIsOff(gitOff),
  ];
  const newest = () =>
    fields.type === 'SVN'
      ? l10n.t('Deploy the newest revision to {0}?', project)
      : l10n.t('Deploy the newest commit of {1} to {0}?', project, fields.branch);
  return confirmChange([place], environments, {
    question: isNewest ? newest() : l10n.t('Roll back {0}?', project),
    paragraphs,
    button: isNewest ? l10n.t('Deploy') : l10n.t('Roll Back'),
    others: trustButton(gitOff),
  });
}
