import type { Containers } from '../remote/containers';
import type { KnownProjects } from './knownProjects';
import { type ProjectFields, sentFields, setHereOf } from './projectFields';
import { addressOf, type ProjectPlace } from './projectPlace';
import type { Project, Projects } from './projects';
import type { SetHereStore } from './setHereStore';

/** Makes, changes and removes projects. What was set from here is kept only when the platform has taken it. */
export class ProjectWork {
  constructor(
    private readonly parts: {
      readonly containers: Pick<Containers, 'account'>;
      readonly projects: Projects;
      readonly known: KnownProjects;
      readonly setHere: SetHereStore;
    },
  ) {}

  async create(home: Omit<ProjectPlace, 'context'>, fields: ProjectFields): Promise<Project> {
    const { containers, setHere, projects } = this.parts;
    const place = { ...home, context: fields.context };
    // Deploying is another step, which is watched and followed up.
    const wanted = { ...sentFields(fields), ...addressOf(place), updateNow: false };
    await containers.account(home.account).call('CreateProject', wanted);
    await setHere.keep(place, setHereOf(fields));
    return projects.add(place);
  }

  /** Sends the whole set: what EditProject is not sent may be lost. Answers the project under its new context. */
  async edit(place: ProjectPlace, before: ProjectFields, fields: ProjectFields): Promise<Project> {
    const { containers, setHere, projects } = this.parts;
    const { envName, nodeGroup } = addressOf(place);
    const contexts = { oldcontext: place.context, newcontext: fields.context };
    const wanted = { ...sentFields(fields, before), envName, nodeGroup, ...contexts };
    await containers.account(place.account).call('EditProject', wanted);
    const after = { ...place, context: fields.context };
    await setHere.keep(after, setHereOf(fields));
    if (after.context !== place.context) {
      await setHere.forget(place);
      await this.moveKnowledge(place, after);
    }
    return projects.add(after);
  }

  async delete(place: ProjectPlace): Promise<void> {
    const { containers, setHere, projects } = this.parts;
    await containers.account(place.account).call('DeleteProject', addressOf(place));
    await setHere.forget(place);
    await projects.forget(place);
  }

  private async moveKnowledge(from: ProjectPlace, to: ProjectPlace): Promise<void> {
    const { known, projects } = this.parts;
    const folder = known.find(from)?.folder;
    const moved = folder?.endsWith(`/${from.context}`) === true;
    await projects.forget(from);
    await known.remember(to, moved ? { folder: `${folder.slice(0, -from.context.length)}${to.context}` } : {});
  }
}
