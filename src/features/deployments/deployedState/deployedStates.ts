import { Disposable, EventEmitter } from 'vscode';
import type { AccountCallOptions } from '../../../accounts/signedInAccount';
import type { Environments } from '../../../containers/environments';
import type { NodeInspector } from './nodeInspector';
import type { DeployHistory } from '../history/deployHistory';
import { changesOf, type DeployRecord, type NodeChange } from '../redeploy/redeployResult';
import { isFailed, type StateResult } from '../results';
import { deployedStateOf } from './deployedState';
import { areAllKept } from '../nodeEdits/editFates';
import type { NodeEditLog } from '../nodeEdits/nodeEditLog';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { NodeEditsAtRisk } from '../nodeEdits/nodeEditsAtRisk';
import { isInLayer, placeOfProject, projectKey, type ProjectPlace } from '../projectPlace';
import { commitOfRollback, pinnedCommit } from '../commits';
import type { Projects, ProjectSettings } from '../projects';
import type { Redeploys } from '../redeploy/redeploys';
import { nodesNow } from './deployedState';

interface CachedState {
  readonly place: ProjectPlace;
  readonly nodes: readonly NodeChange[];
  /** When reading the nodes began. */
  readonly readAt: number;
  /** Undefined until it is computed for the first time. */
  readonly results: readonly StateResult[] | undefined;
  readonly isStale?: boolean;
  /** Someone asked what is deployed, and nothing has been deployed since. */
  readonly isChecked?: boolean;
}

/**
 * Compares what is deployed with what should be. Asks the platform when a project is shown; after a redeploy, the answer is
 * known already. After a push or an edit, compares with what was read before, without a request.
 */
