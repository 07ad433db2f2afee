import { projectKey, type ProjectPlace } from './projectPlace';
import type { Redeploys } from './redeploy/redeploys';

/** What changes a project on the platform. */
export type ProjectChange = 'redeploy' | 'settings' | 'deletion';

export interface ChangeInProgress {
  readonly what: ProjectChange;
  /** However it ends is told where it was begun. */
  readonly ended: Promise<unknown>;
}

/** What this window changes of a project happens one after the other. */
export class ProjectLock {
  private readonly changes = new Map<string, ChangeInProgress>();

  constructor(private readonly redeploys: Pick<Redeploys, 'running'>) {}

  underway(place: ProjectPlace): ChangeInProgress | undefined {
    const running = this.redeploys.running(place);
    return running === undefined ? this.changing(place) : { what: 'redeploy', ended: running.ended };
  }

  /** A change that a redeploy has to wait for; one redeploy joins another. */
  changing(place: ProjectPlace): ChangeInProgress | undefined {
    return this.changes.get(projectKey(place));
  }

  /** To be called where nothing is under way. */
  async take<T>(place: ProjectPlace, what: Exclude<ProjectChange, 'redeploy'>, work: () => Promise<T>): Promise<T> {
    const key = projectKey(place);
    const ended = work();
    const change = { what, ended };
    this.changes.set(key, change);
    try {
      return await ended;
    } finally {
      this.changes.delete(key);
    }
  }
}
