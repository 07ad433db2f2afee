import type { Memento } from 'vscode';
import * as v from 'valibot';
import { knownProjectsKey } from '../storage/storageKeys';
import { type ProjectPlace, projectKey } from './projectPlace';

const knownProject = v.object({
  account: v.string(),
  environment: v.string(),
  layer: v.string(),
  context: v.string(),
  kind: v.optional(v.picklist(['GIT', 'SVN'])),
  url: v.optional(v.string()),
  branch: v.optional(v.string()),
  /** Where the context's folder lies in the containers: found by its clone, or told by the person. */
  folder: v.optional(v.string()),
  /** The person's word alone says so: no clone was ever seen there. */
  folderIsTold: v.optional(v.boolean()),
  /** The person was asked for the folder: nobody is asked twice. */
  askedForFolder: v.optional(v.boolean()),
});
/** What is remembered of a project between sessions. It holds no secret. */
export type KnownProject = v.InferOutput<typeof knownProject>;

const knownProjects = v.fallback(v.array(knownProject), []);

/**
 * The projects that were seen or used from here. The platform has no operation that lists projects, so a context that
 * was once entered must not be forgotten.
 */
export class KnownProjects {
  constructor(private readonly state: Pick<Memento, 'get' | 'update'>) {}

  get all(): readonly KnownProject[] {
    return v.parse(knownProjects, this.state.get(knownProjectsKey));
  }

  find(place: ProjectPlace): KnownProject | undefined {
    return this.all.find((known) => projectKey(known) === projectKey(place));
  }

  /** Adds to what is remembered; what is not given stays as it was. */
  async remember(place: ProjectPlace, found: Partial<Omit<KnownProject, keyof ProjectPlace>> = {}): Promise<void> {
    const { account, environment, layer, context } = place;
    const before = this.find(place);
    const after = { ...before, ...found, account, environment, layer, context };
    if (before !== undefined && JSON.stringify(before) === JSON.stringify({ ...before, ...after })) {
      return;
    }
    await this.state.update(knownProjectsKey, [...this.without(place), after]);
  }

  async forget(place: ProjectPlace): Promise<void> {
    await this.state.update(knownProjectsKey, this.without(place));
  }

  async forgetAccount(account: string): Promise<void> {
    await this.state.update(
      knownProjectsKey,
      this.all.filter((known) => known.account !== account),
    );
  }

  private without(place: ProjectPlace): KnownProject[] {
    return this.all.filter((known) => projectKey(known) !== projectKey(place));
  }
}
