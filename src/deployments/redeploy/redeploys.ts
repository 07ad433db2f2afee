import { type Disposable, EventEmitter } from 'vscode';
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
  /** `following`: the platform's answer was lost, and its log is watched. */
  readonly phase: 'updating' | 'following';
  /** Gives up following. An Update that is under way cannot be stopped. */
  stopFollowing(): void;
  readonly ended: Promise<DeployRecord>;
}

/** Redeploys, one at a time for each project, and what became of each. */
export class Redeploys implements Disposable {
  private readonly underway = new Map<string, RunningRedeploy>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  private readonly deployed = new EventEmitter<DeployRecord>();
  private readonly closing = new AbortController();
  private readonly operation: RedeployOperation;
  /** A redeploy began, ended, or goes on in another way. */
  readonly onDidChange = this.changed.event;
  /** The files under the project's folder may be others now. */
  readonly onDidDeploy = this.deployed.event;

  constructor(deps: RedeployOperationDeps) {
    this.operation = new RedeployOperation(deps);
  }

  running(place: ProjectPlace): RunningRedeploy | undefined {
    return this.underway.get(projectKey(place));
  }

  /** Settles when none of the account's redeploys is under way any more, however they end. */
  async over(account: string): Promise<void> {
    const running = [...this.underway.values()].filter(({ request }) => request.place.account === account);
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  prepare(request: RedeployRequest): Promise<Prepared> {
    return this.operation.prepare(request);
  }

  /** Starts the redeploy, or joins the one that is running. */
  start(prepared: Prepared, behind?: Behind): RunningRedeploy {
    const { request } = prepared;
    const key = projectKey(request.place);
    const joined = this.underway.get(key);
    if (joined !== undefined) {
      return joined;
    }
    const following = new AbortController();
    const stopFollowing = () => following.abort();
    this.closing.signal.addEventListener('abort', stopFollowing, { once: true });
    const running = {
      request,
      isFirst: isFirst(prepared),
      startedAt: Date.now(),
      phase: 'updating' as RunningRedeploy['phase'],
      stopFollowing,
    };
    const watching = {
      startedAt: running.startedAt,
      signal: following.signal,
      behind,
      lost: () => {
        running.phase = 'following';
        this.changed.fire(request.place);
      },
    };
    const ended = this.operation.perform(prepared, watching).finally(() => {
      this.closing.signal.removeEventListener('abort', stopFollowing);
      this.underway.delete(key);
      this.changed.fire(request.place);
    });
    const shown: RunningRedeploy = Object.assign(running, { ended });
    this.underway.set(key, shown);
    this.changed.fire(request.place);
    ended.then(
      (record) => this.deployed.fire(record),
      () => undefined,
    );
    return shown;
  }

  /** Looks at the nodes once more, for a redeploy whose end is not known. */
  async lookAgain(record: DeployRecord, behind?: Behind): Promise<DeployRecord> {
    const seen = await this.operation.lookAgain(record, behind);
    this.changed.fire(record);
    return seen;
  }

  dispose(): void {
    this.closing.abort();
    this.changed.dispose();
    this.deployed.dispose();
  }
}
