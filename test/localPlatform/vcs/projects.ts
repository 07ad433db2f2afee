import { join } from 'node:path';
import * as v from 'valibot';
import { openKept, type Kept } from '../kept';
import { projectSchema, type Project, type ProjectSettings } from './project';

const keptSchema = v.strictObject({ nextId: v.number(), projects: v.array(projectSchema) });
const firstId = 301;
type KeptProjects = v.InferOutput<typeof keptSchema>;

/** The key of a project: a layer has one project per context. */
export interface Place {
  readonly envName: string;
  readonly nodeGroup: string;
  readonly context: string;
}

/** Work under the same key runs one after another. */
export const turnOf = ({ envName, nodeGroup, context }: Place): string => `${envName}/${nodeGroup}/${context}`;

/** A project as getenvs returns it. */
export interface Deployment {
  readonly context: string;
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly branch: string;
}

/** The projects of all environments. */
export class Projects {
  readonly #kept: Kept<KeptProjects>;

  private constructor(kept: Kept<KeptProjects>) {
    this.#kept = kept;
  }

  static async open(dataFolder: string): Promise<Projects> {
    return new Projects(
      await openKept(join(dataFolder, 'projects.json'), keptSchema, { nextId: firstId, projects: [] }),
    );
  }

  get all(): readonly Project[] {
    return this.#kept.value.projects;
  }

  /** Whether there was ever a project, even if it was deleted. */
  get wasEverUsed(): boolean {
    return this.#kept.value.nextId > firstId;
  }

  find(place: Place): Project | undefined {
    return this.all.find(
      ({ envName, nodeGroup, context }) =>
        envName === place.envName && nodeGroup === place.nodeGroup && context === place.context,
    );
  }

  /** Returns the `deployments` of a layer. */
  deployments(envName: string, nodeGroup: string): readonly Deployment[] {
    return this.all
      .filter((project) => project.envName === envName && project.nodeGroup === nodeGroup)
      .map(({ context, type, url, branch, id }) => ({ context, name: String(id), type, url, branch }));
  }

  async add(place: Place, settings: ProjectSettings, now: number): Promise<Project> {
    const project = this.#create(place, settings, now);
    await this.save();
    return project;
  }

  /** Adds projects with the same settings. */
  async addAll(places: readonly Place[], settings: ProjectSettings, now: number): Promise<void> {
    for (const place of places) this.#create(place, settings, now);
    await this.save();
  }

  async remove(project: Project): Promise<void> {
    this.#kept.value.projects = this.#kept.value.projects.filter(({ id }) => id !== project.id);
    await this.save();
  }

  save(): Promise<void> {
    return this.#kept.save();
  }

  #create(place: Place, settings: ProjectSettings, now: number): Project {
    const id = this.#kept.value.nextId++;
    const project: Project = { ...settings, ...place, id, deployed: {}, log: '', checkedAt: now };
    this.#kept.value.projects.push(project);
    return project;
  }
}
