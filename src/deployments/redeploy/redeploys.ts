import { Disposable, EventEmitter } from 'vscode';
import type { DeployRecord } from './redeployResult';
import type { TaskRun } from '../../ui/taskTerminal';
import { type Held, type ProjectLock, type ProjectLockDeps, waitForProject } from '../projectLock';
import { projectKey, type ProjectPlace } from '../projectPlace';
import { isFirst, type Prepared, type RedeployRequest } from './plan';
import { Update, type UpdateDeps } from './update';

export interface RunningRedeploy {
  readonly request: RedeployRequest;
  /** Nothing was deployed before. */
  readonly isFirst: boolean;
  readonly startedAt: number;
  /** `following`: the platform's response was lost, so its log is watched. */
  readonly phase: 'updating' | 'following';
  /** Sends no Update, or stops watching the one that was sent, which can't be stopped. */
  readonly stop: () => void;
  /** Resolves when the history has a record of it, or it ended without one. */
  readonly recorded: Promise<DeployRecord | undefined>;
  readonly ended: Promise<DeployRecord>;
}

/** Redeploys, one at a time for each project, and what became of each. */
export class Redeploys implements Disposable {
  private readonly runs = new Map<string, RunningRedeploy>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  private readonly deployed = new EventEmitter<DeployRecord>();
  private readonly closing = new AbortController();
  private readonly update: Update;
  private readonly lock: ProjectLock;
  /** Fires when a redeploy starts, ends or changes its phase. */
  readonly onDidChange = this.changed.event;
  /** The files in the project's folder may have changed. */
  readonly onDidDeploy = this.deployed.event;

  constructor(deps: UpdateDeps & { readonly lock: ProjectLock }) {
    this.update = new Update(deps);
    this.lock = deps.lock;
  }

  running(place: ProjectPlace): RunningRedeploy | undefined {
    return this.runs.get(projectKey(place));
  }

  /** Resolves when all of the account's redeploys have ended, even if they failed. */
  async over(account: string): Promise<void> {
    const running = [...this.runs.values()].filter(({ request }) => request.place.account === account);
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  /**
   * Starts the redeploy, or joins the one that is running.
   * @param held holds the project until the redeploy ends
   */
  start(
    prepared: Prepared,
    held = this.lock.take(prepared.request.place, 'redeploy', prepared.request.nodeId),
  ): RunningRedeploy {
    const { request } = prepared;
    const key = projectKey(request.place);
    const joined = this.runs.get(key);
    if (joined !== undefined) {
      return joined;
    }
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    this.closing.signal.addEventListener('abort', stop, { once: true });
    const running = {
      request,
      isFirst: isFirst(prepared),
      startedAt: Date.now(),
      phase: 'updating' as RunningRedeploy['phase'],
      stop,
    };
    let noteRecord: (record: DeployRecord | undefined) => void = () => undefined;
    const recorded = new Promise<DeployRecord | undefined>((resolve) => {
      noteRecord = resolve;
    });
    const watching = {
      startedAt: running.startedAt,
      signal: stopping.signal,
      lost: () => {
        running.phase = 'following';
        this.changed.fire(request.place);
      },
      recorded: noteRecord,
    };
    const ended = this.update.perform(prepared, watching).finally(() => {
      this.closing.signal.removeEventListener('abort', stop);
      this.runs.delete(key);
      held?.dispose();
      noteRecord(undefined);
      this.changed.fire(request.place);
    });
    const shown: RunningRedeploy = Object.assign(running, { ended, recorded });
    this.runs.set(key, shown);
    this.changed.fire(request.place);
    ended.then(
      (record) => this.deployed.fire(record),
      () => undefined,
    );
    return shown;
  }

  /** Checks the nodes again after a redeploy with an unknown result. */
  async lookAgain(record: DeployRecord): Promise<DeployRecord> {
    const seen = await this.update.lookAgain(record);
    this.changed.fire(record);
    return seen;
  }

  dispose(): void {
    this.closing.abort();
    Disposable.from(this.changed, this.deployed).dispose();
  }
}

interface TurnOptions {
  /** Waits for every other redeploy, and says so in lines. */
  readonly task: TaskRun | undefined;
  readonly signal: AbortSignal | undefined;
  /** What holds the project already, for longer. */
  readonly within: Held | undefined;
}

/** Holds the project for one redeploy, except while it asks. */
export type RedeployTurn = ReturnType<typeof redeployTurn>;

export function redeployTurn(
  { place, nodeId }: RedeployRequest,
  deps: ProjectLockDeps & { readonly redeploys: Redeploys },
  { task, signal, within }: TurnOptions,
) {
  let held: Held | undefined;
  const isStopped = () => signal?.aborted === true;
  const turn = {
    /** Another redeploy that is joined instead. */
    joined: undefined as RunningRedeploy | undefined,

    /**
     * Returns `undefined` if it joins another redeploy, or if the wait is canceled. After a wait, what was checked before may
     * be outdated.
     */
    async take(): Promise<'now' | 'waited' | undefined> {
      for (let when: 'now' | 'waited' = 'now'; !isStopped(); when = 'waited') {
        held ??= deps.lock.take(place, 'redeploy', nodeId, within);
        if (held !== undefined) {
          return when;
        }
        turn.joined = task === undefined ? deps.redeploys.running(place) : undefined;
        if (turn.joined !== undefined || !(await waitForProject(place, task ?? 'shows', deps))) {
          break;
        }
      }
      return undefined;
    },

    /** Holds nothing during a question, so that nothing waits for it. Returns `undefined` if the redeploy is stopped. */
    async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
      turn.letGo();
      const answer = isStopped() ? undefined : await question();
      return isStopped() ? undefined : answer;
    },

    letGo(): void {
      held?.dispose();
      held = undefined;
    },

    /** Starts the redeploy, whose end lets go. */
    start(prepared: Prepared): RunningRedeploy {
      const given = held;
      held = undefined;
      return deps.redeploys.start(prepared, given);
    },
  };
  return turn;
}
