import { l10n } from 'vscode';
import type { DeployRecord } from '../history/deployRecord';
import { short } from '../deployedState/gitHeadLog';
import { changedFields, fieldsOf, type ProjectFields } from '../settings/projectFields';
import type { ProjectPlace } from '../projectPlace';
import { commitsOnNodes } from './redeployResult';
import type { RedeployFlow } from './redeployFlow';
import { watchRedeploy } from './redeployProgressNotice';
import { waitForProjectLock } from '../projectLockNotice';
import { askRollbackTarget, type RollBackPromptDeps } from './rollBackPrompt';
import {
  changeLines,
  saveSettings,
  type SaveSettingsDeps,
  checkSettingsChange,
  type CheckedSettingsChange,
} from '../settings/saveSettingsFlow';
import { showWarningMessage } from '../../ui/notifications';

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
    await flow.tell(record);
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
