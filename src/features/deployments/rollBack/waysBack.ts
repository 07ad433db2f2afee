import type { DeployHistory } from '../history/deployHistory';
import { type ProjectPlace, projectKey } from '../projectPlace';
import type { Projects } from '../projects';
import { hasDeployed } from '../redeploy/redeployResult';
import { isFailed } from '../results';
import { changedFields, fieldsOf, writeOnlySettingsOf } from '../settings/fieldChanges';
import type { ProjectFields } from '../settings/projectFields';

/** What a roll back made of a project's settings, and how to undo that. */
interface WayBack {
  /** The settings that were deployed last. */
  readonly before: ProjectFields;
  /** Those of the roll back. */
  readonly saved: ProjectFields;
  readonly restore: () => Promise<void>;
}

/**
 * Leads back to the settings that worked, for as long as nothing was deployed with those of a roll back: each redeploy that
 * fails offers it, not just the first one. It's known only in the window of the roll back.
 */
export class WaysBack {
  private readonly latest = new Map<string, WayBack & { readonly keptAt: number }>();

  constructor(
    private readonly history: Pick<DeployHistory, 'of'>,
    private readonly projects: Pick<Projects, 'last'>,
  ) {}

  keep(place: ProjectPlace, wayBack: WayBack): void {
    this.latest.set(projectKey(place), { ...wayBack, keptAt: Date.now() });
  }

  /** The way back that a failed redeploy offers. */
  async of(place: ProjectPlace): Promise<WayBack | undefined> {
    const found = this.latest.get(projectKey(place));
    const settings = this.projects.last(place)?.settings;
    if (found === undefined || settings === undefined) {
      return found;
    }
    const { before, keptAt } = found;
    const now = fieldsOf(place.context, settings, writeOnlySettingsOf(before));
    const records = await this.history.of(place).catch(() => []);
    const isOver = records.some(
      (record) => record.startedAt >= keptAt && hasDeployed(record) && !isFailed(record.verdict),
    );
    return isOver || changedFields(before, now).length === 0 ? undefined : found;
  }

  /**
   * The settings to restore if a roll back fails that begins with some. After another one that failed, those are from before
   * that one, unless someone has changed what it saved.
   */
  async before(place: ProjectPlace, base: ProjectFields): Promise<ProjectFields> {
    const earlier = await this.of(place);
    return earlier === undefined || changedFields(earlier.saved, base).length > 0 ? base : earlier.before;
  }
}
