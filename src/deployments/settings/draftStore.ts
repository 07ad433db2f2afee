import * as v from 'valibot';
import { digestOf, JsonFolder } from '../../storage/jsonFolder';
import { placeEntries } from '../projectPlace';
import { newProject, type ProjectFields } from './projectFields';
import { withoutSecret } from '../repositories/repositoryUrl';
import { storedHooks } from './writeOnlySettings';
import type { ProjectDraft } from './projectDraft';

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
      singleContext: v.boolean(),
      taken: v.exactOptional(v.array(v.string())),
    }),
  }),
  v.transform(({ base, fields: changed, rules, ...draft }): ProjectDraft => ({
    ...draft,
    base: { ...newProject, zdt: undefined, ...base },
    fields: { ...newProject, zdt: undefined, ...changed },
    rules: { contextPattern: undefined, ...rules },
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
