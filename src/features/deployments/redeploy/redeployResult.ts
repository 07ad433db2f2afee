import * as v from 'valibot';
import { deployLogNames } from '../../../containers/logs/stackLogs';
import type { PlatformError } from '../../../platform/errors';
import { kindOfResult } from '../../../platform/resultCodes';
import { isOtherCommit, needsTag } from '../commits';
import type { NodeHead } from '../deployedState/nodeInspector';
import { headState, nodesNow } from '../deployedState/deployedState';
import { type HookFailure, hookFailure, subversionRevision, type LogSection, logSection } from '../history/deployLog';
import { placeEntries } from '../projectPlace';
import { type RedeployResult, redeployResult } from '../results';

/** What one node had before and after, according to its clone: a commit, or `r` and a Subversion revision. */
const nodeChange = v.object({
  name: v.string(),
  nodeId: v.optional(v.number()),
  before: v.optional(v.string()),
  /** Set if the node couldn't be checked before, so it isn't known whether the redeploy changed what it has. */
  isBeforeUnknown: v.optional(v.boolean()),
  after: v.optional(v.string()),
  /** Why the node couldn't be checked afterwards. */
  unreadable: v.optional(v.string()),
});
export type NodeChange = Readonly<v.InferOutput<typeof nodeChange>>;

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
  /** Something was deployed before, even if not from here. */
  wasDeployed: v.optional(v.boolean()),
  /** The commit that the project is pinned to instead of the branch's newest. */
  pinnedTo: v.optional(v.string()),
  /** The settings said then that edits on nodes stay. */
  keepsEdits: v.optional(v.boolean()),
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
  | { readonly said: 'nothing'; readonly ended: boolean; readonly wasClosed?: boolean };

interface Evidence {
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
  /** Whether the commit may not be the newest one on the branch that a node has. */
  readonly mayBeOld?: boolean | undefined;
  /** Whether it's known which branch each node had before. */
  readonly isBranchKnown?: boolean | undefined;
  /** Whether a node's clone knows another newest commit of the branch, although it lacks none. */
  readonly isMovedBack?: boolean | undefined;
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
      return onLostAnswer(evidence, evidence.platform);
    case 'success':
      return onSuccess(evidence);
  }
}

function onSuccess(evidence: Evidence): RedeployResult {
  const { isSubversion, revision, nodes, pinnedTo, otherBranch } = evidence;
  const [commit, ...others] = new Set(nodes.flatMap(({ after }) => after ?? []));
  if (others.length > 0) {
    return contradicted('nodesDiffer');
  }
  if (isSubversion) {
    return onSubversion(nodes, revision, pinnedTo);
  }
  if (commit !== undefined && nodes.some(hasNoClone)) {
    return contradicted('nodesDiffer');
  }
  if (nodes.some(({ unreadable }) => unreadable !== undefined)) {
    return unverified('unreadable');
  }
  if (commit === undefined) {
    return evidence.folderIsKnown ? contradicted('noClone') : unverified('folderUnknown');
  }
  return (
    besidePin(commit, evidence) ??
    (otherBranch === undefined ? againstTip(commit, evidence) : contradicted('otherBranch', { branch: otherBranch }))
  );
}

/** The project is pinned, but not certainly to this commit. */
function besidePin(commit: string, { pinnedTo, hashOfTag }: Evidence): RedeployResult | undefined {
  if (pinnedTo === undefined || !needsTag(commit, pinnedTo) || commit === hashOfTag) {
    return undefined;
  }
  return hashOfTag === undefined && isOtherCommit(commit, pinnedTo)
    ? contradicted('notPinned')
    : unverified('pinUnknown');
}

/** A project that isn't pinned must have its branch's newest commit. */
function againstTip(
  commit: string,
  { behind, pinnedTo, mayBeOld, isBranchKnown, isMovedBack }: Evidence,
): RedeployResult {
  if (isMovedBack === true) {
    return contradicted('movedBack');
  }
  const known = behind === undefined ? {} : { behind };
  const isBehind = (behind ?? 0) > 0;
  if ((!isBehind && mayBeOld !== true) || pinnedTo !== undefined) {
    return { kind: 'deployed', commit, ...known };
  }
  return isBehind || isBranchKnown === true ? contradicted('behind', known) : unverified('unreadable');
}

type Contradicted = Extract<RedeployResult, { kind: 'contradicted' }>;
type Unverified = Extract<RedeployResult, { kind: 'unverified' }>;

function contradicted(
  because: Contradicted['because'],
  known: Pick<Contradicted, 'behind' | 'branch'> = {},
): Contradicted {
  return { kind: 'contradicted', because, ...known };
}

function unverified(because: Unverified['because'], revision?: string): Unverified {
  return { kind: 'unverified', because, ...(revision === undefined ? {} : { revision }) };
}

