import { type Disposable, EventEmitter } from 'vscode';
import type { ContextRules } from './fieldProblems';
import { differences, type HookName, type ProjectFields } from './projectFields';
import type { ProjectPlace } from './projectPlace';

/** Settings that are being edited and were not sent yet. */
export interface ProjectDraft {
  readonly id: string;
  /** The project that is edited; of a new one, where it will stand. */
  readonly place: ProjectPlace;
  readonly isNew: boolean;
  /** What the platform said when the edit began. */
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
  readonly rules: ContextRules;
}

/** The settings that are being edited in this window: closing the page loses none of them. */
export class ProjectDrafts implements Disposable {
  private readonly drafts = new Map<string, ProjectDraft>();
  private readonly changed = new EventEmitter<string>();
  readonly onDidChange = this.changed.event;

  get all(): readonly ProjectDraft[] {
    return [...this.drafts.values()];
  }

  find(id: string): ProjectDraft | undefined {
    return this.drafts.get(id);
  }

  keep(draft: ProjectDraft): void {
    this.drafts.set(draft.id, draft);
    this.changed.fire(draft.id);
  }

  change(id: string, fields: Partial<ProjectFields>): void {
    const draft = this.drafts.get(id);
    if (draft !== undefined) {
      this.keep({ ...draft, fields: { ...draft.fields, ...fields } });
    }
  }

  changeHook(id: string, hook: HookName, script: string): void {
    const hooks = this.drafts.get(id)?.fields.hooks;
    this.change(id, { hooks: { ...hooks, [hook]: script } });
  }

  discard(id: string): void {
    this.drafts.delete(id);
    this.changed.fire(id);
  }

  /** They hold passwords: none outlives its account. */
  forgetAccount(account: string): void {
    for (const { id } of this.all.filter(({ place }) => place.account === account)) {
      this.discard(id);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

export function isChanged({ base, fields }: ProjectDraft): boolean {
  return differences(base, fields).length > 0;
}