export class DeployedStates implements Disposable {
  private readonly known = new Map<string, CachedState>();
  private readonly recomputing = new Set<string>();
  private readonly checking = new Set<string>();
  /** The projects whose new nodes are being read. */
  private readonly reading = new Set<string>();
  /** How many redeploys have ended or were checked again, by project. */
  private readonly deployments = new Map<string, number>();
  private readonly positions = new Map<string, string>();
  private readonly changed = new EventEmitter<ProjectPlace>();
  private readonly subscriptions: readonly Disposable[];
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: {
      readonly projects: Projects;
      readonly history: DeployHistory;
      readonly repositories: LocalRepositories;
      readonly redeploys: Redeploys;
      readonly inspector: NodeInspector;
      readonly edits: NodeEditsAtRisk;
      readonly nodeEditLog: NodeEditLog;
      readonly environments: Pick<Environments, 'knownLayer' | 'onDidList'>;
      readonly accountsBeside: (account: string) => readonly string[];
    },
  ) {
    this.subscriptions = [
      deps.repositories.onDidChange(() => this.repositoriesMoved()),
      deps.projects.onDidChange((place) => this.settingsChanged(place)),
      deps.environments.onDidList(() => this.nodesListed()),
      deps.redeploys.onDidDeploy((record) => void this.sawNodes(record)),
      deps.redeploys.onDidLookAgain((record) => void this.sawNodes(record)),
      // An edit through another account of the same platform is one of the node, too.
      deps.nodeEditLog.onDidChange((edited) =>
        this.againWhere((project) => isInLayer({ ...edited, account: project.account }, project)),
      ),
    ];
  }

  last(place: ProjectPlace): readonly StateResult[] | undefined {
    return this.known.get(projectKey(place))?.results;
  }

  lastNodes(place: ProjectPlace): readonly NodeChange[] {
    return this.known.get(projectKey(place))?.nodes ?? [];
  }

  async look(place: ProjectPlace, options?: AccountCallOptions): Promise<readonly StateResult[]> {
    await this.deps.projects.lastOrRead(place, options);
    const deployments = this.deployments.get(projectKey(place));
    const readAt = Date.now();
    const heads = await this.deps.inspector.heads({ place }, options);
    // A redeploy ended or was checked again in the meantime, so the results may be out of date.
    return this.deployments.get(projectKey(place)) === deployments
      ? this.note({ place, nodes: changesOf([], heads), readAt })
      : this.look(place, options);
  }

  /** The nodes that were just checked because someone asked; `running` while they are. */
  lastCheck(place: ProjectPlace): readonly NodeChange[] | 'running' | undefined {
    const key = projectKey(place);
    const known = this.known.get(key);
    return this.checking.has(key) ? 'running' : known?.isChecked === true ? known.nodes : undefined;
  }

  lookAnew(place: ProjectPlace): Promise<readonly StateResult[]> {
    const { projects, inspector } = this.deps;
    return this.check(place, () => Promise.all([projects.read(place), inspector.listAgain(place)]));
  }

  /**
   * Fetches the branch in the local repository, after a roll back the one before, then checks the nodes. Rejects if the
   * remote can't be reached.
   */
  fetch(place: ProjectPlace): Promise<readonly StateResult[]> {
    return this.check(place, async () => {
      const { settings } = await this.deps.projects.lastOrRead(place);
      const branch = this.deps.projects.branchBefore(place) ?? settings.branch;
      await this.deps.repositories.withAddress(settings.url)?.fetch({ ...settings, branch });
    });
  }

  /** Drops the results, so that projects are checked again when shown. */
  forget(): void {
    this.known.clear();
  }

  /** Someone may sign in to the same account again later, and then something else may be deployed. */
  forgetAccount(account: string): void {
    for (const [key, { place }] of this.known) {
      if (place.account === account) {
        this.known.delete(key);
      }
    }
  }

  private async sawNodes(record: DeployRecord): Promise<void> {
    const key = projectKey(record);
    const wasKnown = this.known.has(key);
    this.deployments.set(key, (this.deployments.get(key) ?? 0) + 1);
    // A redeploy of one node doesn't check the others.
    this.known.delete(key);
    this.changed.fire(record);
    const noted =
      record.nodeId === undefined
        ? this.note({ place: record, nodes: record.nodes, readAt: Date.now() })
        : wasKnown
          ? this.look(placeOfProject(record), { unattended: true })
          : undefined;
    await noted?.catch(() => {
      // Nothing is known until the project is shown again, and then the error is shown, too.
    });
  }

  dispose(): void {
    Disposable.from(...this.subscriptions, this.changed).dispose();
  }

  /** Shows in the project's row that it's being checked, and then what was found. */
  private async check(place: ProjectPlace, before: () => Promise<unknown>): Promise<readonly StateResult[]> {
    const key = projectKey(place);
    this.checking.add(key);
    this.changed.fire(place);
    try {
      await before();
      const results = await this.look(place);
      const known = this.known.get(key);
      if (known !== undefined) {
        this.known.set(key, { ...known, isChecked: true });
      }
      return results;
    } finally {
      this.checking.delete(key);
      this.changed.fire(place);
    }
  }

  private async note(read: Pick<CachedState, 'place' | 'nodes' | 'readAt'>): Promise<readonly StateResult[]> {
    const { place, nodes, readAt } = read;
    const key = projectKey(place);
    // A change from here on leads to another computation; this result counts only if nothing changed.
    const before = this.known.get(key);
    const isChecked = before?.isChecked === true && before.nodes === nodes;
    const weighed: CachedState = { place, nodes, readAt, results: before?.results, isChecked };
    this.known.set(key, weighed);
    const results = await this.compare(read);
    if (this.known.get(key) === weighed) {
      this.known.set(key, { place, nodes, readAt, results, isChecked });
      this.changed.fire(place);
    }
    return results;
  }

  /** Compares what the nodes have with the settings, the last redeploy, the edits, and the branch. */
  private async compare({
    place,
    nodes,
    readAt,
  }: Pick<CachedState, 'place' | 'nodes' | 'readAt'>): Promise<readonly StateResult[]> {
    const { projects, history } = this.deps;
    const { settings } = await projects.lastOrRead(place);
    const commit = nodesNow(nodes).commit;
    const isRolledBack = commitOfRollback(settings.branch) !== undefined;
    const rolledBackFrom = isRolledBack ? (projects.branchBefore(place) ?? '') : undefined;
    // If the history can't be read, report nothing about the last redeploy.
    const last = await history.last(place).catch(() => undefined);
    const lastBeside = await Promise.all(
      this.deps
        .accountsBeside(place.account)
        .map(async (account) =>
          account === place.account ? last : history.last({ ...place, account }).catch(() => undefined),
        ),
    );
    const [newest] = lastBeside.flatMap((record) => record ?? []).sort((one, other) => other.startedAt - one.startedAt);
    const { edits, areEditsUnchecked } = await this.noted(place);
    return deployedStateOf({
      nodes,
      isSubversion: settings.type === 'SVN',
      autoUpdates: settings.autoupdate ?? false,
      left: leftBy(newest, readAt),
      newestAt: newestAt(newest, settings),
      failure: last && isFailed(last.verdict) ? { result: last.verdict, nodes: last.nodes } : undefined,
      pinnedTo: pinnedCommit(settings),
      rolledBackFrom,
      ...(await this.againstBranch({ ...settings, branch: rolledBackFrom ?? settings.branch }, commit)),
      editedFiles: edits.length,
      areEditsUnchecked,
      keepsEdits: areAllKept(edits, { place, settings }),
    });
  }

  private async noted(place: ProjectPlace) {
    const { edits } = this.deps;
    try {
      const { edits: known, unknown } = await edits.read(place);
      return { edits: known, areEditsUnchecked: unknown > 0 };
    } catch {
      return { edits: [], areEditsUnchecked: true };
    }
  }

  private async againstBranch(settings: ProjectSettings, commit: string | undefined) {
    const repository = this.deps.repositories.withAddress(settings.url);
    const upstream = await repository?.upstream(settings);
    if (repository === undefined || upstream === undefined || commit === undefined) {
      return { behind: undefined, unpushed: 0, branch: settings.branch };
    }
    const [behind, unpushed] = await Promise.all([
      repository.lacking(commit, upstream.tip),
      repository.unpushed(upstream.branch, upstream),
    ]);
    // A branch that was moved back has nothing that the nodes lack, and they still don't have its newest commit.
    const isMovedBack = behind === 0 && commit !== upstream.tip;
    return { behind, isMovedBack, unpushed: unpushed.length, branch: upstream.branch };
  }

  /** The Git extension reports every changed file; only a change of branch or commit matters. */
  private repositoriesMoved(): void {
    const moved = this.deps.repositories.all.filter(
      ({ root, position }) => this.positions.get(root.toString()) !== position,
    );
    for (const { root, position } of moved) {
      this.positions.set(root.toString(), position);
    }
    const roots = new Set(moved.map(({ root }) => root.toString()));
    this.againWhere((place) => {
      const settings = this.deps.projects.last(place)?.settings;
      const root = this.deps.repositories.withAddress(settings?.url)?.root.toString();
      return root !== undefined && roots.has(root);
    });
  }

  /** A layer may have been scaled: a node that is gone says nothing anymore, and a new one isn't known yet. */
  private nodesListed(): void {
    for (const { place, nodes, readAt } of [...this.known.values()]) {
      const layer = this.deps.environments.knownLayer(place.account, place.environment, place.layer);
      const ids = layer?.isComplete === true ? layer.nodes.map(({ id }) => id) : [];
      const left = nodes.filter(({ nodeId }) => nodeId === undefined || ids.includes(nodeId));
      // If all nodes were replaced, what they had counts until the new ones are read.
      if (ids.length > 0 && left.length > 0 && left.length < nodes.length) {
        // Its errors are shown where a person opens the project's state.
        void this.note({ place, nodes: left, readAt }).catch(() => undefined);
      }
      if (ids.some((id) => nodes.every(({ nodeId }) => nodeId !== undefined && nodeId !== id))) {
        void this.readNewNodes(place);
      }
    }
  }

  /** Layers may be listed often until it ends. */
  private async readNewNodes(place: ProjectPlace): Promise<void> {
    const key = projectKey(place);
    if (!this.reading.has(key)) {
      this.reading.add(key);
      await this.look(place, { unattended: true }).catch(() => undefined);
      this.reading.delete(key);
    }
  }

  /** The project has another branch or commit now, or no longer exists. */
  private settingsChanged(place: ProjectPlace): void {
    const key = projectKey(place);
    if (this.deps.projects.last(place) === undefined) {
      this.known.delete(key);
    } else {
      this.againWhere((known) => projectKey(known) === key);
    }
  }

  /** Recomputes the results of known projects, without a request to the platform. */
  private againWhere(concerns: (place: ProjectPlace) => boolean): void {
    for (const known of [...this.known.values()].filter(({ place }) => concerns(place))) {
      this.known.set(projectKey(known.place), { ...known, isStale: true });
      void this.recomputeStale(projectKey(known.place));
    }
  }

  /** Recomputes stale results. All changes during that time lead to only one more computation. */
  private async recomputeStale(key: string): Promise<void> {
    if (this.recomputing.has(key)) {
      return;
    }
    this.recomputing.add(key);
    for (let known = this.known.get(key); known?.isStale === true; known = this.known.get(key)) {
      await this.note(known).catch(() => {
        // Keep the earlier results. The error is shown when the user opens the project's state.
      });
    }
    this.recomputing.delete(key);
  }
}

/**
 * The commit that the latest redeploy left. One without a known end may have deployed another one since, and one of
 * another window that ended after the nodes were read says nothing of what they had then.
 */
function leftBy(latest: DeployRecord | undefined, readAt: number): string | undefined {
  const isOver = latest?.verdict.kind !== 'answerLost' || latest.verdict.ended;
  const wasThen = latest !== undefined && latest.startedAt + latest.milliseconds <= readAt;
  return isOver && wasThen ? nodesNow(latest.nodes).commit : undefined;
}

/** When a redeploy deployed what was then the newest commit of the branch that the project still follows, if it did. */
function newestAt(latest: DeployRecord | undefined, settings: ProjectSettings): number | undefined {
  if (latest?.verdict.kind !== 'deployed' || latest.nodeId !== undefined || latest.pinnedTo !== undefined) {
    return undefined;
  }
  return pinnedCommit(settings) === undefined && latest.branch === settings.branch ? latest.startedAt : undefined;
}
