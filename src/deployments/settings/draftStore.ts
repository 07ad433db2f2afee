import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { KeyedQueue } from '../../async/keyedQueue';
import { namesIn, readIfThere, writePrivateFile } from '../../storage/privateFiles';

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
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    place: v.object({ account: v.string(), environment: v.string(), layer: v.string(), context: v.string() }),
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
);

/**
 * Drafts on disk, so that they outlive their window. Scripts may hold secrets, so the files are for their owner alone. A
 * password is never kept, only that there was one.
 */
export class DraftStore {
  private readonly queue = new KeyedQueue();

  constructor(readonly folder: string) {}

  async all(): Promise<readonly ProjectDraft[]> {
    const accounts = await namesIn(this.folder);
    const files = await Promise.all(
      accounts.map(async (account) =>
        (await namesIn(join(this.folder, account))).map((name) => join(this.folder, account, name)),
      ),
    );
    const drafts = await Promise.all(files.flat().map(readDraft));
    return drafts.flatMap((draft) => draft ?? []);
  }

  keep(draft: ProjectDraft): Promise<void> {
    return this.inTurn(() => writePrivateFile(this.fileOf(draft), textOf(draft)));
  }

  drop(draft: Pick<ProjectDraft, 'id' | 'place'>): Promise<void> {
    return this.inTurn(() => rm(this.fileOf(draft), { force: true }));
  }

  forgetAccount(account: string): Promise<void> {
    return this.inTurn(() => rm(join(this.folder, account), { recursive: true, force: true }));
  }

  /** Settles when all that was to be written is. */
  async settled(): Promise<void> {
    await this.queue.settled();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    return this.queue.take(this.folder, work);
  }

  private fileOf({ id, place }: Pick<ProjectDraft, 'id' | 'place'>): string {
    const name = createHash('sha256').update(id).digest('hex').slice(0, 24);
    return join(this.folder, place.account, `${name}.json`);
  }
}

function textOf(draft: ProjectDraft): string {
  const { id, isNew, rules, lacksPassword } = draft;
  const { account, environment, layer, context } = draft.place;
  const place = { account, environment, layer, context };
  const hadPassword = (draft.fields.password ?? '') !== '';
  const shown = { base: keepable(draft.base), fields: keepable(draft.fields) };
  return JSON.stringify({ id, place, isNew, rules, ...shown, lacksPassword: lacksPassword || hadPassword });
}

function keepable(entered: ProjectFields): ProjectFields {
  const { url } = entered;
  const plainUrl = withoutSecret(url) === url ? url : url.replace(/\/\/[^/\s]+@/, '//');
  return { ...entered, url: plainUrl, password: undefined };
}

/** Discarded in the meantime by another window or version, so it isn't a draft for this one. */
async function readDraft(file: string): Promise<ProjectDraft | undefined> {
  const parsed = v.safeParse(storedDraft, await readIfThere(file));
  if (!parsed.success) {
    return undefined;
  }
  const { base, fields: changed, rules, ...draft } = parsed.output;
  return {
    ...draft,
    base: { ...newProject, zdt: undefined, ...base },
    fields: { ...newProject, zdt: undefined, ...changed },
    rules: { contextPattern: undefined, ...rules },
  };
}
