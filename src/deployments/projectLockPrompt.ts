import { l10n } from 'vscode';
import { isCancelled } from '../platform/errors';
import { type ProjectPlace, projectKey } from './projectPlace';
import { showWarningMessage } from '../ui/notifications';
import { withLook } from '../ui/progress';
import type { Redeploys } from './redeploy/redeploys';

/** Changes a project when nothing else changes it from here. `undefined`: the person did not want to wait for that. */
export async function withProjectLock<T>(
  place: ProjectPlace,
  what: Exclude<ProjectChange, 'redeploy'>,
  turns: ProjectLock,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (await waitForProjectLock(place, turns)) {
    // Something else may have begun in between.
    if (turns.underway(place) === undefined) {
      return turns.take(place, what, work);
    }
  }
  return undefined;
}

/** Says what is under way, and waits for it if the person wants that. Answers whether to go on. */
export async function waitForProjectLock(place: ProjectPlace, turns: ProjectLock): Promise<boolean> {
  for (let underway = turns.underway(place); underway !== undefined; underway = turns.underway(place)) {
    if (!(await wantsToWait(place, underway)) || !(await reasonForWaiting(place, underway))) {
      return false;
    }
  }
  return true;
}

/** Settles when it is over, however it ended. Answers whether the person had the patience. */
export async function reasonForWaiting(
  { context, environment }: ProjectPlace,
  { what, ended }: ChangeInProgress,
): Promise<boolean> {
  const title =
    what === 'redeploy'
      ? l10n.t('Waiting for the redeploy of {0} on {1}…', context, environment)
      : l10n.t('Waiting for the change of {0} on {1}…', context, environment);
  try {
    await withLook(title, () => ended.then(over, over));
    return true;
  } catch (error) {
    if (isCancelled(error)) {
      return false;
    }
    throw error;
  }
}

const over = () => undefined;

async function wantsToWait({ context, environment }: ProjectPlace, { what }: ChangeInProgress): Promise<boolean> {
  const wait = l10n.t('Wait, Then Go On');
  const detail = l10n.t('Only one thing at a time is done to a project. You can wait until that has ended.');
  const text = underwayTexts[what](context, environment);
  return (await showWarningMessage(text, { modal: true, detail }, wait)) === wait;
}

const underwayTexts: Readonly<Record<ProjectChange, (context: string, environment: string) => string>> = {
  redeploy: (context, environment) => l10n.t('A redeploy of {0} on {1} is running.', context, environment),
  settings: (context, environment) =>
    l10n.t('The settings of {0} on {1} are just being changed.', context, environment),
  deletion: (context, environment) => l10n.t('{0} on {1} is just being deleted.', context, environment),
};

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
