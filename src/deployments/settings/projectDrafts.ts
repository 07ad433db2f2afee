import { type Disposable, EventEmitter } from 'vscode';
import type { DraftStore } from './draftStore';
import type { HookName, ProjectFields } from './projectFields';
import { type ProjectDraft, isChanged } from './projectDraft';

/** The settings being edited. They survive closing the page and reloading the window. */
export class ProjectDrafts implements Disposable {
  private readonly drafts = new Map<string, ProjectDraft>();
  private readonly changed = new EventEmitter<string>();
  private restoring: Promise<void> | undefined;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: DraftStore,
    private readonly notKept: (error: unknown) => void,
  ) {}

  get all(): readonly ProjectDraft[] {
    return [...this.drafts.values()];
  }

  /** Loads the drafts of closed windows. Wait for this before using any draft. */
  restored(): Promise<void> {
    // Unreadable records stay on disk; everything else continues without them.
    this.restoring ??= this.restore().catch(this.notKept);
    return this.restoring;
  }

  find(id: string): ProjectDraft | undefined {
    return this.drafts.get(id);
  }

  keep(draft: ProjectDraft): void {
    this.drafts.set(draft.id, draft);
    (isChanged(draft) ? this.store.keep(draft) : this.store.drop(draft)).catch(this.notKept);
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

  /** Makes a script what it was when the edit began. */
  discardHook(id: string, hook: HookName): void {
    const { base, fields } = this.drafts.get(id) ?? {};
    const others = Object.fromEntries(Object.entries(fields?.hooks ?? {}).filter(([name]) => name !== hook));
    const before = base?.hooks?.[hook];
    const hooks = before === undefined ? others : { ...others, [hook]: before };
    const isUnset = base?.hooks === undefined && Object.keys(hooks).length === 0;
    this.change(id, { hooks: isUnset ? undefined : hooks });
  }

  /** Records that the user decided about the password. */
  passwordEntered(id: string): void {
    const draft = this.drafts.get(id);
    if (draft?.lacksPassword === true) {
      this.keep({ ...draft, lacksPassword: false });
    }
  }

  discard(id: string): void {
    const draft = this.drafts.get(id);
    this.drafts.delete(id);
    if (draft !== undefined) {
      this.store.drop(draft).catch(this.notKept);
    }
    this.changed.fire(id);
  }

  /** Deletes the account's drafts, because they contain passwords. */
  async forgetAccount(account: string): Promise<void> {
    for (const { id } of this.all.filter(({ place }) => place.account === account)) {
      this.discard(id);
    }
    await this.store.forgetAccount(account);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async restore(): Promise<void> {
    for (const draft of await this.store.all()) {
      if (!this.drafts.has(draft.id)) {
        this.drafts.set(draft.id, draft);
      }
    }
  }
}