/** A checkout can't be read; the log on each node shows the revision. */
function onSubversion(nodes: readonly NodeChange[], revision: string | undefined, pinnedTo = ''): RedeployResult {
  const deployed = nodesNow(nodes).commit;
  if (deployed !== undefined) {
    return isOtherCommit(deployed, pinnedTo)
      ? contradicted('notPinned')
      : unverified('subversion', deployed.replace(/^r/, ''));
  }
  return unverified('revisionUnknown', revision);
}

function onLostAnswer(
  { nodes, behind, isSubversion }: Evidence,
  { ended, wasClosed = false }: Extract<PlatformAnswer, { said: 'nothing' }>,
): RedeployResult {
  const commit = nodesNow(nodes).commit;
  const empty = nodes.filter(hasNoClone);
  return {
    kind: 'answerLost',
    ended,
    ...(wasClosed && { wasClosed }),
    ...(commit === undefined ? {} : { commit }),
    ...(behind === undefined ? {} : { behind }),
    ...(isSubversion || empty.length === 0 ? {} : { withoutClone: empty.map(({ name }) => name) }),
  };
}

/** For a project of Git. */
function hasNoClone({ after, unreadable }: NodeChange): boolean {
  return after === undefined && unreadable === undefined;
}

/** Whether a node certainly has something else than before the redeploy. */
export function hasMoved({ before, isBeforeUnknown = false, after }: NodeChange): boolean {
  return after !== undefined && after !== before && !isBeforeUnknown;
}

/** Whether the platform listed the nodes; otherwise, only the node that responded was checked. */
export function areKnown(nodes: readonly NodeChange[]): boolean {
  return nodes.every(({ nodeId }) => nodeId !== undefined);
}

/** Whether any of the nodes has something else than before. */
export function sinceBefore(nodes: readonly NodeChange[]): 'new' | 'same' | 'unknown' {
  if (nodes.some(hasMoved)) {
    return 'new';
  }
  return nodes.some(({ isBeforeUnknown }) => isBeforeUnknown) ? 'unknown' : 'same';
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

export function changesOf(before: readonly NodeHead[], after: readonly NodeHead[]): readonly NodeChange[] {
  return after.map(({ node, head }) => {
    const earlier = before.find(({ node: { name } }) => name === node.name);
    return {
      name: node.name,
      nodeId: node.target.nodeId,
      before: earlier && headState(earlier.head).after,
      ...(earlier?.head.kind === 'unreadable' && { isBeforeUnknown: true }),
      ...headState(head),
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

/** Keeps what the node had before the redeploy, if it was there then, and a revision, which can't be checked again. */
export function withEarlierChange(change: NodeChange, { nodes }: DeployRecord): NodeChange {
  const then = nodes.find(({ name }) => name === change.name);
  const revision = then?.after?.startsWith('r') === true ? then.after : undefined;
  const unknown = (then === undefined || then.isBeforeUnknown === true) && { isBeforeUnknown: true };
  return { ...change, before: then?.before, ...unknown, after: change.after ?? revision };
}

/** What the platform said to the redeploy, which a later check doesn't change. */
export function answerThen(verdict: RedeployResult): PlatformAnswer {
  switch (verdict.kind) {
    case 'failed':
      return { said: 'failure', sentence: verdict.sentence, code: verdict.code };
    case 'running':
      return { said: 'nothing', ended: false, wasClosed: true };
    case 'answerLost':
      return { said: 'nothing', ended: verdict.ended, ...(verdict.wasClosed && { wasClosed: true }) };
    default:
      return { said: 'success' };
  }
}

/** Whether the platform deployed to the nodes, as far as it says, even if not what it should have. */
export function hasDeployed({ verdict }: Pick<DeployRecord, 'verdict'>): boolean {
  const isStill =
    verdict.kind === 'contradicted' &&
    (verdict.because === 'noClone' || verdict.because === 'movedBack' || (verdict.behind ?? 0) > 0);
  return answerThen(verdict).said === 'success' && !isStill;
}

/** Whether the nodes have the branch, but perhaps not its newest commit, as happens after a change of branches. */
export function mayBeOutdated(verdict: RedeployResult): boolean {
  return verdict.kind === 'contradicted' && verdict.because === 'behind' && (verdict.behind ?? 0) === 0;
}

/** Whether the platform failed for a reason that neither the log nor its code explains, or contradicts itself. */
export function isSurprising(verdict: RedeployResult): boolean {
  return verdict.kind === 'contradicted'
    ? !mayBeOutdated(verdict) && verdict.because !== 'movedBack'
    : verdict.kind === 'failed' && kindOfResult(verdict.code ?? 0) === 'platform';
}

/**
 * The node that a failed redeploy most likely failed on, which is the first one that runs nothing new, if only its own log
 * may say why: the platform's and those of hooks are empty.
 */
export function nodeWithReason({ verdict, nodes, log, logsBeside = [] }: DeployRecord): number | undefined {
  if (verdict.kind !== 'failed' || log.trim() !== '' || logsBeside.length > 0) {
    return undefined;
  }
  const known = nodes.filter(({ nodeId }) => nodeId !== undefined);
  return (known.find((node) => !hasMoved(node)) ?? known[0])?.nodeId;
}
