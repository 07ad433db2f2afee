import type { AccountCallOptions } from '../../accounts/signedInAccount';
import { layerIn } from '../../containers/environmentIndex';
import type { Environments } from '../../containers/environments';
import { isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import { type ClonesOnNodes, type DeployNode, deployNodes, type NodeHead } from './clonesOnNodes';
import type { DeployHistory } from '../history/deployHistory';
import { subversionRevision, withoutLogins } from '../history/deployLog';
import type { DeployRecord } from '../history/deployRecord';
import { DeployLogsOnNodes } from './deployLogsOnNodes';
import type { ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import {
  changesOf,
  type NodeChange,
  type PlatformAnswer,
  answerThen,
  commitsOnNodes,
  type RedeployResult,
  redeployResultFrom,
} from '../redeploy/redeployResult';
import { severityOf } from '../redeploy/redeployResultText';

/** A project's layer, or one node of it only. */
export interface Inspected {
  readonly place: ProjectPlace;
  readonly nodeId?: number | undefined;
}

/** A local repository's knowledge of the branch: how many of its commits a deployed one lacks. */
export type Behind = (commit: string) => Promise<number | undefined>;

export interface NodeInspectorDeps {
  readonly projects: Projects;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly clones: ClonesOnNodes;
  readonly history: DeployHistory;
}

/** What is seen to be deployed on a project's nodes, and what that says of a redeploy. */
export class NodeInspector {
  private readonly logs: DeployLogsOnNodes;

  constructor(private readonly deps: NodeInspectorDeps) {
    this.logs = new DeployLogsOnNodes(deps.containers);
  }

  /** What the clones on the nodes say is deployed. */
  async heads(inspected: Inspected, options?: AccountCallOptions): Promise<readonly NodeHead[]> {
    const nodes = await this.nodesOf(inspected);
    return this.deps.clones.heads(inspected.place, nodes, options);
  }

  /** Looks at the nodes once more, for a redeploy whose end is not known, and after which there was no other. */
  async lookAgain(record: DeployRecord, behind?: Behind): Promise<DeployRecord> {
    if (severityOf(record) !== 'doubt' || (await this.deps.history.last(record))?.id !== record.id) {
      return record;
    }
    const nodes = await this.nodesOf({ place: record, nodeId: record.nodeId });
    const [heads, read] = await Promise.all([this.deps.clones.heads(record, nodes), this.logs.read(record, nodes)]);
    const changes = changesOf([], heads).map((change) => seenAgain(change, record));
    const log = withoutLogins(read ?? record.log);
    const answer = answerThen(record.verdict);
    const verdict = await this.weigh(record, { changes, answer, log, behind });
    const seen = { ...record, nodes: changes, verdict, log };
    await this.deps.history.keep(seen);
    return seen;
  }

  /** What is to be said of a redeploy after which this was seen. */
  async weigh(
    place: ProjectPlace,
    seen: { changes: readonly NodeChange[]; answer: PlatformAnswer; log: string; behind: Behind | undefined },
  ): Promise<RedeployResult> {
    const settings = this.deps.projects.last(place)?.settings;
    const stands = commitsOnNodes(seen.changes);
    return redeployResultFrom({
      platform: seen.answer,
      nodes: seen.changes,
      isSubversion: settings?.type === 'SVN',
      folderIsKnown: this.deps.clones.isProven(place),
      revision: subversionRevision(seen.log),
      behind: stands === undefined ? undefined : await seen.behind?.(stands),
      isPinned: (settings?.repoHash ?? '') !== '',
    });
  }

  /** The layer's nodes, or the layer as a whole where they cannot be known: that must not keep anyone from deploying. */
  private async nodesOf({ place, nodeId }: Inspected): Promise<readonly DeployNode[]> {
    const { containers, environments } = this.deps;
    try {
      const all = await environments.of(containers.account(place.account));
      return deployNodes(layerIn(all, place.environment, place.layer), place, nodeId);
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
