import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Disposable, EventEmitter } from 'vscode';
import { SharedCalls } from '../../../async/sharedCalls';
import { digestOf, type JsonFile, JsonFolder } from '../../../storage/stores';
import { placeEntries, placeOfProject, projectKey, type ProjectPlace } from '../projectPlace';
import type { LayerRules } from './fieldChecks';
import { hasEdits, rebase, storableFields } from './fieldChanges';
import { editedHooks, type HookName } from './hooks';
import { fieldValues, newProject, type ProjectFields } from './projectFields';
import { technologyNames } from './technology';

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
  return editedHooks(base.hooks, fields.hooks).includes(hook);
}

export function isChanged({ base, fields, isNew, lacksPassword }: ProjectDraft): boolean {
  return isNew || lacksPassword || hasEdits(base, fields);
}

/**
 * The settings being edited. They survive closing the page and reloading the window. Only the owner can read the files,
 * because scripts may contain secrets; of passwords, they only say that there was one. All windows share the files, so a
 * window replaces or removes only what it has read or written itself: what another window stored since counts.
 */
export class ProjectDrafts implements Disposable {
  private readonly files: JsonFolder<ProjectDraft>;
  private readonly drafts = new Map<string, ProjectDraft>();
  /** The drafts on disk, as this window last read or wrote them. */
  private readonly stored = new Map<string, ProjectDraft>();
  /** Drafts that another window has sent or discarded, without their changes. A hook's editor here may still have text. */
  private readonly taken = new Map<string, ProjectDraft>();
  private readonly changed = new EventEmitter<string>();
  private readonly reading = new SharedCalls<void>();
  private isUnreadableSaid = false;
  readonly onDidChange = this.changed.event;

  constructor(
    readonly folder: string,
    private readonly notKept: (error: unknown) => void,
  ) {
    this.files = new JsonFolder(folder, storedDraft);
  }

  get all(): readonly ProjectDraft[] {
    return [...this.drafts.values()];
  }

  /** The IDs of all drafts that a hook's editor can be saved to. */
  get ids(): readonly string[] {
    return [...this.drafts.keys(), ...this.taken.keys()];
  }

  /** Reads the drafts of all windows, also closed ones. Wait for this before using any draft. */
  restored(): Promise<void> {
    return this.reading.share('', () => this.read().catch((error: unknown) => this.notRead(error)));
  }

  /** Reads a draft as `restored` does, and forgets it if another window has sent or discarded it. */
  async refresh(id: string): Promise<ProjectDraft | undefined> {
    await this.restored();
    const draft = this.drafts.get(id);
    if (draft !== undefined) {
      await this.files
        .change(keyFor(draft), (file) => this.takeFrom(file, id, { mayBeGone: true }))
        .catch((error: unknown) => this.notRead(error));
    }
    return this.drafts.get(id);
  }

  find(id: string): ProjectDraft | undefined {
    return this.drafts.get(id);
  }

  /** Whether another window has sent or discarded the draft that this window had. */
  isTaken(id: string): boolean {
    return this.taken.has(id);
  }

  keep(draft: ProjectDraft): void {
    this.taken.delete(draft.id);
    this.drafts.set(draft.id, draft);
    this.save(draft);
    this.changed.fire(draft.id);
  }

  change(id: string, fields: Partial<ProjectFields>): void {
    const draft = this.drafts.get(id);
    if (draft !== undefined) {
      this.keep({ ...draft, fields: { ...draft.fields, ...fields } });
    }
  }

