import { type Disposable, EventEmitter } from 'vscode';
import { SharedCalls } from '../async/sharedCalls';
import type { AccountCallOptions } from '../accounts/signedInAccount';
import type { Environment } from '../containers/environment';
import type { AnswerOf } from '../platform/contract';
import { isPlatformError } from '../platform/errors';
import type { Containers } from '../containers/containers';
import type { KnownProjects } from './knownProjects';
import { projectAddress, listedProjects, projectKey, type ProjectPlace } from './projectPlace';
import { withoutSecret } from './repositories/repositoryUrl';

export type ProjectSettings = AnswerOf<'GetProject'>;

/** A project as the platform describes it. */
export interface Project {
  readonly place: ProjectPlace;
  readonly settings: ProjectSettings;
}

/** The projects of all environments: those the platform lists, and those that were used from here. */
export class Projects implements Disposable {
  private readonly asked = new SharedCalls<Project>();
  private readonly latest = new Map<string, Project>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  /** Another project is known, or more of one. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly containers: Pick<Containers, 'account'>,
    private readonly known: KnownProjects,
  ) {}

  of(environment: Environment): readonly ProjectPlace[] {
    const listed = listedProjects(environment);
    const keys = new Set(listed.map(projectKey));
    const remembered = this.known.all.filter(
      (project) =>
        project.account === environment.account &&
        project.environment === environment.name &&
        !keys.has(projectKey(project)),
    );
    return [
      ...listed,
      ...remembered.map(({ account, environment, layer, context }) => ({ account, environment, layer, context })),
    ];
  }

  /** What was last heard of the project, without asking. */
  last(place: ProjectPlace): Project | undefined {
    return this.latest.get(projectKey(place));
  }

  /** Asks the platform. Callers at the same time share the answer. */
  read(place: ProjectPlace, options?: AccountCallOptions): Promise<Project> {
    return this.asked.share(projectKey(place), (isNewest) => this.ask(place, isNewest, options));
  }

  /** Takes a project that the platform does not list, if GetProject knows it: as it is now, whatever was asked before. */
  async add(place: ProjectPlace): Promise<Project> {
    this.asked.forget(projectKey(place));
    const project = await this.read(place);
    this.changed.fire(place);
    return project;
  }

  /** Takes a project that is sure to be there, and that nobody can look at right now. */
  async addUnseen({ place, settings }: Project): Promise<void> {
    const { type: kind, url, branch } = settings;
    this.latest.delete(projectKey(place));
    await this.known.remember(place, { kind, url: url && withoutSecret(url), branch });
    this.changed.fire(place);
  }

  async forget(place: ProjectPlace): Promise<void> {
    this.latest.delete(projectKey(place));
    await this.known.forget(place);
    this.changed.fire(place);
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** @param isNewest whether nobody has asked after this: an older answer does not have the last word */
  private async ask(place: ProjectPlace, isNewest: () => boolean, options?: AccountCallOptions): Promise<Project> {
    try {
      const account = this.containers.account(place.account);
      const settings = await account.call('GetProject', projectAddress(place), options);
      const project = { place, settings };
      if (isNewest()) {
        this.latest.set(projectKey(place), project);
        const { type: kind, url, branch } = settings;
        await this.known.remember(place, { kind, url: url && withoutSecret(url), branch });
      }
      return project;
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'notFound') {
        this.latest.delete(projectKey(place));
      }
      throw error;
    }
  }
}
