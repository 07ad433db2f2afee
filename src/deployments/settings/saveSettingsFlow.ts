import type { EnvironmentTitles } from '../../containers/locationText';
import { l10n, window } from 'vscode';
import { fieldChange, fieldLabel, fieldValue, hookLabels, hooksText } from './fieldText';
import {
  changedFields,
  differingHooks,
  editedHooks,
  type FieldName,
  fieldOrder,
  fieldsOf,
  hasEdits,
  type HookName,
  hookNames,
  type Hooks,
  notTaken,
  type ProjectFields,
  rebase,
  sameHooks,
} from './projectFields';
import type { ProjectPlace } from '../projectPlace';
import type { Project, Projects, ProjectSettings } from '../projects';
import { withProjectLock } from '../projectLockPrompt';
import type { Redeploys } from '../redeploy/redeploys';
import type { CurrentSettings, ProjectOperations } from './projectOperations';
import type { WriteOnlySettingsStore } from './writeOnlySettings';
import { reasonText } from '../../ui/failureMessages';
import { confirm, type OtherButtons, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead, withProgress } from '../../ui/progress';
import { formatDate } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';

export interface SaveSettingsDeps {
  readonly projects: Projects;
  readonly work: ProjectOperations;
  readonly writeOnlySettings: WriteOnlySettingsStore;
  readonly redeploys: Redeploys;
  readonly environments: EnvironmentTitles;
  readonly texts: ShownTexts;
}

/** A change of settings: what the user saw, and the new values. */
export interface SettingsChange {
  readonly place: ProjectPlace;
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
  readonly areHooksCompared?: boolean;
}

/** A change that was compared with the settings that the platform has now. */
export interface CheckedSettingsChange extends SettingsChange {
  /** What may be lost of the settings that the platform never shows. Shown before the first change. */
  readonly warnings: readonly string[];
  /** What is sent with the changes, because the platform would lose it, and what of it couldn't be compared. */
  readonly resent: readonly string[];
  readonly resentHooks: Hooks;
}

/**
 * Asks the platform for the current settings. If another person changed the project, the user sees what, and decides:
 * `undefined` is not to go on.
 */
export async function checkSettingsChange(
  { place, base, fields }: SettingsChange,
  deps: SaveSettingsDeps,
): Promise<CheckedSettingsChange | undefined> {
  const current = await withCancelableRead(l10n.t('Checking settings of {0}', place.context), (signal) =>
    deps.work.current(place, { signal }),
  );
  const now = current.fields;
  const rebased = rebase(base, fields, now);
  // Hooks that were never known here aren't a change, but they may be in the way of one.
  const areHooksNews = base.hooks !== undefined || hooksInTheWay({ base, fields }, now).length > 0;
  // If both made the same change, there is nothing to decide.
  const theirs = rebased.theirs.filter(
    (name) => changedFields(fields, now).includes(name) && (name !== 'hooks' || areHooksNews),
  );
  if (theirs.length > 0 && !(await takeOver({ base, fields }, now, theirs))) {
    return undefined;
  }
  const change = { place, base: now, fields: rebased.fields };
  return {
    ...change,
    areHooksCompared: current.uncompared === undefined,
    warnings: current.kept === undefined ? lossesOf(current.settings, rebased.fields) : [],
    resent: hasEdits(now, rebased.fields) ? resentLines(change, current) : [],
    resentHooks: resentHooksOf(change),
  };
}

