import type { ProjectPlace } from '../projectPlace';
import type { ContextRules } from './fieldProblems';
import { type ProjectFields, changedFields, type HookName } from './projectFields';

/** Settings that are being edited and weren't sent yet. */
export interface ProjectDraft {
  readonly id: string;
  /** The project that is edited; for a new one, its future place. */
  readonly place: ProjectPlace;
  readonly isNew: boolean;
  /** The platform's values when the edit started. */
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
  /** A password was entered in a window that has closed. It's never stored, so it must be entered again. */
  readonly lacksPassword: boolean;
  readonly rules: ContextRules;
}

/** Whether the draft's script differs from the platform's, as far as that's known. */
export function isHookChanged({ base, fields }: ProjectDraft, hook: HookName): boolean {
  return (base.hooks?.[hook] ?? '') !== (fields.hooks?.[hook] ?? '');
}

export function isChanged({ base, fields, isNew, lacksPassword }: ProjectDraft): boolean {
  return isNew || lacksPassword || changedFields(base, fields).length > 0;
}
