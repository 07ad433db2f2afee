import type { DeployHistory } from '../history/deployHistory';
import { type ProjectPlace, projectKey } from '../projectPlace';
import type { Projects } from '../projects';
import { hasDeployed } from '../redeploy/redeployResult';
import { isFailed } from '../results';
import { changedFields, fieldsOf, writeOnlySettingsOf } from '../settings/fieldChanges';
import type { ProjectFields } from '../settings/projectFields';

export type PushedBranch = Pick<ProjectFields, 'url' | 'branch'>;

/** What a roll back made of a project's settings, and how to undo that. */
interface WayBack {
  /** The settings that were deployed last. */
  readonly before: ProjectFields;
  /** Those of the roll back. */
  readonly saved: ProjectFields;
  /** The branches that this roll back and those before it pushed, which are left over once something else is deployed. */
  readonly pushed: readonly PushedBranch[];
  readonly restore: () => Promise<void>;
}

export type WaysBack = ReturnType<typeof createWaysBack>;

/**
 * Leads back to the settings that worked, for as long as nothing was deployed with those of a roll back: each redeploy that
 * fails offers it, not just the first one. It's known only in the window of the roll back.
 */
export function createWaysBack(history: DeployHistory, projects: Projects) {
  const latest = new Map<string, WayBack & { readonly keptAt: number }>();
  const of = async (place: ProjectPlace): Promise<WayBack | undefined> => {
    const found = latest.get(projectKey(place));
    const settings = projects.last(place)?.settings;
    if (found === undefined || settings === undefined) {
      return found;
    }
    const { before, keptAt } = found;
    const now = fieldsOf(place.context, settings, writeOnlySettingsOf(before));
    // If the history can't be read, it's still offered, because restoring asks about later changes.
    const records = await history.of(place).catch(() => []);
    const isOver = records.some(
      (record) => record.startedAt >= keptAt && hasDeployed(record) && !isFailed(record.verdict),
    );
    return isOver || changedFields(before, now).length === 0 ? undefined : found;
  };
  return {
    forgetAccount: (account: string): void => {
      for (const key of [...latest.keys()].filter((one) => one.startsWith(`${account}/`))) {
        latest.delete(key);
      }
    },
    /** The way back that a failed redeploy offers. */
    of,
    keep: (place: ProjectPlace, wayBack: WayBack): void => {
      latest.set(projectKey(place), { ...wayBack, keptAt: Date.now() });
    },
    /**
     * The settings to restore if a roll back fails that begins with some. After another one that failed, those are from
     * before that one, with the branches that it pushed, unless someone has changed what it saved.
     */
    before: async (
      place: ProjectPlace,
      base: ProjectFields,
    ): Promise<{ readonly before: ProjectFields; readonly pushed: readonly PushedBranch[] }> => {
      const earlier = await of(place);
      return earlier === undefined || changedFields(earlier.saved, base).length > 0
        ? { before: base, pushed: [] }
        : earlier;
    },
  };
}
