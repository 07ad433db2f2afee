import * as v from 'valibot';
import { deployLogNames } from '../../containers/logs/stackLogs';
import type { PlatformError } from '../../platform/errors';
import type { Head, NodeHead } from '../deployedState/nodeInspector';
import { type HookFailure, hookFailure, subversionRevision, type LogSection, logSection } from '../history/deployLog';
import { placeEntries } from '../projectPlace';

/** What one node had before and after, according to its clone: a commit, or `r` and a Subversion revision. */
const nodeChange = v.object({
  name: v.string(),
  nodeId: v.optional(v.number()),
  before: v.optional(v.string()),
  after: v.optional(v.string()),
  /** Why the node couldn't be checked afterwards. */
  unreadable: v.optional(v.string()),
});
export type NodeChange = Readonly<v.InferOutput<typeof nodeChange>>;

/** The result of a redeploy. Only `deployed` means that the commit was found on every target node. */
const redeployResult = v.variant('kind', [
  v.object({ kind: v.literal('running') }),
  /** The platform and every node's clone confirm it. */
  // `behind`: how many of the branch's commits it lacks, if a local repository can tell.
  v.object({ kind: v.literal('deployed'), commit: v.string(), behind: v.optional(v.number()) }),
  /** Only the platform confirms it, because not all nodes could be checked. */
  v.object({
    kind: v.literal('unverified'),
    /**
     * `subversion`: the revision is in the nodes' logs. `revisionUnknown`: it isn't. `pinUnknown`: the project is pinned to a
     * tag or another name, and the deployed commit isn't known to be that one.
     */
    because: v.picklist(['subversion', 'revisionUnknown', 'unreadable', 'folderUnknown', 'pinUnknown']),
    revision: v.optional(v.string()),
  }),
  /** The platform reports success, but the nodes show otherwise. */
  v.object({
    kind: v.literal('contradicted'),
    because: v.picklist(['noClone', 'nodesDiffer', 'behind', 'notPinned', 'otherBranch']),
    behind: v.optional(v.number()),
    /** The branch that a node has instead of the project's. */
    branch: v.optional(v.string()),
  }),
  v.object({ kind: v.literal('failed'), sentence: v.string(), code: v.optional(v.number()) }),
  /** The response was lost. `ended`: the log is complete. `commit`: the one that all checked nodes have. */
  v.object({
    kind: v.literal('answerLost'),
    ended: v.boolean(),
    moved: v.boolean(),
    commit: v.optional(v.string()),
    behind: v.optional(v.number()),
    /** The names of the nodes that should have a clone, but don't. */
    withoutClone: v.optional(v.array(v.string())),
  }),
]);
export type RedeployResult = v.InferOutput<typeof redeployResult>;

/** A redeploy started here, with its time, duration, commits, result and log. */
export const deployRecord = v.object({
  id: v.string(),
  ...placeEntries,
  /** One node only. */
  nodeId: v.optional(v.number()),
  /** The delay between two nodes' restarts that the user entered, in seconds. */
  delay: v.optional(v.number()),
  branch: v.optional(v.string()),
  /** Nothing was deployed before. */
  isFirst: v.optional(v.boolean()),
  /** The commit that the project is pinned to instead of the branch's newest. */
  pinnedTo: v.optional(v.string()),
  startedAt: v.number(),
  milliseconds: v.number(),
  verdict: redeployResult,
  nodes: v.array(nodeChange),
  log: v.string(),
  /** The log was read later, and may have lines of later redeploys. */
  isLogEndUnknown: v.optional(v.boolean()),
  /** What hooks and resets wrote on each node. It's read when the hooks may say why it failed, or when someone opens the log. */
  logsBeside: v.optional(v.array(logSection)),
  /**
   * How long each node's logs were before, in bytes, by the node's name and the log's path. Whatever is before that is about
   * another redeploy.
   */
  logLengths: v.optional(v.record(v.string(), v.record(v.string(), v.number()))),
});
export type DeployRecord = v.InferOutput<typeof deployRecord>;

export type PlatformAnswer =
  | { readonly said: 'success' }
  | { readonly said: 'failure'; readonly sentence: string; readonly code: number | undefined }
  | { readonly said: 'nothing'; readonly ended: boolean };

export interface Evidence {
  readonly platform: PlatformAnswer;
  readonly isSubversion: boolean;
  readonly folderIsKnown: boolean;
  readonly nodes: readonly NodeChange[];
  /** The revision in the platform's log of a Subversion project. */
  readonly revision?: string | undefined;
  /** How many commits of the branch are missing on the nodes, if a local repository can tell. */
  readonly behind?: number | undefined;
  /** The commit that the project is pinned to instead of following its branch. */
  readonly pinnedTo?: string | undefined;
  /** A branch on a node that isn't the project's. Edits may keep Git from checking that out. */
  readonly otherBranch?: string | undefined;
  /** The hash of the clone's tag of that name. A name such as a date of eight digits may look like a commit. */
  readonly hashOfTag?: string | undefined;
}

