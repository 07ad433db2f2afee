import type { EnvironmentTitles } from '../../containers/locationText';
import { l10n } from 'vscode';
import { fieldChange, fieldLabel, fieldValue, hookLabels } from './fieldText';
import {
  changedFields,
  type FieldName,
  fieldsOf,
  hookNames,
  notTaken,
  type ProjectFields,
  rebase,
} from './projectFields';
import type { ProjectPlace } from '../projectPlace';
import type { Project, Projects, ProjectSettings } from '../projects';
import { withProjectLock } from '../projectLockPrompt';
import type { Redeploys } from '../redeploy/redeploys';
import type { ProjectOperations } from './projectOperations';
import type { WriteOnlySettingsStore } from './writeOnlySettings';
import { confirm, showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';

export interface SaveSettingsDeps {
  readonly projects: Projects;
  readonly work: ProjectOperations;
  readonly writeOnlySettings: WriteOnlySettingsStore;
  readonly redeploys: Redeploys;
  readonly environments: EnvironmentTitles;
}

/** A change of settings: what the user saw, and the new values. */
export interface SettingsChange {
  readonly place: ProjectPlace;
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
}

/** A change that was compared with the settings that the platform has now. */
export interface CheckedSettingsChange extends SettingsChange {
  /** What may be lost of the settings that the platform never shows. Shown before the first change. */
  readonly warnings: readonly string[];
}

/**
 * Asks the platform for the current settings. If another person changed the project, the user sees what, and decides:
 * `undefined` is not to go on.
 */
export async function checkSettingsChange(
  { place, base, fields }: SettingsChange,
  deps: SaveSettingsDeps,
): Promise<CheckedSettingsChange | undefined> {
  const known = await deps.writeOnlySettings.find(place);
  const { settings } = await deps.projects.read(place);
  const now = fieldsOf(place.context, settings, await deps.writeOnlySettings.of(place));
  const rebased = rebase(base, fields, now);
  // If both made the same change, there is nothing to decide.
  const theirs = rebased.theirs.filter((name) => changedFields(fields, now).includes(name));
  if (theirs.length > 0 && !(await takeOver({ base, fields }, now, theirs))) {
    return undefined;
  }
  const warnings = known === undefined ? lossesOf(settings, rebased.fields) : [];
  return { place, base: now, fields: rebased.fields, warnings };
}

/**
 * Sends the change when nothing else changes the project from here, and warns if the platform didn't take all of it.
 * `undefined`: it was not sent, because the person did not want to wait for that. Throws `SettingsChanged` if someone
 * else changed the settings meanwhile.
 */
export async function saveSettings(
  { place, base, fields }: SettingsChange,
  deps: SaveSettingsDeps,
): Promise<Project | undefined> {
  const project = await withProjectLock(place, 'settings', deps, () =>
    withProgress(l10n.t('Saving settings of {0}', place.context), ({ signal }) =>
      deps.work.edit(place, base, fields, { signal }),
    ),
  );
  if (project === undefined) {
    return undefined;
  }
  const left = notTaken(fields, project.settings);
  const keyStays = base.keyId !== undefined && fields.keyId === undefined && (project.settings.hash ?? '') !== '';
  if (left.length > 0 || keyStays) {
    tellNotTaken(project, fields, keyStays ? [...left, 'keyId'] : left);
  }
  return project;
}

/**
 * Formats each changed field as a line "old → new".
 * @param commits what is known of the commits, by the value of the setting; it's empty for the newest one
 */
export function changeLines(
  base: ProjectFields,
  fields: ProjectFields,
  commits: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  const valueIn = (name: FieldName, values: ProjectFields) => {
    const commit = name === 'repoHash' ? commits.get(values.repoHash) : undefined;
    return commit === undefined ? fieldValue(name, values) : `${fieldValue(name, values)} (${commit})`;
  };
  return changedFields(base, fields).flatMap((name) =>
    name === 'hooks'
      ? hookChanges(base, fields).flatMap(({ hook, before, after }) => [
          `${hookLabels[hook]}:`,
          ...scriptLines(before, after),
        ])
      : [`${fieldLabel(name)}: ${valueIn(name, base)} → ${valueIn(name, fields)}`],
  );
}

/** The scripts that are to be replaced, each with the name of an editor that shows it. */
export function hookChanges(base: ProjectFields, fields: ProjectFields) {
  return hookNames
    .map((hook) => ({
      hook,
      name: `${hook}.sh`,
      before: base.hooks?.[hook] ?? '',
      after: fields.hooks?.[hook] ?? '',
    }))
    .filter(({ before, after }) => before !== after);
}

/** The maximum number of script lines in a confirmation. */
const mostLines = 12;

/** The old lines, then the new ones, shortened for a long script. */
function scriptLines(before: string, after: string): readonly string[] {
  const side = (mark: string, script: string): readonly string[] => {
    const lines = script === '' ? [] : script.trimEnd().split('\n');
    const more = lines.length - mostLines;
    const shown = lines.slice(0, mostLines).map((line) => `${mark} ${line}`);
    return more > 0 ? [...shown, l10n.t('{0} … ({1} more)', mark, more)] : shown;
  };
  return [...side('−', before), ...side('+', after)];
}

function lossesOf({ hash = '' }: ProjectSettings, { keyId }: ProjectFields): readonly string[] {
  const general = l10n.t(
    "Gantry can't read hooks or the delay between node restarts from the platform, so this change may clear them. If the project has any, enter them in its settings first.",
  );
  const key = l10n.t(
    'This project has an SSH key, which this change may clear, too. To keep it, enter its ID in the settings.',
  );
  return hash === '' || keyId !== undefined ? [general] : [general, key];
}

/** Another person changed settings since the user saw them. */
async function takeOver(
  { base, fields }: Omit<SettingsChange, 'place'>,
  now: ProjectFields,
  theirs: readonly FieldName[],
): Promise<boolean> {
  const mine = changedFields(base, fields);
  const rows = theirs.map((name) => {
    const row = fieldChange(name, base, now);
    return mine.includes(name) ? l10n.t('{0} (yours: {1})', row, fieldValue(name, fields)) : row;
  });
  const text = l10n.t('Someone else changed this project in the meantime. Save your changes anyway?');
  const explained = l10n.t('If you both changed the same setting, your value is used. All other changes are kept.');
  return confirm(text, [rows.join('\n'), explained], l10n.t('Save Anyway'));
}

function tellNotTaken({ place, settings }: Project, change: ProjectFields, names: readonly FieldName[]): void {
  const now = fieldsOf(place.context, settings, change);
  const rows = names.map((name) =>
    name === 'keyId'
      ? l10n.t('{0}: still set', fieldLabel(name))
      : l10n.t('{0}: {1} (yours: {2})', fieldLabel(name), fieldValue(name, now), fieldValue(name, change)),
  );
  void showWarningMessage(
    l10n.t("The platform didn't save all settings of {0}. Current values: {1}", place.context, rows.join(', ')),
  );
}
