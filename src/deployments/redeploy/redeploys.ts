import { Disposable, EventEmitter } from 'vscode';
import type { DeployRecord } from './redeployResult';
import { projectKey, type ProjectPlace } from '../projectPlace';
import {
  type Behind,
  isFirst,
  type Prepared,
  RedeployOperation,
  type RedeployOperationDeps,
  type RedeployRequest,
} from './redeployOperation';

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

export type ProjectChange = 'redeploy' | 'settings' | 'deletion';

export interface ChangeInProgress {
  readonly what: ProjectChange;
  /** Its result is shown where it was started. */
  readonly ended: Promise<unknown>;
}

/** Redeploys, one at a time for each project, and what became of each. Other changes of a project lock it, too. */
export class Redeploys implements Disposable {
  private readonly runs = new Map<string, RunningRedeploy>();
  private readonly otherChanges = new Map<string, ChangeInProgress>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  private readonly deployed = new EventEmitter<DeployRecord>();
  private readonly closing = new AbortController();
  private readonly operation: RedeployOperation;
  /** Fires when a redeploy starts, ends or changes its phase. */
  readonly onDidChange = this.changed.event;
  /** The files in the project's folder may have changed. */
  readonly onDidDeploy = this.deployed.event;

  constructor(deps: RedeployOperationDeps) {
    this.operation = new RedeployOperation(deps);
  }

  running(place: ProjectPlace): RunningRedeploy | undefined {
    return this.runs.get(projectKey(place));
  }

  changeUnderway(place: ProjectPlace): ChangeInProgress | undefined {
    const running = this.running(place);
    return running === undefined ? this.otherChange(place) : { what: 'redeploy', ended: running.ended };
  }

  /** Returns a change that a redeploy must wait for. Redeploys aren't included, because one joins another. */
  otherChange(place: ProjectPlace): ChangeInProgress | undefined {
    return this.otherChanges.get(projectKey(place));
  }

  /** Call this only if no change is in progress. */
  lockDuring<T>(place: ProjectPlace, what: Exclude<ProjectChange, 'redeploy'>, work: () => Promise<T>): Promise<T> {
    const key = projectKey(place);
    const ended = work().finally(() => this.otherChanges.delete(key));
    this.otherChanges.set(key, { what, ended });
    return ended;
  }

  /** Resolves when all of the account's redeploys have ended, even if they failed. */
  async over(account: string): Promise<void> {
    const running = [...this.runs.values()].filter(({ request }) => request.place.account === account);
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  prepare(...asked: Parameters<RedeployOperation['prepare']>): Promise<Prepared> {
    return this.operation.prepare(...asked);
  }

  /** Starts the redeploy, or joins the one that is running. */
  start(prepared: Prepared, behind?: Behind): RunningRedeploy {
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
      behind,
      lost: () => {
        running.phase = 'following';
        this.changed.fire(request.place);
      },
      recorded: noteRecord,
    };
    const ended = this.operation.perform(prepared, watching).finally(() => {
      this.closing.signal.removeEventListener('abort', stop);
      this.runs.delete(key);
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
  async lookAgain(record: DeployRecord, behind?: Behind): Promise<DeployRecord> {
    const seen = await this.operation.lookAgain(record, behind);
    this.changed.fire(record);
    return seen;
  }

  dispose(): void {
    this.closing.abort();
    Disposable.from(this.changed, this.deployed).dispose();
  }
}
