import { isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import { failureMessage } from '../../ui/failureMessages';
import type { ClonesOnNodes, DeployNode, NodeHead } from '../deployedState/clonesOnNodes';
import { type DeployHistory, recordId } from '../history/deployHistory';
import { withoutLogins } from '../history/deployLog';
import { type DeployRecord, hasDeployed } from '../history/deployRecord';
import { watchLostUpdate, type NodeCheck, type PollInterval } from './watchLostUpdate';
import type { Behind, NodeInspector } from '../deployedState/inspectNodes';
import { DeployLogsOnNodes } from '../deployedState/deployLogsOnNodes';
import { projectAddress, type ProjectPlace } from '../projectPlace';
import type { Project, Projects } from '../projects';
import { changesOf, type PlatformAnswer, revisionsOf } from './redeployResult';

export interface RedeployRequest {
  readonly place: ProjectPlace;
  /** One node of the layer only. */
  readonly nodeId?: number | undefined;
  /** Seconds between the restarts of one node and the next. */
  readonly delay?: number | undefined;
}

/** What is known right before a redeploy. */
export interface Prepared {
  readonly request: RedeployRequest;
  readonly project: Project;
  readonly before: readonly NodeHead[];
  /** Whether earlier redeploys or the project's log show a deployment, even if no clone was found. */
  readonly wasDeployed: boolean;
  /** What the nodes' logs held, where they are the only witnesses. */
  readonly logs?: readonly (string | undefined)[] | undefined;
}

export interface RedeployOperationDeps {
  readonly projects: Projects;
  readonly containers: Containers;
  readonly clones: ClonesOnNodes;
  readonly history: DeployHistory;
  readonly pace: PollInterval;
  readonly inspection: NodeInspector;
}

/** How the work is watched while it goes on. */
export interface RedeployProgress {
  readonly startedAt: number;
  /** The platform's answer was lost: from now on its log is watched, until `signal` says to stop. */
  readonly lost: () => void;
  readonly signal: AbortSignal;
  readonly behind: Behind | undefined;
}

type Answer = PlatformAnswer & { readonly log?: string | undefined };

/** The steps of one redeploy: before, Update, what is to be seen afterwards. */
export class RedeployOperation {
  private readonly logs: DeployLogsOnNodes;

  constructor(private readonly deps: RedeployOperationDeps) {
    this.logs = new DeployLogsOnNodes(deps.containers);
  }

  async prepare(request: RedeployRequest): Promise<Prepared> {
    const { projects, inspection, history } = this.deps;
    const [project, seen, records] = await Promise.all([
      projects.read(request.place),
      inspection.heads(request),
      // If the history can't be read, no deployment is called the first one.
      history.of(request.place).catch(() => undefined),
    ]);
    // The log may contain only failed deployments; Gantry's own ones are known from the history.
    const wasDeployed =
      records === undefined || (records.length > 0 ? records.some(hasDeployed) : (project.settings.log ?? '') !== '');
    if (project.settings.type !== 'SVN') {
      return { request, project, before: seen, wasDeployed };
    }
    // Seen for the first time it was looked for as a clone.
    const isFound = this.deps.clones.folder(request.place) !== undefined;
    const before = isFound ? seen : await inspection.heads(request);
    const logs = await this.logs.texts(request.place, nodesIn(before));
    return { request, project, before, wasDeployed, logs };
  }

  async perform(prepared: Prepared, watching: RedeployProgress): Promise<DeployRecord> {
    const { history, clones, inspection } = this.deps;
    const { request, before } = prepared;
    const started = beginning(prepared, watching.startedAt);
    await history.keep(started);
    const answer = await this.update(prepared, watching);
    const nodes = nodesIn(before);
    const [after, log, logs] = await Promise.all([
      clones.heads(request.place, nodes),
      answer.log === undefined || answer.log === '' ? this.logAfter(prepared, nodes) : answer.log,
      prepared.logs === undefined ? [] : this.logs.texts(request.place, nodes),
    ]);
    const changes = revisionsOf(changesOf(before, after), prepared.logs ?? [], logs);
    const ended: DeployRecord = {
      ...started,
      milliseconds: Date.now() - watching.startedAt,
      nodes: [...changes],
      log: withoutLogins(log),
      verdict: await inspection.weigh(request.place, { changes, answer, log, behind: watching.behind }),
    };
    await history.keep(ended);
    return ended;
  }

  private async update({ request, project, before }: Prepared, watching: RedeployProgress): Promise<Answer> {
    const { place, nodeId, delay } = request;
    const nodes = nodesIn(before);
    const watched = this.logs.lengthsDuringLongWork(place, nodes);
    try {
      const account = this.deps.containers.account(place.account);
      const { log, message } = await account.call('Update', { ...projectAddress(place), nodeId, delay });
      return { said: 'success', log: log ?? message };
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      if (!error.fateUnknown) {
        return { said: 'failure', sentence: failureMessage(error), code: error.result };
      }
    } finally {
      watched.stop();
    }
    watching.lost();
    const baseline = {
      commits: commitsOf(before),
      projectLog: project.settings.log ?? '',
      ...(await watched.lengths()),
    };
    const ended = await watchLostUpdate(() => this.look(place, nodes), baseline, this.deps.pace, watching.signal);
    return { said: 'nothing', ended };
  }

  private async look(place: ProjectPlace, nodes: readonly DeployNode[]): Promise<NodeCheck | undefined> {
    const { projects, clones } = this.deps;
    try {
      const [{ settings }, logLengths, heads] = await Promise.all([
        projects.read(place),
        this.logs.lengths(place, nodes),
        clones.heads(place, nodes),
      ]);
      return { projectLog: settings.log, logLengths, commits: commitsOf(heads) };
    } catch (error) {
      if (isPlatformError(error)) {
        // The platform may be out of reach for a while; the next look may see more.
        return undefined;
      }
      throw error;
    }
  }

  /** Where the answer brought no log: the project's own if it is a new one, else the nodes'. */
  private async logAfter({ request, project }: Prepared, nodes: readonly DeployNode[]): Promise<string> {
    try {
      const { log = '' } = (await this.deps.projects.read(request.place)).settings;
      return log !== '' && log !== project.settings.log ? log : ((await this.logs.read(request.place, nodes)) ?? log);
    } catch (error) {
      if (isPlatformError(error)) {
        return failureMessage(error);
      }
      throw error;
    }
  }
}

function nodesIn(heads: readonly NodeHead[]): readonly DeployNode[] {
  return heads.map(({ node }) => node);
}

function commitsOf(heads: readonly NodeHead[]): readonly (string | undefined)[] {
  return heads.map(({ head }) => (head.kind === 'commit' ? head.commit : undefined));
}

/** Whether nothing was deployed before, as far as Gantry can tell. */
export function isFirst({ before, wasDeployed }: Pick<Prepared, 'before' | 'wasDeployed'>): boolean {
  return !wasDeployed && before.every(({ head }) => head.kind === 'absent');
}

function beginning({ request, project, before, wasDeployed }: Prepared, startedAt: number): DeployRecord {
  const { account, environment, layer, context } = request.place;
  return {
    id: recordId(startedAt),
    account,
    environment,
    layer,
    context,
    nodeId: request.nodeId,
    branch: project.settings.branch,
    isFirst: isFirst({ before, wasDeployed }),
    pinnedTo: project.settings.repoHash === '' ? undefined : project.settings.repoHash,
    startedAt,
    milliseconds: 0,
    verdict: { kind: 'running' },
    nodes: changesOf(before, before).map((change) => ({ ...change, after: undefined })),
    log: '',
  };
}
