import * as v from 'valibot';
import { type Disposable, EventEmitter } from 'vscode';
import { digestOf, JsonFolder } from '../../storage/jsonFolder';
import { placeEntries, type ProjectPlace } from '../projectPlace';
import { withoutSecret } from '../repositories/repositoryUrl';
import type { LayerRules } from './fieldProblems';
import { changedFields, type HookName, newProject, type ProjectFields } from './projectFields';
import { technologyNames } from './technology';
import { storedHooks } from './writeOnlySettings';

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
  readonly rules: LayerRules;
}

/** Whether the draft's script differs from the platform's, as far as that's known. */
export function isHookChanged({ base, fields }: ProjectDraft, hook: HookName): boolean {
  return (base.hooks?.[hook] ?? '') !== (fields.hooks?.[hook] ?? '');
}

export function isChanged({ base, fields, isNew, lacksPassword }: ProjectDraft): boolean {
  return isNew || lacksPassword || changedFields(base, fields).length > 0;
}

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

const fields = v.object({
  type: v.picklist(['GIT', 'SVN']),
  context: v.string(),
  url: v.string(),
  branch: v.string(),
  login: v.string(),
  autoupdate: v.boolean(),
  interval: v.string(),
  autoResolveConflict: v.boolean(),
  zdt: v.optional(v.boolean()),
  repoHash: v.string(),
  keyId: v.optional(v.number()),
  hooks: v.optional(storedHooks),
  delay: v.optional(v.number()),
});
const storedDraft = v.pipe(
  v.object({
    id: v.string(),
    place: v.object(placeEntries),
    isNew: v.boolean(),
    base: fields,
    fields,
    lacksPassword: v.boolean(),
    rules: v.object({
      contextPattern: v.optional(v.string()),
      singleContext: v.exactOptional(v.boolean()),
      taken: v.exactOptional(v.array(v.string())),
      technology: v.optional(v.picklist(technologyNames)),
    }),
  }),
  v.transform(({ base, fields: changed, ...draft }): ProjectDraft => ({
    ...draft,
    base: { ...newProject, zdt: undefined, ...base },
    fields: { ...newProject, zdt: undefined, ...changed },
  })),
);

/**
 * Stores drafts on disk, so that they survive closing the window. Only the owner can read the files, because scripts
 * may contain secrets. Passwords aren't stored, only that there was one.
 */
export class DraftStore {
  private readonly files: JsonFolder<ProjectDraft>;

  constructor(readonly folder: string) {
    this.files = new JsonFolder(folder, storedDraft);
  }

  async all(): Promise<readonly ProjectDraft[]> {
    return [...(await this.files.list()).values()];
  }

  keep(draft: ProjectDraft): Promise<void> {
    return this.files.write(keyFor(draft), keepableDraft(draft));
  }

  drop(draft: Pick<ProjectDraft, 'id' | 'place'>): Promise<void> {
    return this.files.remove(keyFor(draft));
  }

  forgetAccount(account: string): Promise<void> {
    return this.files.removeAll(account);
  }

  /** Resolves when all pending writes are done. */
  settled(): Promise<void> {
    return this.files.settled();
  }
}

function keyFor({ id, place }: Pick<ProjectDraft, 'id' | 'place'>): string {
  return `${place.account}/${digestOf(id)}`;
}

function keepableDraft(draft: ProjectDraft): ProjectDraft {
  const { id, isNew, rules, lacksPassword } = draft;
  const { account, environment, layer, context } = draft.place;
  const place = { account, environment, layer, context };
  const hadPassword = (draft.fields.password ?? '') !== '';
  const shown = { base: keepable(draft.base), fields: keepable(draft.fields) };
  return { id, place, isNew, rules, ...shown, lacksPassword: lacksPassword || hadPassword };
}

function keepable(entered: ProjectFields): ProjectFields {
  const { url } = entered;
  const plainUrl = withoutSecret(url) === url ? url : url.replace(/\/\/[^/\s]+@/, '//');
  return { ...entered, url: plainUrl, password: undefined };
}
