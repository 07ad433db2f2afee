import { SharedCalls } from '../../async/sharedCalls';
import * as v from 'valibot';
import { type Disposable, EventEmitter, type Memento } from 'vscode';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { Environment } from '../../containers/environment';
import type { AnswerOf } from '../../platform/contract';
import { onPlatformError } from '../../platform/errors';
import { knownProjectsKey } from '../../storage/storageKeys';
import type { Containers } from '../../containers/containers';
import { pinnedCommit } from './commits';
import {
  foldersOf,
  placeOfProject,
  projectAddress,
  listedProjects,
  placeEntries,
  projectKey,
  type ProjectPlace,
} from './projectPlace';
import { withoutSecret } from './repositories/repositoryUrl';

export type ProjectSettings = AnswerOf<'GetProject'>;

export interface Project {
  readonly place: ProjectPlace;
  readonly settings: ProjectSettings;
}

/** The projects of all environments, both listed by the platform and used from here. */
export class Projects implements Disposable {
  private readonly asked = new SharedCalls<Project>();
  private readonly latest = new Map<string, Project>();
  /** The keys of projects to read again when they're needed next, although their last state is known. */
  private readonly outdated = new Set<string>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly containers: Pick<Containers, 'account'>,
    private readonly known: KnownProjects,
  ) {}

  of(environment: Environment): readonly ProjectPlace[] {
    const listed = listedProjects(environment);
    const keys = new Set(listed.map(projectKey));
    const remembered = this.known.in(environment).filter((project) => !keys.has(projectKey(project)));
    return [...listed, ...remembered.map(placeOfProject)];
  }

  /** Returns the last known state of a project, without a request. */
  last(place: ProjectPlace): Project | undefined {
    return this.latest.get(projectKey(place));
  }

  /** Whether a project was pinned to a commit when it was last read. */
  isPinned(place: ProjectPlace): boolean {
    const last = this.last(place);
    return last !== undefined && pinnedCommit(last.settings) !== undefined;
  }

  /** The branch that a project is to follow again after a roll back to a branch of Gantry's, if that's known here. */
  branchBefore(place: ProjectPlace): string | undefined {
    const { rolledBack, branch } = this.known.find(place) ?? {};
    return rolledBack?.to === branch ? rolledBack?.from : undefined;
  }

  get isAnyPinned(): boolean {
    return [...this.latest.values()].some(({ settings }) => pinnedCommit(settings) !== undefined);
  }

  /** Asks the platform only if the project's state isn't known yet, or was last read before a refresh. */
  async lastOrRead(place: ProjectPlace, options?: AccountCallOptions): Promise<Project> {
    const last = this.outdated.has(projectKey(place)) ? undefined : this.last(place);
    return last ?? this.read(place, options);
  }

  refresh(): void {
    // What is on its way may be older.
    this.asked.forgetAll();
    for (const key of this.latest.keys()) {
      this.outdated.add(key);
    }
  }

  /** Reads from the platform. Concurrent callers share the response. */
  read(place: ProjectPlace, options?: AccountCallOptions): Promise<Project> {
    return this.asked.share(projectKey(place), (isNewest) => this.ask(place, isNewest, options));
  }

  /** Reads with a new request, because the answer to one on its way may be older. */
  readAgain(place: ProjectPlace): Promise<Project> {
    this.asked.forget(projectKey(place));
    return this.read(place);
  }

  /** Adds a project that the platform doesn't list, if GetProject finds it. Always sends a new request. */
  async add(place: ProjectPlace): Promise<Project> {
    const project = await this.readAgain(place);
    this.changed.fire(place);
    return project;
  }

  /** Takes a project that certainly exists, but can't be read right now. */
  async addUnseen({ place, settings }: Project): Promise<void> {
    this.latest.delete(projectKey(place));
    await this.rememberSettings(place, settings);
    this.changed.fire(place);
  }

  async forget(place: ProjectPlace): Promise<void> {
    // A response that is still on its way must not bring it back.
    this.asked.forget(projectKey(place));
    this.latest.delete(projectKey(place));
    await this.known.forget(place);
    this.changed.fire(place);
  }

  /** Someone may sign in to the same account again later, and then its projects may be others. */
  forgetAccount(account: string): void {
    this.asked.forgetAll();
    for (const [key, { place }] of this.latest) {
      if (place.account === account) {
        this.latest.delete(key);
      }
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async rememberSettings(place: ProjectPlace, { type: kind, url, branch }: ProjectSettings): Promise<void> {
    await this.known.remember(place, { kind, url: url && withoutSecret(url), branch });
  }

  /** @param isNewest whether no later call was made: an older answer must not replace a newer one */
  private async ask(place: ProjectPlace, isNewest: () => boolean, options?: AccountCallOptions): Promise<Project> {
    const account = this.containers.account(place.account);
    const settings = await account.call('GetProject', projectAddress(place), options).catch(
      onPlatformError((error) => {
        if (isNewest() && this.latest.delete(projectKey(place))) {
          // Its row and its state are about a project that is gone.
          this.changed.fire(place);
        }
        throw error;
      }, 'notFound'),
    );
    const project = { place, settings };
    if (isNewest()) {
      this.latest.set(projectKey(place), project);
      this.outdated.delete(projectKey(place));
      await this.rememberSettings(place, settings);
    }
    return project;
  }
}

const knownProject = v.object({
  ...placeEntries,
  kind: v.optional(v.picklist(['GIT', 'SVN'])),
  url: v.optional(v.string()),
  branch: v.optional(v.string()),
  /** The context's folder in the containers: found by its clone, or entered by the user. */
  folder: v.optional(v.string()),
  /** The user entered it, and no clone was ever seen there. */
  isFolderUnconfirmed: v.optional(v.boolean()),
  /** The user was asked for the folder, and isn't asked again. */
  wasAskedForFolder: v.optional(v.boolean()),
  /** The branch before it was rolled back to a branch of Gantry's. Someone may have rolled it back elsewhere since. */
  rolledBack: v.optional(v.object({ from: v.string(), to: v.string() })),
});
/** A project as remembered between sessions. Contains no secrets. */
export type KnownProject = v.InferOutput<typeof knownProject>;

const knownProjects = v.fallback(v.array(knownProject), []);

function parsedProjects(stored: unknown) {
  const all = v.parse(knownProjects, stored);
  const byEnvironment = new Map<string, KnownProject[]>();
  for (const project of all) {
    const key = `${project.account}/${project.environment}`;
    byEnvironment.set(key, [...(byEnvironment.get(key) ?? []), project]);
  }
  return { stored, all, byKey: new Map(all.map((project) => [projectKey(project), project])), byEnvironment };
}

/**
 * Remembers the projects that were seen or used here, because the platform can't list them and a context that the user
 * entered would be lost.
 */
export class KnownProjects {
  private parsed: ReturnType<typeof parsedProjects> | undefined;

  /** @param isForgotten whether the account was signed out: what ends later must not bring its projects back */
  constructor(
    private readonly state: Pick<Memento, 'get' | 'update'>,
    private readonly isForgotten: (account: string) => boolean = () => false,
  ) {}

  get all(): readonly KnownProject[] {
    return this.read().all;
  }

  find(place: ProjectPlace): KnownProject | undefined {
    return this.read().byKey.get(projectKey(place));
  }

  in({ account, name }: Environment): readonly KnownProject[] {
    return this.read().byEnvironment.get(`${account}/${name}`) ?? [];
  }

  /** The project's folder where it is known, else where it may be. */
  folders(place: ProjectPlace): readonly string[] {
    return foldersOf(this.find(place) ?? place);
  }

  /** Whether a clone was ever found in the known folder. */
  isFolderFound(place: ProjectPlace): boolean {
    const { folder, isFolderUnconfirmed } = this.find(place) ?? {};
    return folder !== undefined && isFolderUnconfirmed !== true;
  }

  async remember(place: ProjectPlace, found: Partial<Omit<KnownProject, keyof ProjectPlace>> = {}): Promise<void> {
    const before = this.find(place);
    const after = { ...before, ...found, ...placeOfProject(place) };
    const isKnown = before !== undefined && JSON.stringify(before) === JSON.stringify({ ...before, ...after });
    if (isKnown || this.isForgotten(place.account)) {
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

  /** Parses again only if the memory has changed, here or in another window: with many projects, that takes a while. */
  private read() {
    const stored: unknown = this.state.get(knownProjectsKey);
    if (this.parsed === undefined || this.parsed.stored !== stored) {
      this.parsed = parsedProjects(stored);
    }
    return this.parsed;
  }
}