/** Compares what the platform said with what the nodes' clones say. */
export function redeployResultFrom(evidence: Evidence): RedeployResult {
  switch (evidence.platform.said) {
    case 'failure': {
      const { sentence, code } = evidence.platform;
      return { kind: 'failed', sentence, ...(code === undefined ? {} : { code }) };
    }
    case 'nothing':
      return onLostAnswer(evidence, evidence.platform.ended);
    case 'success':
      return onSuccess(evidence);
  }
}

function onSuccess(evidence: Evidence): RedeployResult {
  const { isSubversion, revision, nodes, folderIsKnown, behind, pinnedTo, hashOfTag, otherBranch } = evidence;
  const commits = new Set(nodes.flatMap(({ after }) => after ?? []));
  if (commits.size > 1) {
    return { kind: 'contradicted', because: 'nodesDiffer' };
  }
  if (isSubversion) {
    return onSubversion(nodes, revision, pinnedTo);
  }
  if (nodes.some(({ unreadable }) => unreadable !== undefined)) {
    return { kind: 'unverified', because: 'unreadable' };
  }
  if (nodes.length === 0 || nodes.some(({ after }) => after === undefined)) {
    return folderIsKnown
      ? { kind: 'contradicted', because: 'noClone' }
      : { kind: 'unverified', because: 'folderUnknown' };
  }
  const [commit = ''] = commits;
  if (pinnedTo !== undefined && needsTag(commit, pinnedTo) && commit !== hashOfTag) {
    return hashOfTag === undefined && isOtherCommit(commit, pinnedTo)
      ? { kind: 'contradicted', because: 'notPinned' }
      : { kind: 'unverified', because: 'pinUnknown' };
  }
  if (otherBranch !== undefined) {
    return { kind: 'contradicted', because: 'otherBranch', branch: otherBranch };
  }
  const known = behind === undefined ? {} : { behind };
  return (behind ?? 0) > 0 && pinnedTo === undefined
    ? { kind: 'contradicted', because: 'behind', ...known }
    : { kind: 'deployed', commit, ...known };
}

/** The dashboard writes a fingerprint of 32 digits, which pins nothing. */
const fingerprint = /^[0-9a-f]{32}$/i;

function canBeCommit(pinnedTo: string): boolean {
  return /^(?:[0-9a-f]{7,40}|[0-9a-f]{64})$/i.test(pinnedTo) && !fingerprint.test(pinnedTo);
}

/** Whether a project is pinned to this commit of Git by its hash, or to this revision of Subversion. */
export function isPinnedCommit(commit: string, pinnedTo: string): boolean {
  return commit === `r${pinnedTo}` || (canBeCommit(pinnedTo) && commit.startsWith(pinnedTo.toLowerCase()));
}

/** Whether only a tag can show that a project is pinned to this commit of Git. */
export function needsTag(commit: string, pinnedTo: string): boolean {
  return !isPinnedCommit(commit, pinnedTo) && !fingerprint.test(pinnedTo);
}

/**
 * Whether a commit is another one than a project is pinned to. A branch or tag to which it's pinned tells nothing, nor does
 * the fingerprint of the dashboard. All else that can be a commit's hash, or its beginning, is one.
 * @param commit of Subversion, `r` and the revision
 */
export function isOtherCommit(commit: string, pinnedTo: string): boolean {
  const [, revision] = /^r(\d+)$/.exec(commit) ?? [];
  if (revision !== undefined) {
    return /^\d+$/.test(pinnedTo) && pinnedTo !== revision;
  }
  return canBeCommit(pinnedTo) && !commit.startsWith(pinnedTo.toLowerCase());
}

/** A checkout can't be read; the log on each node shows the revision. */
function onSubversion(nodes: readonly NodeChange[], revision: string | undefined, pinnedTo = ''): RedeployResult {
  const deployed = commitsOnNodes(nodes);
  if (deployed !== undefined) {
    return isOtherCommit(deployed, pinnedTo)
      ? { kind: 'contradicted', because: 'notPinned' }
      : { kind: 'unverified', because: 'subversion', revision: deployed.replace(/^r/, '') };
  }
  return { kind: 'unverified', because: 'revisionUnknown', ...(revision === undefined ? {} : { revision }) };
}

function onLostAnswer({ nodes, behind, isSubversion }: Evidence, ended: boolean): RedeployResult {
  const commit = commitsOnNodes(nodes);
  const empty = nodes.filter(({ after, unreadable }) => after === undefined && unreadable === undefined);
  return {
    kind: 'answerLost',
    ended,
    moved: nodes.some(({ before, after }) => after !== undefined && before !== after),
    ...(commit === undefined ? {} : { commit }),
    ...(behind === undefined ? {} : { behind }),
    ...(isSubversion || empty.length === 0 ? {} : { withoutClone: empty.map(({ name }) => name) }),
  };
}