  /** Begins another draft if another window has sent or discarded the one that the script belonged to. */
  changeHook(id: string, hook: HookName, script: string): void {
    const draft = this.drafts.get(id) ?? this.taken.get(id);
    if (draft !== undefined) {
      this.keep({ ...draft, fields: { ...draft.fields, hooks: { ...draft.fields.hooks, [hook]: script } } });
    }
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

  /** Removes a draft that the platform has now, unless it has changed since. Then it goes on from what was sent. */
  sent({ id, place, fields }: ProjectDraft, project: ProjectPlace): void {
    const draft = this.drafts.get(id);
    if (draft !== undefined && !isDeepStrictEqual(draft.fields, fields)) {
      this.keep({ ...draft, id: projectKey(project), place: { ...place, ...project }, isNew: false, base: fields });
    }
    if (draft === undefined || id !== projectKey(project) || isDeepStrictEqual(draft.fields, fields)) {
      this.discard(id);
    }
  }

  discard(id: string): void {
    const draft = this.drafts.get(id);
    this.drafts.delete(id);
    if (draft !== undefined) {
      this.save(draft);
    }
    this.changed.fire(id);
  }

  /** Resolves when all drafts are on disk. */
  settled(): Promise<void> {
    return this.files.settled();
  }

  /** Deletes the account's drafts, because scripts in them may contain secrets. */
  async forgetAccount(account: string): Promise<void> {
    for (const { id } of [...this.all, ...this.taken.values()].filter(({ place }) => place.account === account)) {
      this.forget(id);
      this.taken.delete(id);
    }
    await this.files.removeAll(account);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async read(): Promise<void> {
    for (const [key, draft] of await this.files.list()) {
      await this.files.change(key, (file) => this.takeFrom(file, draft.id));
    }
  }

  /** Unreadable records stay on disk; everything else continues without them. That's said once, but they're read often. */
  private notRead(error: unknown): void {
    if (!this.isUnreadableSaid) {
      this.isUnreadableSaid = true;
      this.notKept(error);
    }
  }

  /** Stores a draft as it is by then, or removes its file if it's sent, discarded or unchanged. */
  private save({ id, place }: ProjectDraft): void {
    const saving = this.files.change(keyFor({ id, place }), async (file) => {
      await this.takeFrom(file, id);
      const draft = this.drafts.get(id);
      if (draft !== undefined && isChanged(draft)) {
        const stored = keepableDraft(draft);
        await file.write(stored);
        this.stored.set(id, stored);
      } else if (this.stored.delete(id)) {
        await file.remove();
      }
    });
    saving.catch(this.notKept);
  }

  /** Takes over what another window has stored since this one last read or wrote the file. */
  private async takeFrom(file: JsonFile<ProjectDraft>, id: string, { mayBeGone = false } = {}): Promise<void> {
    const theirs = await file.read();
    const before = this.stored.get(id);
    if (theirs === undefined) {
      if (before !== undefined && mayBeGone) {
        const mine = this.drafts.get(id) ?? before;
        this.taken.set(id, { ...mine, fields: mine.base });
        this.forget(id);
      }
      return;
    }
    if (before !== undefined && isStoredAlike(before, theirs)) {
      return;
    }
    this.stored.set(id, theirs);
    const mine = this.drafts.get(id);
    this.drafts.set(id, mine === undefined ? theirs : merged(theirs, mine, before?.fields ?? mine.base));
    this.changed.fire(id);
  }

  private forget(id: string): void {
    this.drafts.delete(id);
    this.stored.delete(id);
    this.changed.fire(id);
  }
}

function isStoredAlike(one: ProjectDraft, other: ProjectDraft): boolean {
  const [text, otherText] = [one, other].map((draft): unknown => JSON.parse(JSON.stringify(draft)));
  return isDeepStrictEqual(text, otherText);
}

/**
 * Returns a draft that another window stored, with this window's changes of other settings and hooks.
 * @param before the settings that both windows started from
 */
function merged(theirs: ProjectDraft, mine: ProjectDraft, before: ProjectFields): ProjectDraft {
  const fields = rebase(before, theirs.fields, mine.fields);
  const hasPassword = (fields.password ?? '') !== '';
  return { ...theirs, fields, lacksPassword: !hasPassword && theirs.lacksPassword };
}

const storedDraft = v.pipe(
  v.object({
    id: v.string(),
    place: v.object(placeEntries),
    isNew: v.boolean(),
    base: fieldValues,
    fields: fieldValues,
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

function keyFor({ id, place }: Pick<ProjectDraft, 'id' | 'place'>): string {
  return `${place.account}/${digestOf(id)}`;
}

function keepableDraft(draft: ProjectDraft): ProjectDraft {
  const { id, isNew, rules, lacksPassword } = draft;
  const place = placeOfProject(draft.place);
  const hadPassword = (draft.fields.password ?? '') !== '';
  const shown = { base: storableFields(draft.base), fields: storableFields(draft.fields) };
  return { id, place, isNew, rules, ...shown, lacksPassword: lacksPassword || hadPassword };
}
