import { Disposable, EventEmitter, FileChangeType, l10n, workspace } from 'vscode';
import type { Listings } from '../../../containers/listings';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { type FilePlace, filePlaceOf, parentOrSelf } from '../../../containers/place';
import type { ContainerFileSystem } from '../../../files/provider/containerFileSystem';
import { showInformationMessage } from '../../../ui/notifications';
import { withProgress } from '../../../ui/progress';
import type { TaskRun } from '../../../ui/taskTerminal';
import type { Held, ProjectLock } from '../projectLock';
import { isInLayer, placeOfProject, placeOn, projectKey, type ProjectPlace } from '../projectPlace';
import type { KnownProjects } from '../projects';
import { projectText } from '../projectText';
import { isFirst, type Prepared, type RedeployRequest } from './plan';
import type { DeployRecord } from './redeployResult';
import type { Update } from './update';

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

/** Runs redeploys, one at a time for each project, and says when one starts or ends. */
export class Redeploys implements Disposable {
  private readonly runs = new Map<string, RunningRedeploy>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  private readonly deployed = new EventEmitter<DeployRecord>();
  private readonly checkedAgain = new EventEmitter<DeployRecord>();
  private readonly closing = new AbortController();
  /** Fires when a redeploy starts, ends or changes its phase. */
  readonly onDidChange = this.changed.event;
  /** The files in the project's folder may have changed. */
  readonly onDidDeploy = this.deployed.event;
  /** The same, because the nodes were checked again. The record says what they have now. */
  readonly onDidLookAgain = this.checkedAgain.event;

