import * as v from 'valibot';
import type { ParametersOf } from '../../../platform/contract';
import type { ProjectSettings } from '../projects';
import { withoutSecret } from '../repositories/repositoryUrl';
import type { LayerRules } from './fieldChecks';
import { editedHooks } from './hooks';
import {
  type FieldName,
  fieldLabel,
  fieldValue,
  fieldValues,
  newProject,
  type ProjectFields,
  projectFields,
  type WriteOnlySettings,
} from './projectFields';

export const fieldOrder = v.keyof(fieldValues).options;
const shownNames = fieldOrder.filter((name) => projectFields[name].shown !== undefined);

export function fieldsOf(
  context: string,
  settings: ProjectSettings,
  writeOnlySettings: WriteOnlySettings,
): ProjectFields {
  const all = { ...settings, context: settings.context ?? context };
  const shown = Object.fromEntries(shownNames.map((name) => [name, projectFields[name].shown?.(all)]));
  return { ...newProject, ...shown, ...writeOnlySettingsOf(writeOnlySettings) };
}

/** Returns what the platform would show for a project with these fields. */
export function settingsOf(fields: ProjectFields): ProjectSettings {
  return { ...Object.fromEntries(shownNames.map((name) => [name, fields[name]])), atomicDeploy: fields.zdt };
}

export function writeOnlySettingsOf({ keyId, hooks, delay }: Partial<WriteOnlySettings>): WriteOnlySettings {
  return { keyId, hooks, delay };
}

export function storableFields(fields: ProjectFields): ProjectFields {
  const { url } = fields;
  const secrets = fieldOrder.filter((name) => projectFields[name].isSecret);
  return { ...fields, url: withoutSecret(url, ''), ...Object.fromEntries(secrets.map((name) => [name, undefined])) };
}

/** Returns the fields that differ, in page order. */
export function changedFields(before: ProjectFields, after: ProjectFields): readonly FieldName[] {
  return fieldOrder.filter(
    (name) => projectFields[name].differ?.(before, after) ?? !Object.is(before[name], after[name]),
  );
}

export function hasEdits(before: ProjectFields, after: ProjectFields): boolean {
  return changedFields(before, after).length > 0 || editedHooks(before.hooks, after.hooks).length > 0;
}

/**
 * Applies the user's changes to the platform's current values, one by one, also of the hooks.
 * @param base the values that the user saw
 */
export function rebase(base: ProjectFields, changed: ProjectFields, now: ProjectFields): ProjectFields {
  const mine = changedFields(base, changed);
  const values = fieldOrder.map((name) => {
    const { rebased } = projectFields[name];
    return [name, rebased ? rebased(base, changed, now) : (mine.includes(name) ? changed : now)[name]] as const;
  });
  return { ...now, ...Object.fromEntries(values) };
}

export function sentFields(
  fields: ProjectFields,
  before?: ProjectFields,
): Pick<ParametersOf<'EditProject'>, Exclude<FieldName, 'context'>> {
  const { type, url, autoupdate, autoResolveConflict, zdt = false } = fields;
  const values = fieldOrder
    .filter((name) => name !== 'context')
    .map((name) => {
      const { sent } = projectFields[name];
      return [name, sent ? sent(fields, before) : fields[name]] as const;
    });
  return { type, url, autoupdate, autoResolveConflict, zdt, ...Object.fromEntries(values) };
}

/** The fields that the platform does not show as they were sent. */
export function notTaken(wanted: ProjectFields, settings: ProjectSettings): readonly FieldName[] {
  const shown = fieldsOf(wanted.context, settings, writeOnlySettingsOf(wanted));
  return changedFields(storableFields(wanted), shown).filter(
    (name) => projectFields[name].isTaken?.(wanted, shown) !== true,
  );
}

/** A field's change as "name: old → new". */
export function fieldChange(name: FieldName, before: ProjectFields, after: ProjectFields): string {
  const { change } = projectFields[name];
  const values = `${fieldLabel(name)}: ${fieldValue(name, before)} → ${fieldValue(name, after)}`;
  return change?.(before, after) ?? values;
}

export function problemWith(name: FieldName, fields: ProjectFields, rules: LayerRules): string | undefined {
  return projectFields[name].check?.(fields, rules);
}

export function problemsIn(
  fields: ProjectFields,
  rules: LayerRules,
): readonly { readonly name: FieldName; readonly problem: string }[] {
  return fieldOrder.flatMap((name) => {
    const problem = problemWith(name, fields, rules);
    return problem === undefined ? [] : [{ name, problem }];
  });
}
