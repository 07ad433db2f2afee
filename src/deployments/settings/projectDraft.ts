import type { ProjectPlace } from '../projectPlace';
import type { ContextRules } from './fieldProblems';
import { type ProjectFields, changedFields, type HookName } from './projectFields';

/** Settings that are being edited and were not sent yet. */
export interface ProjectDraft {
  readonly id: string;
  /** The project that is edited; for a new one, its future place. */
  readonly place: ProjectPlace;
  readonly isNew: boolean;
  /** What the platform said when the edit began. */
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
  /** One was entered in a window that has ended: it is kept nowhere, so it has to be entered again. */
  readonly lacksPassword: boolean;
  readonly rules: ContextRules;
}

/** Whether the draft has another script than what the platform is known to have. */
export function isHookChanged({ base, fields }: ProjectDraft, hook: HookName): boolean {
  return (base.hooks?.[hook] ?? '') !== (fields.hooks?.[hook] ?? '');
}

export function isChanged({ base, fields, isNew, lacksPassword }: ProjectDraft): boolean {
  return isNew || lacksPassword || changedFields(base, fields).length > 0;
}