  constructor(
    private readonly update: Update,
    private readonly lock: ProjectLock,
  ) {}

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
  start(prepared: Prepared, held = this.lock.take(prepared.request.place, 'redeploy')): RunningRedeploy {
    const { request } = prepared;
    const key = projectKey(request.place);
    const joined = this.runs.get(key);
    if (joined !== undefined) {
      held?.dispose();
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
    const { record: seen, isNow } = await this.update.lookAgain(record);
    if (isNow) {
      this.checkedAgain.fire(seen);
    }
    this.changed.fire(record);
    return seen;
  }

  dispose(): void {
    this.closing.abort();
    Disposable.from(this.changed, this.deployed, this.checkedAgain).dispose();
  }
}

/**
 * Takes the project unless it's held already, or finds another redeploy to join, which includes what is asked for; neither
 * if the wait for it is canceled. After a wait, what was checked before may be outdated.
 */
export async function takeOrJoin(
  run: {
    readonly request: RedeployRequest;
    readonly taken: Held | undefined;
    /** Holds it for longer. */
    readonly held?: Held;
    readonly task?: TaskRun;
    readonly signal?: AbortSignal;
    readonly decision: { readonly repair?: unknown };
  },
  hasPushed: boolean,
  { redeploys, lock }: { readonly redeploys: Redeploys; readonly lock: ProjectLock },
): Promise<{ held?: Held; hasWaited?: boolean; joined?: RunningRedeploy | undefined }> {
  const { task, signal, decision } = run;
  const { place, nodeId } = run.request;
  // A task sends its own, because one that is running may have started before the build pushed its commits.
  const mustSend = task !== undefined || decision.repair !== undefined;
  // It may have been sent before the newest commits were pushed.
  const earlier = hasPushed ? redeploys.running(place) : undefined;
  const find = () => {
    const running = mustSend ? undefined : redeploys.running(place);
    const only = running?.request.nodeId;
    return running === earlier || (only !== undefined && only !== nodeId) ? undefined : running;
  };
  let joined: RunningRedeploy | undefined;
  let listening: Disposable | undefined;
  const started = new Promise<void>((resolve) => {
    listening = redeploys.onDidChange(() => {
      joined ??= find();
      if (joined !== undefined) {
        resolve();
      }
    });
  });
  try {
    for (let hasWaited = false; signal?.aborted !== true; hasWaited = true) {
      const held = run.taken ?? lock.take(place, 'redeploy', run.held);
      if (held !== undefined) {
        return { held, hasWaited };
      }
      joined ??= find();
      if (joined !== undefined || !(await lock.wait(place, task ?? 'shows', started))) {
        return { joined };
      }
    }
    return {};
  } finally {
    listening?.dispose();
  }
}

/** Says that another node is being redeployed, if it is. */
export function tellOtherNode(running: RunningRedeploy, { nodeId }: RedeployRequest): void {
  if (running.request.nodeId !== undefined && running.request.nodeId !== nodeId) {
    void showInformationMessage(
      l10n.t('Node {0} is being redeployed. Try again when the redeploy is finished.', String(running.request.nodeId)),
    );
  }
}

/**
 * Shows a redeploy's elapsed time. Returns its result, or `undefined` if the user stops waiting. An Update that was sent
 * can't be stopped and continues.
 */
export async function watchRedeploy(
  running: RunningRedeploy,
  environments: EnvironmentTitles,
): Promise<DeployRecord | undefined> {
  const project = projectText(running.request.place, environments);
  const title = running.isFirst ? l10n.t('Deploying {0}', project) : l10n.t('Redeploying {0}', project);
  const argument = placeOfProject(running.request.place);
  const link = { text: l10n.t('Show Log'), command: 'gantry.project.showLog', argument } as const;
  return withProgress(
    title,
    async ({ signal, say }) => {
      const show = () => say(elapsed(running));
      show();
      const ticking = setInterval(show, 1000);
      const left = new Promise<undefined>((resolve) => {
        signal.addEventListener('abort', () => {
          running.stop();
          if (running.phase === 'updating') {
            resolve(undefined);
          }
        });
      });
      return Promise.race([running.ended, left]).finally(() => clearInterval(ticking));
    },
    { delay: 0, link },
  );
}

/** Says the elapsed time in lines. */
export function watchInLines(running: RunningRedeploy, say: (line: string) => void): Promise<DeployRecord> {
  const ticking = setInterval(() => say(elapsed(running)), 10_000);
  return running.ended.finally(() => clearInterval(ticking));
}

function elapsed({ startedAt, phase }: RunningRedeploy): string {
  const time = clock(Date.now() - startedAt);
  return phase === 'updating' ? time : l10n.t('{0}: connection lost, checking the deploy log', time);
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Reloads open editors and listings after a redeploy, and when its nodes were checked again. */
export function refreshDeployedFiles(deps: {
  readonly redeploys: Redeploys;
  readonly known: KnownProjects;
  readonly listings: Listings;
  readonly fileSystem: ContainerFileSystem;
  readonly refreshFolders: (folders: readonly FilePlace[]) => void;
}): Disposable {
  const { redeploys, known, listings, fileSystem, refreshFolders } = deps;
  const refresh = (record: DeployRecord) => {
    const folders = known.folders(record);
    const webroots = folders.flatMap((folder) => targetsOf(record).map((target) => placeOn(record, target, folder)));
    const parents = webroots.map(parentOrSelf);
    parents.forEach((folder) => listings.forget(folder));
    refreshFolders([...webroots, ...parents]);
    const changed = workspace.textDocuments
      .flatMap(({ uri }) => filePlaceOf(uri) ?? [])
      .filter((file) => isInLayer(file, record) && folders.some((folder) => file.path.startsWith(`${folder}/`)));
    fileSystem.announce([...webroots, ...changed].map((place) => ({ place, type: FileChangeType.Changed })));
  };
  return Disposable.from(redeploys.onDidDeploy(refresh), redeploys.onDidLookAgain(refresh));
}

/** The layer and each of its nodes, because a file can be open through either. */
function targetsOf({ layer, nodes }: DeployRecord) {
  return [
    { nodeGroup: layer },
    ...nodes.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [{ nodeGroup: layer, nodeId }])),
  ];
}