/** Codes by which the platform refuses a call before it does anything: parameters, rights, and things that don't exist. */
const refusals: ReadonlySet<number | undefined> = new Set([3, 5, 8, 11, 901, 2212, 2500, 4006, 4052]);

/** Codes by which the platform says that a hook failed, or ran out of time. */
const hookFailures: ReadonlySet<number | undefined> = new Set([124, 4125, 4126, 4127, 4128, 4129, 4130]);

export function isHookFailure(code: number | undefined): boolean {
  return hookFailures.has(code);
}

/** Returns how a hook failed if that's why a redeploy failed, with the log that says so, if it was read. */
export function failedHook({
  verdict,
  logsBeside = [],
}: DeployRecord): (HookFailure & { readonly section: LogSection }) | undefined {
  const isFailure = verdict.kind === 'failed' && isHookFailure(verdict.code);
  const logs = isFailure ? logsBeside.filter(({ path }) => path.endsWith(`/${deployLogNames.hooks}`)) : [];
  const [found] = logs.flatMap((section) => {
    const failure = hookFailure(section.text);
    return failure === undefined ? [] : [{ ...failure, section }];
  });
  return found;
}

/** Whether a failed Update did nothing on any node: it wasn't sent, or the platform refused it before it began. */
export function isRefused({ kind, result, isOutcomeUnknown, log = '', nodes }: PlatformError): boolean {
  if (isOutcomeUnknown || log !== '' || nodes.length > 0) {
    return false;
  }
  // Other kinds may describe what the deployment met on a node, such as a file that it may not change.
  return result === undefined || kind === 'unauthenticated' || kind === 'tokenLacksMethod' || refusals.has(result);
}

/** Returns the commit that these nodes share, or `undefined` if they differ or not all could be read. */
export function commitsOnNodes(nodes: readonly NodeChange[]): string | undefined {
  const [first, ...others] = nodes.map(({ after }) => after);
  return others.every((other) => other === first) ? first : undefined;
}

export function changesOf(before: readonly NodeHead[], after: readonly NodeHead[]): readonly NodeChange[] {
  return after.map(({ node, head }) => {
    const earlier = before.find(({ node: { name } }) => name === node.name)?.head;
    return {
      name: node.name,
      nodeId: node.target.nodeId,
      before: earlier && commitOf(earlier),
      after: commitOf(head),
      ...(head.kind === 'unreadable' ? { unreadable: head.why } : {}),
    };
  });
}

/** A branch on a node other than the one that all should have. It's empty if a commit in the settings is deployed instead. */
export function otherBranchOn(heads: readonly NodeHead[], branch: string): string | undefined {
  return heads
    .flatMap(({ head }) => (head.kind === 'commit' && head.branch !== undefined ? [head.branch] : []))
    .find((one) => branch !== '' && one !== branch);
}

/** Adds the revisions that the nodes' logs mention. */
export function revisionsOf(nodes: readonly NodeChange[], logs: readonly string[]): readonly NodeChange[] {
  return nodes.map((node, index) => {
    const revision = subversionRevision(logs[index] ?? '');
    return revision === undefined ? node : { ...node, after: `r${revision}` };
  });
}

/** Keeps what the node had before the redeploy, and a revision, which can't be checked again. */
export function withEarlierChange(change: NodeChange, { nodes }: DeployRecord): NodeChange {
  const then = nodes.find(({ name }) => name === change.name);
  const revision = then?.after?.startsWith('r') === true ? then.after : undefined;
  return { ...change, before: then?.before, after: change.after ?? revision };
}

/** What the platform said to the redeploy, which a later check doesn't change. */
export function answerThen(verdict: RedeployResult): PlatformAnswer {
  switch (verdict.kind) {
    case 'deployed':
    case 'unverified':
    case 'contradicted':
      return { said: 'success' };
    case 'failed':
      return { said: 'failure', sentence: verdict.sentence, code: verdict.code };
    case 'running':
      return { said: 'nothing', ended: false };
    case 'answerLost':
      return { said: 'nothing', ended: verdict.ended };
  }
}

function commitOf(head: Head): string | undefined {
  return head.kind === 'commit' ? head.commit : undefined;
}

/** `doubt`: at most the platform confirms the result. */
export type Severity = 'success' | 'doubt' | 'trouble';

export function severityOf({ verdict }: DeployRecord): Severity {
  switch (verdict.kind) {
    case 'deployed':
      return 'success';
    case 'unverified':
      return verdict.because === 'subversion' && verdict.revision !== undefined ? 'success' : 'doubt';
    case 'running':
    case 'answerLost':
      return 'doubt';
    case 'contradicted':
    case 'failed':
      return 'trouble';
  }
}

/** Whether the platform deployed to the nodes, as far as it says, even if not what it should have. */
export function hasDeployed({ verdict }: Pick<DeployRecord, 'verdict'>): boolean {
  const isElsewhere = verdict.kind === 'contradicted' && ['notPinned', 'nodesDiffer'].includes(verdict.because);
  return verdict.kind === 'deployed' || verdict.kind === 'unverified' || isElsewhere;
}