/** Says what is sent with the changes, since when, and what of it couldn't be compared with the platform's. */
function resentLines(change: SettingsChange, current: CurrentSettings): readonly string[] {
  const { base, fields } = change;
  const { hash = '' } = current.settings;
  const { keyId, delay } = fields;
  const { enteredAt, keyId: keptKey } = current.kept ?? {};
  const key = [String(keyId), formatDate(enteredAt?.keyId ?? 0)] as const;
  const keyLine =
    hash === ''
      ? l10n.t(
          "Gantry also sends the ID of the SSH key ({0}) that you entered here on {1}, and can't compare it with the platform's.",
          ...key,
        )
      : l10n.t('Gantry also sends the ID of the SSH key ({0}) that you entered here on {1}.', ...key);
  const otherKey =
    keptKey === undefined
      ? l10n.t(
          "This project has an SSH key. Gantry can't read its ID, so this change may clear it. To keep it, enter its ID in the settings first.",
        )
      : l10n.t(
          "Someone else set another SSH key. Gantry can't read its ID, so this change may clear it. To keep it, enter its ID in the settings first.",
        );
  const delayLine = l10n.t(
    "Gantry also sends the delay between node restarts ({0}) that you entered here on {1}, and can't compare it with the platform's.",
    fieldValue('delay', fields),
    formatDate(enteredAt?.delay ?? 0),
  );
  const isKeyLost = current.kept !== undefined && base.keyId === undefined && keyId === undefined && hash !== '';
  return [
    ...resentHookLines(change, current),
    ...(keyId !== undefined && base.keyId === keyId ? [keyLine] : []),
    ...(isKeyLost ? [otherKey] : []),
    ...(delay !== undefined && base.delay === delay ? [delayLine] : []),
  ];
}

/** The scripts that are sent, but not edited. */
function resentHooksOf({ base, fields }: Pick<SettingsChange, 'base' | 'fields'>): Hooks {
  const edited = editedHooks(base.hooks, fields.hooks);
  const scripts = hookNames.flatMap((hook) => {
    const script = fields.hooks?.[hook] ?? '';
    return script === '' || edited.includes(hook) ? [] : [[hook, script] as const];
  });
  return Object.fromEntries(scripts);
}

function resentHookLines(change: SettingsChange, { kept, onNode, uncompared }: CurrentSettings): readonly string[] {
  const { base, fields } = change;
  const { hooks } = fields;
  const isEdited = editedHooks(base.hooks, hooks).length > 0;
  const isResent = !isEdited || Object.keys(resentHooksOf(change)).length > 0;
  const enteredAt = sameHooks(kept?.hooks, base.hooks) ? kept?.enteredAt.hooks : undefined;
  const sent =
    enteredAt === undefined
      ? l10n.t('Gantry also sends the hooks that it read from the platform.')
      : sameHooks(hooks)
        ? l10n.t('Gantry also removes all hooks, as you did here on {0}.', formatDate(enteredAt))
        : l10n.t('Gantry also sends the hooks that you entered here on {0}.', formatDate(enteredAt));
  if (hooks === undefined) {
    // Before the first change, the warnings say so.
    return uncompared === undefined || kept === undefined
      ? []
      : [
          l10n.t(
            "Gantry couldn't read the project's hooks, so this change may clear hooks that someone else entered: {0}.",
            reasonText(uncompared),
          ),
        ];
  }
  const compared =
    uncompared !== undefined
      ? l10n.t("Gantry couldn't compare the hooks with the platform's: {0}.", reasonText(uncompared))
      : onNode?.hasOthers === true
        ? l10n.t('Gantry compared the hooks only with those on {0}, not on other nodes of the layer.', onNode.node)
        : undefined;
  return [...(isResent ? [sent] : []), ...(compared === undefined ? [] : [compared])];
}

/** The button that shows the hooks which are sent with the changes, in read-only editors. */
export function showHooksButton(
  { resent, resentHooks }: CheckedSettingsChange,
  { texts }: Pick<SaveSettingsDeps, 'texts'>,
): OtherButtons {
  const shown = Object.entries(resentHooks);
  const show = async () => {
    for (const [hook, script] of shown) {
      await window.showTextDocument(texts.add(`${hook}.sh`, script), { preview: false });
    }
  };
  return new Map(resent.length === 0 || shown.length === 0 ? [] : [[l10n.t('Show Hooks'), show]]);
}

/**
 * Sends the change when nothing else changes the project from here, and warns if the platform didn't take all of it.
 * `undefined`: it was not sent, because the person did not want to wait for that. Throws `SettingsChanged` if someone
 * else changed the settings meanwhile.
 */
