import { gitIsOff, projectText } from '../projectText';
import { trustButton } from '../repositories/trustPrompt';
import { commands, l10n } from 'vscode';
import { type DeployRecord, commitsOnNodes, isOtherCommit } from './redeployResult';
import { short } from '../deployedState/gitHeadLog';
import {
  changedFields,
  fieldsOf,
  type ProjectFields,
  settingsOf,
  writeOnlySettingsOf,
} from '../settings/projectFields';
import type { CommandId } from '../../manifest';
import type { LocalCommit } from '../repositories/localRepository';
import type { Environments } from '../../containers/environments';
import { confirmChange } from '../../containers/protectedPrompt';
import type { ProjectPlace } from '../projectPlace';
import { pinnedCommit, type Project } from '../projects';
import type { ConfirmRedeploy, RedeployFlow } from './redeployFlow';
import { ResultNotRecorded } from './redeployOperation';
import { watchRedeploy } from './redeployProgress';
import { waitForProjectLock } from '../projectLockPrompt';
import {
  changeLines,
  saveSettings,
  type SaveSettingsDeps,
  showHooksButton,
  checkSettingsChange,
  type CheckedSettingsChange,
} from '../settings/saveSettingsFlow';
import { showFailure, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { isCanceled } from '../../platform/errors';
import { askMissingSettings, askRollbackTarget, type RollBackPromptDeps } from './rollBackPrompt';

export interface RollBackDeps extends SaveSettingsDeps, RollBackPromptDeps {
  readonly environments: Environments;
  readonly flow: RedeployFlow;
}

/**
 * Deploys an earlier commit or another branch, which the user selects.
 * @param ensureMayEdit fails if the token may not change the settings. It's called only if they have to be changed.
 */
export function rollBack(place: ProjectPlace, deps: RollBackDeps, ensureMayEdit: () => void): Promise<void> {
  return deployTarget(place, deps, ensureMayEdit, (fields) => askRollbackTarget(place, fields, deps));
}

/** Makes a pinned project follow its branch again, and deploys the branch's newest commit. */
export function deployNewest(place: ProjectPlace, deps: RollBackDeps, ensureMayEdit: () => void): Promise<void> {
  return deployTarget(place, deps, ensureMayEdit, (fields) =>
    askMissingSettings(place, { ...fields, repoHash: '' }, deps),
  );
}

/** Changes the settings and then redeploys, because an Update always deploys what the settings say. */
async function deployTarget(
  place: ProjectPlace,
  deps: RollBackDeps,
  ensureMayEdit: () => void,
  ask: (fields: ProjectFields) => Promise<ProjectFields | undefined>,
): Promise<void> {
  const { projects, writeOnlySettings } = deps;
  if (!(await waitForProjectLock(place, deps))) {
    return;
  }
  const { settings } = await projects.read(place);
  const base = fieldsOf(place.context, settings, await writeOnlySettings.of(place));
  const fields = await ask(base);
  if (fields !== undefined && changedFields(base, fields).length > 0) {
    ensureMayEdit();
  }
  const change = fields && (await checkSettingsChange({ place, base, fields }, deps));
  if (change === undefined || !(await confirmRollBack(change, deps))) {
    return;
  }
  const decide = await decisionOn(change, deps);
  if (decide === undefined) {
    return;
  }
  if (changedFields(change.base, change.fields).length === 0) {
    await redeploy(change, decide, deps);
    return;
  }
  const saved = await saveSettings(change, deps);
  if (saved !== undefined) {
    if (change.warnings.length > 0) {
      void tellNotSent(change, deps);
    }
    await redeploy(change, decide, deps, saved);
  }
}

/** Says what the change may have cleared, because it's the person who knows whether there was anything. */
async function tellNotSent({ place, fields }: CheckedSettingsChange, { environments }: RollBackDeps): Promise<void> {
  const project = projectText(place, environments);
  const text =
    fields.hooks === undefined
      ? l10n.t(
          'Gantry saved the settings of {0} without hooks or a delay. If the project had any, enter them again.',
          project,
        )
      : l10n.t('Gantry saved the settings of {0} without a delay. If the project had one, enter it again.', project);
  if ((await showInformationMessage(text, settingsButton())) === settingsButton()) {
    await openSettings(place);
  }
}

const settingsButton = (): string => l10n.t('Project Settings');

async function openSettings(place: ProjectPlace): Promise<void> {
  await commands.executeCommand('gantry.project.edit' satisfies CommandId, place);
}

/** Asks about edits on the nodes, and about local work if that could be part of what is deployed. */
function decisionOn(change: CheckedSettingsChange, { flow }: RollBackDeps): Promise<ConfirmRedeploy | undefined> {
  return flow.decisionOn({ place: change.place }, change.fields, { asksAboutLocal: deploysOwnBranch(change) });
}

/** Whether the newest commit of the branch is deployed that the project had before. */
function deploysOwnBranch({ base, fields }: CheckedSettingsChange): boolean {
  return fields.repoHash === '' && fields.branch === base.branch;
}

/** @param saved the project with the settings of the roll back, if they had to be changed */
async function redeploy(
  change: CheckedSettingsChange,
  decide: ConfirmRedeploy,
  deps: RollBackDeps,
  saved?: Project,
): Promise<void> {
  const { place } = change;
  const project = projectText(place, deps.environments);
  const restore = saved && (() => restoreSettings(change, saved, deps));
  const agreed = saved?.settings ?? settingsOf(change.base);
  let isStarted = false;
  const running = deps.flow.perform({ place, consent: 'confirmed', agreed }, decide, (one) => {
    isStarted = true;
    return watchRedeploy(one, deps.environments);
  });
  const record = await (restore === undefined
    ? running
    : running.then(
        (done) => (done === undefined && !isStarted ? tellUndeployed(project, restore) : done),
        (error: unknown) => {
          if (error instanceof ResultNotRecorded) {
            throw error;
          }
          return tellUndeployed(project, restore, error);
        },
      ));
  if (record === undefined) {
    return;
  }
  // If someone else changed the commit before the redeploy, the user agreed to that.
  if (record.pinnedTo === pinnedCommit(agreed) && isElsewhere(record, change.fields)) {
    await tellElsewhere(record, change, restore);
  } else {
    await deps.flow.showResult(record, { restoreSettings: restore });
  }
}

/** Says that the settings are changed, but the redeploy didn't start. Canceling it isn't an error. */
async function tellUndeployed(project: string, restore: () => Promise<void>, error?: unknown): Promise<undefined> {
  const undo = l10n.t('Restore Settings');
  const text = l10n.t("Saved the settings of {0}, but didn't redeploy it.", project);
  const isByUser = error === undefined || isCanceled(error);
  const chosen = isByUser ? await showWarningMessage(text, undo) : await showFailure(text, error, undo);
  if (chosen === undo) {
    await restore();
  }
  return undefined;
}

/** Whether the platform deployed a different commit than requested. */
function isElsewhere({ verdict, nodes }: DeployRecord, { repoHash }: ProjectFields): boolean {
  const commit = commitsOnNodes(nodes);
  return (
    commit !== undefined &&
    (verdict.kind === 'answerLost'
      ? // Otherwise the Update may still be running, or it didn't deploy anything.
        verdict.ended && verdict.moved && isOtherCommit(commit, repoHash)
      : verdict.kind === 'contradicted' && verdict.because === 'notPinned')
  );
}

async function tellElsewhere(
  { nodes }: DeployRecord,
  change: CheckedSettingsChange,
  restore: (() => Promise<void>) | undefined,
): Promise<void> {
  const { type, repoHash } = change.fields;
  const deployed = commitsOnNodes(nodes) ?? '';
  const text =
    type === 'SVN'
      ? l10n.t(
          'The platform deployed revision {0} instead of {1}, because it deploys only the newest one. To deploy revision {1}, copy it to a branch with svn copy, and change the URL of the project to that branch.',
          deployed.replace(/^r/, ''),
          repoHash,
        )
      : l10n.t(
          'The platform deployed {0} instead of {1}, because it deploys only the newest commit on a branch. To deploy {1}, create a branch at that commit, push it, and roll back to the branch.',
          short(deployed),
          short(repoHash),
        );
  const undo = l10n.t('Restore Settings');
  if ((await showWarningMessage(text, ...(restore === undefined ? [] : [undo]))) === undo) {
    await restore?.();
  }
}

/**
 * Gives the project back the settings from before the roll back. If someone else has changed settings since, the user
 * sees which ones, and decides.
 * @param saved the project with the settings of the roll back
 */
async function restoreSettings(
  { place, base, fields }: CheckedSettingsChange,
  saved: Project,
  deps: RollBackDeps,
): Promise<void> {
  const change = {
    place,
    base: fieldsOf(place.context, saved.settings, writeOnlySettingsOf(fields)),
    // If the platform didn't return the value, use what the user entered.
    fields: { ...base, zdt: base.zdt ?? fields.zdt },
  };
  const checked = await checkSettingsChange(change, deps);
  if (
    checked !== undefined &&
    (checked.resent.length + checked.leftOut.length === 0 || (await confirmRestore(checked, deps)))
  ) {
    await saveSettings(checked, deps);
  }
}

/** Names the settings that are sent again although the roll back didn't change them, and hooks that this may clear. */
function confirmRestore(change: CheckedSettingsChange, deps: RollBackDeps): Promise<boolean> {
  const { place, base, fields, resent, leftOut } = change;
  const { environments } = deps;
  return confirmChange([place], environments, {
    question: l10n.t('Restore the settings of {0}?', projectText(place, environments)),
    paragraphs: [changeLines(base, fields).join('\n'), [...resent, ...leftOut].join('\n')],
    button: l10n.t('Restore'),
    others: showHooksButton(change, deps),
  });
}

async function confirmRollBack(
  change: CheckedSettingsChange,
  { environments, flow, repositories, texts }: RollBackDeps,
): Promise<boolean> {
  const { place, base, fields, warnings, resent, leftOut } = change;
  const { repoHash } = fields;
  const repository = repositories.withAddress(fields.url);
  const hashes = [base.repoHash, repoHash].filter((hash) => hash !== '');
  const found = (await repository?.find(hashes, fields)) ?? new Map<string, LocalCommit>();
  const gitOff = deploysOwnBranch(change) ? await flow.gitOff(place) : undefined;
  const project = projectText(place, environments);
  const isNewest = repoHash === '';
  const [tip] = (await repository?.commitsOf(isNewest ? fields : base)) ?? [];
  const commitTexts = new Map([...found].map(([hash, { subject }]) => [hash, subject]));
  if (tip !== undefined) {
    commitTexts.set('', `${short(tip.hash)}, ${tip.subject}`);
  }
  const consequence = [
    ...(tip === undefined || repoHash !== base.repoHash
      ? []
      : [l10n.t('The newest known commit on {0} is {1} ({2}).', fields.branch, short(tip.hash), tip.subject)]),
    ...(isNewest && base.repoHash !== ''
      ? [l10n.t('This unpins the project, so it follows {0} again.', fields.branch)]
      : []),
    ...(isNewest
      ? []
      : [l10n.t('The project stays pinned to {0} until you use Deploy Newest Commit.', short(repoHash))]),
    l10n.t(
      "Gantry changes the project's settings and redeploys the project. Databases and uploaded files don't change.",
    ),
  ];
  const paragraphs = [
    changeLines(base, fields, commitTexts).join('\n'),
    consequence.join('\n'),
    [...resent, ...leftOut].join('\n'),
    ...warnings,
    gitOff && gitIsOff(gitOff),
  ];
  const newest = () =>
    fields.type === 'SVN'
      ? l10n.t('Deploy the newest revision to {0}?', project)
      : l10n.t('Deploy the newest commit on {1} to {0}?', project, fields.branch);
  return confirmChange([place], environments, {
    question: isNewest ? newest() : l10n.t('Roll back {0}?', project),
    paragraphs,
    button: isNewest ? l10n.t('Deploy') : l10n.t('Roll Back'),
    others: new Map([
      ...trustButton(gitOff),
      ...showHooksButton(change, { texts }),
      ...(warnings.length > 0 ? [[settingsButton(), () => openSettings(place)] as const] : []),
    ]),
  });
}
