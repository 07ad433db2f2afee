import { Disposable, l10n } from 'vscode';
import { raceAbort } from '../../async/waiting';
import type { EnvironmentTitles } from '../../containers/locationText';
import { confirm } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import type { TaskRun } from '../../ui/taskTerminal';
import { projectKey, type ProjectPlace } from './projectPlace';
import { projectText } from './projectText';

type ProjectChange = 'redeploy' | 'settings' | 'deletion';

/** Lets the project go when it's disposed. */
export interface Held {
  dispose(): void;
}

interface Holder {
  readonly what: ProjectChange;
  readonly held: Held;
  readonly ended: Promise<void>;
}

/** Asks the user whether to wait, only shows it, or says it in the lines of a task. */
type Waiting = 'asks' | 'shows' | TaskRun;

/** Lets one thing at a time change a project from this window. */
export class ProjectLock {
  private readonly holders = new Map<string, Holder>();

  constructor(private readonly environments: EnvironmentTitles) {}

  holder(place: ProjectPlace): Holder | undefined {
    return this.holders.get(projectKey(place));
  }

  /**
   * Returns `undefined` if something else holds the project.
   * @param within what holds it already, for longer
   */
  take(place: ProjectPlace, what: ProjectChange, within?: Held): Held | undefined {
    const isWithin = within !== undefined && this.holder(place)?.held === within;
    return isWithin ? Disposable.from() : this.hold(projectKey(place), what);
  }

  /** Marks that a click is being handled, so that a second one does nothing. Other changes don't wait for it. */
  prepare(place: ProjectPlace): Held | undefined {
    return this.hold(`click ${projectKey(place)}`, 'redeploy');
  }

  /**
   * Waits until nothing in this window changes the project. Returns `false` if the wait is canceled.
   * @param stopped also stops the wait
   */
  async wait(place: ProjectPlace, waiting: Waiting, stopped?: Promise<void>): Promise<boolean> {
    const project = projectText(place, this.environments);
    for (let holder = this.holder(place); holder !== undefined; holder = this.holder(place)) {
      if (waiting === 'asks' && !(await wantsToWait(project, holder))) {
        return false;
      }
      const ended = holder.ended.then(() => true);
      const over = stopped === undefined ? ended : Promise.race([ended, stopped.then(() => false)]);
      const text =
        holder.what === 'redeploy'
          ? l10n.t('Waiting for another redeploy of {0}', project)
          : l10n.t('Waiting for another change to {0} to finish', project);
      if (!(await hasEnded(over, text, waiting))) {
        return false;
      }
    }
    return true;
  }

  private hold(key: string, what: ProjectChange): Held | undefined {
    if (this.holders.has(key)) {
      return undefined;
    }
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = new Disposable(() => {
      this.holders.delete(key);
      end();
    });
    this.holders.set(key, { what, held, ended });
    return held;
  }
}

/** Takes the project once nothing else here changes it. Returns `undefined` if the user doesn't want to wait for that. */
export async function takeProject(
  place: ProjectPlace,
  what: ProjectChange,
  lock: ProjectLock,
): Promise<Held | undefined> {
  // Another change may start after each wait.
  do {
    const held = lock.take(place, what);
    if (held !== undefined) {
      return held;
    }
  } while (await lock.wait(place, 'asks'));
  return undefined;
}

function wantsToWait(project: string, { what }: Holder): Promise<boolean> {
  const detail = l10n.t('Only one operation on a project can run at a time.');
  return confirm(underwayTexts[what](project), [detail], l10n.t('Wait and Continue'));
}

/** Returns `false` if it's not waited for any longer. */
function hasEnded(over: Promise<boolean>, text: string, waiting: Waiting): Promise<boolean> {
  let wait: Promise<boolean>;
  if (typeof waiting === 'string') {
    wait = withCancelableRead(text, () => over);
  } else {
    waiting.say(text);
    wait = raceAbort(over, waiting.signal, new Error());
  }
  return wait.catch(() => false);
}

const underwayTexts: Readonly<Record<ProjectChange, (project: string) => string>> = {
  redeploy: (project) => l10n.t('{0} is being redeployed. Wait for it to finish?', project),
  settings: (project) => l10n.t('The settings of {0} are being changed. Wait for this to finish?', project),
  deletion: (project) => l10n.t('{0} is being deleted. Wait for this to finish?', project),
};