export async function saveSettings(
  { place, base, fields, areHooksCompared }: SettingsChange,
  deps: SaveSettingsDeps,
): Promise<Project | undefined> {
  const project = await withProjectLock(place, 'settings', deps, () =>
    withProgress(l10n.t('Saving settings of {0}', place.context), ({ signal }) =>
      deps.work.edit(place, base, fields, { signal, areHooksCompared }),
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
  const changed = changedFields(base, fields);
  return fieldOrder.flatMap((name) => {
    if (name === 'hooks') {
      return hookLines(editedHooks(base.hooks, fields.hooks), base, fields);
    }
    return changed.includes(name) ? [`${fieldLabel(name)}: ${valueIn(name, base)} → ${valueIn(name, fields)}`] : [];
  });
}

function hookLines(hooks: readonly HookName[], base: ProjectFields, fields: ProjectFields): readonly string[] {
  return hooks.flatMap((hook) => [
    `${hookLabels[hook]}:`,
    ...scriptLines(base.hooks?.[hook] ?? '', fields.hooks?.[hook] ?? ''),
  ]);
}

/** The scripts that are to be replaced, each with the name of an editor that shows it. */
export function hookChanges(base: ProjectFields, fields: ProjectFields) {
  return editedHooks(base.hooks, fields.hooks).map((hook) => ({
    name: `${hook}.sh`,
    before: base.hooks?.[hook] ?? '',
    after: fields.hooks?.[hook] ?? '',
  }));
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

function lossesOf({ hash = '' }: ProjectSettings, { keyId, hooks, delay }: ProjectFields): readonly string[] {
  const hidden =
    hooks === undefined
      ? l10n.t(
          "The platform doesn't return hooks or the delay between node restarts, so this change may clear them. If the project has any, enter them in its settings first.",
        )
      : l10n.t(
          "The platform doesn't return the delay between node restarts, so this change may clear it. If the project has one, enter it in its settings first.",
        );
  const key = l10n.t(
    'This project has an SSH key, which this change may clear, too. To keep it, enter its ID in the settings.',
  );
  return [
    ...(hooks === undefined || delay === undefined ? [hidden] : []),
    ...(hash === '' || keyId !== undefined ? [] : [key]),
  ];
}

/** Another person changed settings since the user saw them. */
async function takeOver(
  { base, fields }: Omit<SettingsChange, 'place'>,
  now: ProjectFields,
  theirs: readonly FieldName[],
): Promise<boolean> {
  const mine = changedFields(base, fields);
  const rows = theirs.flatMap((name) => {
    const row = fieldChange(name, base, now);
    if (name === 'hooks') {
      return theirHookLines(row, { base, fields }, now);
    }
    return [mine.includes(name) ? l10n.t('{0} (yours: {1})', row, fieldValue(name, fields)) : row];
  });
  const text = l10n.t('Someone else changed this project in the meantime. Save your changes anyway?');
  const explained = l10n.t('If you both changed the same setting, your value is used. All other changes are kept.');
  return confirm(text, [rows.join('\n'), explained], l10n.t('Save Anyway'));
}

function theirHookLines(
  row: string,
  { base, fields }: Omit<SettingsChange, 'place'>,
  now: ProjectFields,
): readonly string[] {
  const both = hooksInTheWay({ base, fields }, now);
  return [
    both.length === 0 ? row : l10n.t('{0} (also changed by you: {1})', row, hooksText(both)),
    ...hookLines(differingHooks(base.hooks, now.hooks), base, now),
  ];
}

/** The hooks of someone else that this change would replace with other scripts. */
function hooksInTheWay({ base, fields }: Omit<SettingsChange, 'place'>, now: ProjectFields): readonly HookName[] {
  const mine = editedHooks(base.hooks, fields.hooks);
  const differing = differingHooks(fields.hooks, now.hooks);
  return differingHooks(base.hooks, now.hooks).filter((hook) => mine.includes(hook) && differing.includes(hook));
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
