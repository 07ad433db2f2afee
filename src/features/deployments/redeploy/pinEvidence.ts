import * as v from 'valibot';
import type { Memento } from 'vscode';
import { pinningPlatformsKey } from '../../../storage/storageKeys';
import type { HeadMove } from '../deployedState/gitFiles';
import type { NodeInspector } from '../deployedState/nodeInspector';
import type { DeployHistory } from '../history/deployHistory';
import type { Project } from '../projects';
import { isOtherCommit, isPinnedCommit } from '../commits';
import type { RedeployResult } from '../results';
import type { DeployRecord, NodeChange } from './redeployResult';

const platform = v.object({ account: v.string(), kind: v.picklist(['GIT', 'SVN']) });
type Platform = v.InferOutput<typeof platform>;
const platforms = v.fallback(v.array(platform), []);

/**
 * The platforms on which a redeploy has shown that they deploy the commit in a project's settings, and none since that
 * they don't. Others store it and deploy the newest one.
 */
export class PinEvidence {
  constructor(
    private readonly deps: {
      readonly state: Pick<Memento, 'get' | 'update'>;
      readonly inspector: NodeInspector;
      readonly history: DeployHistory;
    },
  ) {}

  has({ account, kind }: Platform): boolean {
    return this.all.some((one) => one.account === account && one.kind === kind);
  }

  async keep(shown: Platform): Promise<void> {
    await this.update([...this.without(shown), shown]);
  }

  /** Takes over what a redeploy shows, before its record is in the history. */
  async take({ place, settings }: Project, record: DeployRecord): Promise<void> {
    const { repoHash = '', type: kind = 'GIT', branch = '' } = settings;
    const of = { account: place.account, kind };
    if (repoHash === '') {
      return;
    }
    if (record.nodes.some((node) => isElsewhere(node, record.verdict, repoHash))) {
      await this.update(this.without(of));
    } else if (!this.has(of) && record.nodes.every(({ after = '' }) => isPinnedCommit(after, repoHash))) {
      const isProof = kind === 'SVN' ? this.wasNewer(record, repoHash) : this.isBehindTip(record, branch);
      if (await isProof) {
        await this.keep(of);
      }
    }
  }

  /** Takes over only that the platform deployed another commit, as a later check shows. */
  async revoke(project: Project | undefined, { account, nodes, pinnedTo, verdict }: DeployRecord): Promise<void> {
    const { repoHash = '', type: kind = 'GIT' } = project?.settings ?? {};
    // The settings may have another commit by now, which the redeploy wasn't to deploy.
    if (repoHash !== '' && repoHash === pinnedTo && nodes.some((node) => isElsewhere(node, verdict, repoHash))) {
      await this.update(this.without({ account, kind }));
    }
  }

  async forgetAccount(account: string): Promise<void> {
    await this.update(this.all.filter((one) => one.account !== account));
  }

  private get all(): readonly Platform[] {
    return v.parse(platforms, this.deps.state.get(pinningPlatformsKey));
  }

  private without({ account, kind }: Platform): readonly Platform[] {
    return this.all.filter((one) => one.account !== account || one.kind !== kind);
  }

  private async update(all: readonly Platform[]): Promise<void> {
    if (all.length !== this.all.length) {
      await this.deps.state.update(pinningPlatformsKey, all);
    }
  }

  /** Whether an earlier redeploy of a Subversion project deployed a newer revision. */
  private async wasNewer(record: DeployRecord, revision: string): Promise<boolean> {
    const earlier = (await this.deps.history.of(record)).flatMap(({ nodes }) => nodes);
    return earlier.some(({ after = 'r0' }) => Number(after.slice(1)) > Number(revision));
  }

  /**
   * Whether this redeploy moved each clone to a commit that isn't its branch's newest one, other than by checking out a
   * branch that was at this commit before.
   */
  private async isBehindTip(record: DeployRecord, branch: string): Promise<boolean> {
    const clones = await this.deps.inspector.branches({ place: record, nodeId: record.nodeId }, branch);
    return (
      clones.length === record.nodes.length &&
      clones.every(({ node, current, tip, lastMove }) => {
        const change: Partial<NodeChange> = record.nodes.find(({ name }) => name === node.name) ?? {};
        const isOnBranch = current === undefined || current === branch;
        const isBehind = tip !== undefined && tip !== change.after;
        return node.target.nodeId !== undefined && isMoved(change, lastMove) && isOnBranch && isBehind;
      })
    );
  }
}

/** Whether a clone's last move was the one by this redeploy, and not only to a branch that was at this commit before. */
function isMoved({ before, after }: Partial<NodeChange>, lastMove: HeadMove | undefined): boolean {
  const [, from, to] = /^checkout: moving from (\S+) to (\S+)$/.exec(lastMove?.why ?? '') ?? [];
  const isSwitch = from !== to && to !== after;
  return before !== after && lastMove?.to === after && !isSwitch;
}

/** Whether a redeploy gave a node another commit than the one in the project's settings. */
function isElsewhere({ before, after }: NodeChange, { kind }: RedeployResult, repoHash: string): boolean {
  const isByThis = kind === 'contradicted' || (kind === 'answerLost' && before !== after);
  return isByThis && after !== undefined && isOtherCommit(after, repoHash);
}
