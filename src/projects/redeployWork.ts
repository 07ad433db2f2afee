import type { AccountCallOptions } from '../accounts/signedInAccount';
import type { Environments } from '../environments/environments';
import { isPlatformError } from '../platform/errors';
import type { Containers } from '../remote/containers';
import { sentenceOf } from '../ui/sentences';
import { type Clones, type DeployNode, deployNodes, type NodeHead } from './clones';
import { type DeployHistory, recordId } from './deployHistory';
import { subversionRevision, withoutLogins } from './deployLog';
import type { DeployRecord } from './deployRecord';
import { followUp, type Look, type Pace } from './followUp';
import { NodeLogs } from './nodeLogs';
import { addressOf, type ProjectPlace } from './projectPlace';
import type { Project, Projects } from './projects';
import {
  changesOf,
  type NodeChange,
  type PlatformSaid,
  revisionsOf,
  saidThen,
  standingOn,
  type Verdict,
  verdictOn,
} from './verdict';
import { gravityOf } from './verdictWords';

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
  /** What the nodes' logs held, where they are the only witnesses. */
  readonly logs?: readonly (string | undefined)[] | undefined;
}

/** A local repository's knowledge of the branch: how many of its commits a deployed one lacks. */
export type Behind = (commit: string) => Promise<number | undefined>;

export interface RedeployParts {
  readonly projects: Projects;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly clones: Clones;
  readonly history: DeployHistory;
  readonly pace: Pace;
}

/** How the work is watched while it goes on. */
export interface Watching {
  readonly startedAt: number;
  /** The platform's answer was lost: from now on its log is watched, until `signal` says to stop. */
  readonly lost: () => void;
  readonly signal: AbortSignal;
  readonly behind: Behind | undefined;
}

type Answer = PlatformSaid & { readonly log?: string | undefined };

/** The steps of one redeploy: before, Update, what is to be seen afterwards. */
export class RedeployWork {
  private readonly logs: NodeLogs;

  constructor(private readonly parts: RedeployParts) {
    this.logs = new NodeLogs(parts.containers);
  }

  async prepare(request: RedeployRequest): Promise<Prepared> {
    const { projects } = this.parts;
    const [project, seen] = await Promise.all([projects.read(request.place), this.heads(request)]);
    if (project.settings.type !== 'SVN') {
      return { request, project, before: seen };
    }
    // Seen for the first time it was looked for as a clone.
    const isFound = this.parts.clones.folder(request.place) !== undefined;
    const before = isFound ? seen : await this.heads(request);
    const logs = await this.logs.texts(request.place, nodesIn(before));
    return { request, project, before, logs };
  }

  /** What the clones on the nodes say is deployed. */
  async heads(request: RedeployRequest, options?: AccountCallOptions): Promise<readonly NodeHead[]> {
    const nodes = await this.nodesOf(request);
    return this.parts.clones.heads(request.place, nodes, options);
  }

  async perform(prepared: Prepared, watching: Watching): Promise<DeployRecord> {
    const { history, clones } = this.parts;
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
      verdict: await this.weigh(request.place, { changes, answer, log, behind: watching.behind }),
    };
    await history.keep(ended);
    return ended;
  }

  /** Looks at the nodes once more, for a redeploy whose end is not known, and after which there was no other. */
  async lookAgain(record: DeployRecord, behind?: Behind): Promise<DeployRecord> {
    if (gravityOf(record) !== 'doubt' || (await this.parts.history.last(record))?.id !== record.id) {
      return record;
    }
    const nodes = await this.nodesOf({ place: record, nodeId: record.nodeId });
    const [heads, read] = await Promise.all([this.parts.clones.heads(record, nodes), this.logs.read(record, nodes)]);
    const changes = changesOf([], heads).map((change) => seenAgain(change, record));
    const log = withoutLogins(read ?? record.log);
    const answer = saidThen(record.verdict);
    const verdict = await this.weigh(record, { changes, answer, log, behind });
    const seen = { ...record, nodes: changes, verdict, log };
    await this.parts.history.keep(seen);
    return seen;
  }

  private async update({ request, project, before }: Prepared, watching: Watching): Promise<Answer> {
    const { place, nodeId, delay } = request;
    const nodes = nodesIn(before);
    const watched = this.logs.lengthsDuringLongWork(place, nodes);
    try {
      const account = this.parts.containers.account(place.account);
      const { log, message } = await account.call('Update', { ...addressOf(place), nodeId, delay });
      return { said: 'success', log: log ?? message };
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      if (!error.fateUnknown) {
        return { said: 'failure', sentence: sentenceOf(error), code: error.result };
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
    const ended = await followUp(() => this.look(place, nodes), baseline, this.parts.pace, watching.signal);
    return { said: 'nothing', ended };
  }

  private async look(place: ProjectPlace, nodes: readonly DeployNode[]): Promise<Look | undefined> {
    const { projects, clones } = this.parts;
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
      const { log = '' } = (await this.parts.projects.read(request.place)).settings;
      return log !== '' && log !== project.settings.log ? log : ((await this.logs.read(request.place, nodes)) ?? log);
    } catch (error) {
      if (isPlatformError(error)) {
        return sentenceOf(error);
      }
      throw error;
    }
  }

  private async weigh(
    place: ProjectPlace,
    seen: { changes: readonly NodeChange[]; answer: PlatformSaid; log: string; behind: Behind | undefined },
  ): Promise<Verdict> {
    const settings = this.parts.projects.last(place)?.settings;
    const stands = standingOn(seen.changes);
    return verdictOn({
      platform: seen.answer,
      nodes: seen.changes,
      isSubversion: settings?.type === 'SVN',
      folderIsKnown: this.parts.clones.isProven(place),
      revision: subversionRevision(seen.log),
      behind: stands === undefined ? undefined : await seen.behind?.(stands),
      isPinned: (settings?.repoHash ?? '') !== '',
    });
  }

  /** The layer's nodes, or the layer as a whole where they cannot be known: that must not keep anyone from deploying. */
  private async nodesOf({ place, nodeId }: RedeployRequest): Promise<readonly DeployNode[]> {
    const { containers, environments } = this.parts;
    try {
      const all = await environments.of(containers.account(place.account));
      const layers = all.find(({ name }) => name === place.environment)?.layers ?? [];
      return deployNodes(
        layers.find(({ id }) => id === place.layer),
        place,
        nodeId,
      );
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      return deployNodes(undefined, place, nodeId);
    }
  }
}

/** What stood there before is as it was; a revision that was told cannot be seen again. */
function seenAgain(change: NodeChange, { nodes }: DeployRecord): NodeChange {
  const then = nodes.find(({ name }) => name === change.name);
  const revision = then?.after?.startsWith('r') === true ? then.after : undefined;
  return { ...change, before: then?.before, after: change.after ?? revision };
}

function nodesIn(heads: readonly NodeHead[]): readonly DeployNode[] {
  return heads.map(({ node }) => node);
}

function commitsOf(heads: readonly NodeHead[]): readonly (string | undefined)[] {
  return heads.map(({ head }) => (head.kind === 'commit' ? head.commit : undefined));
}

function beginning({ request, project, before }: Prepared, startedAt: number): DeployRecord {
  const { account, environment, layer, context } = request.place;
  return {
    id: recordId(startedAt),
    account,
    environment,
    layer,
    context,
    nodeId: request.nodeId,
    branch: project.settings.branch,
    startedAt,
    milliseconds: 0,
    verdict: { kind: 'running' },
    nodes: changesOf(before, before).map((change) => ({ ...change, after: undefined })),
    log: '',
  };
}
