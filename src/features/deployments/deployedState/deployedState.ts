import type { FailedRedeploy, StateResult } from '../results';
import { isPinnedCommit } from '../commits';
import type { Head, NodeHead } from './nodeInspector';

export interface HeadState {
  /** A commit, or `r` and a Subversion revision. */
  readonly after?: string | undefined;
  readonly unreadable?: string | undefined;
}

/** What a project's nodes run, and the commit if they all have the same. */
type NodesNow =
  | { readonly kind: 'same'; readonly commit: string }
  | { readonly kind: 'unreadable'; readonly why: string; readonly commit?: undefined }
  | { readonly kind: 'differ'; readonly commit?: undefined }
  /** No node has a clone, or there's no node. */
  | { readonly kind: 'absent'; readonly commit?: undefined; readonly why?: undefined };

export function nodesNow(nodes: readonly HeadState[]): NodesNow {
  const [commit, ...others] = new Set(nodes.map(({ after }) => after));
  // The log on a node may show the revision of a checkout, which can't be read.
  if (commit !== undefined && others.length === 0) {
    return { kind: 'same', commit };
  }
  const why = nodes.find(({ unreadable }) => unreadable !== undefined)?.unreadable;
  return why === undefined ? { kind: others.length > 0 ? 'differ' : 'absent' } : { kind: 'unreadable', why };
}

export function headState(head: Head): HeadState {
  return {
    after: head.kind === 'commit' ? head.commit : undefined,
    ...(head.kind === 'unreadable' ? { unreadable: head.why } : {}),
  };
}

export function headsNow(heads: readonly NodeHead[]): NodesNow {
  return nodesNow(heads.map(({ head }) => headState(head)));
}

export interface DeployedFacts {
  readonly isSubversion: boolean;
  readonly autoUpdates: boolean;
  readonly nodes: readonly HeadState[];
  /** The commit that the last redeploy from here deployed. */
  readonly left: string | undefined;
  /** When that redeploy deployed it as the newest commit of the project's branch, if it did. */
  readonly newestAt?: number | undefined;
  /** Set if that redeploy failed. `nodes`: what it left on them. */
  readonly failure?: { readonly result: FailedRedeploy; readonly nodes: readonly HeadState[] } | undefined;
  /** The commit in the settings that the project deploys instead of its branch's newest one. */
  readonly pinnedTo?: string | undefined;
  /** The branch before a roll back that pushed one; empty if it isn't known, `undefined` without such a roll back. */
  readonly rolledBackFrom?: string | undefined;
  /** The branch that the nodes are compared with: the project's, or after a roll back the one before. */
  readonly branch?: string | undefined;
  /** How many commits of the branch are missing; `undefined` if no local repository has them. */
  readonly behind: number | undefined;
  /** Whether the branch is at an earlier commit, so that the nodes lack none. */
  readonly isMovedBack?: boolean | undefined;
  /** The number of local commits on the branch that aren't on its remote. */
  readonly unpushed: number;
  readonly editedFiles: number;
  /** Whether there may be others, because not all records of edits can be read. */
  readonly areEditsUnchecked: boolean;
  /** Whether redeploys leave all edited files alone where there is a clone, as far as it's known. */
  readonly keepsEdits: boolean;
}

/** Returns a project's results, most severe first, when no redeploy is running. Never empty. */
export function deployedStateOf(known: DeployedFacts): readonly StateResult[] {
  return [...failureIn(known), ...withoutFailure(known)];
}

function failureIn({ failure, nodes, isSubversion }: DeployedFacts): readonly StateResult[] {
  const commit = nodesNow(nodes).commit;
  const isOver =
    !isSubversion &&
    !isOnOtherBranch(failure) &&
    commit !== undefined &&
    failure?.nodes.some(({ after, unreadable }) => unreadable === undefined && after !== commit) === true;
  return failure === undefined || isOver ? [] : [failure.result];
}

/** A commit doesn't say which branch a node has, so only another redeploy from here shows that it's the right one again. */
function isOnOtherBranch(failure: DeployedFacts['failure']): boolean {
  return failure?.result.kind === 'contradicted' && failure.result.because === 'otherBranch';
}

function withoutFailure(known: DeployedFacts): readonly StateResult[] {
  const edited = editsIn(known);
  const pinned = pinIn(known);
  if (known.isSubversion) {
    return edited.length > 0 ? [...edited, ...pinned] : [...pinned, { kind: 'unverified', because: 'revisionUnknown' }];
  }
  const now = nodesNow(known.nodes);
  if (now.kind === 'differ') {
    return [{ kind: 'nodesDiffer' }, ...edited, ...pinned];
  }
  if (now.kind !== 'same') {
    const because = now.kind === 'absent' ? 'folderUnknown' : 'unreadable';
    return [...edited, ...pinned, { kind: 'unverified', because, why: now.why }];
  }
  const { commit } = now;
  const [pin] = pinIn(known, commit);
  const found = againstBranch(known, commit, edited.length > 0 || isOnOtherBranch(known.failure));
  // The result about the pin says which commit is deployed.
  const rest = pin?.isDeployed === true && known.behind === undefined ? [] : found;
  return [...edited, ...sinceLast(known, commit), ...(pin === undefined ? [] : [pin]), ...rest];
}

function pinIn(
  { pinnedTo, rolledBackFrom }: DeployedFacts,
  deployed?: string,
): readonly Extract<StateResult, { kind: 'pinned' }>[] {
  if (pinnedTo === undefined) {
    return [];
  }
  const isDeployed = deployed !== undefined && isPinnedCommit(deployed, pinnedTo);
  const from = rolledBackFrom === undefined ? {} : { rolledBackFrom };
  return [{ kind: 'pinned', commit: pinnedTo, isDeployed, ...from }];
}

function editsIn({ editedFiles: files, areEditsUnchecked, keepsEdits, nodes }: DeployedFacts): readonly StateResult[] {
  const areKept = keepsEdits && nodes.every(({ after }) => after !== undefined);
  return [
    ...(files > 0 ? [{ kind: 'edited', files, areKept } as const] : []),
    ...(areEditsUnchecked ? [{ kind: 'editsUnchecked' } as const] : []),
  ];
}

function sinceLast({ left, autoUpdates }: DeployedFacts, commit: string): readonly StateResult[] {
  return left === undefined || left === commit
    ? []
    : [{ kind: 'moved', because: autoUpdates ? 'autoUpdate' : 'elsewhere', from: left, to: commit }];
}

function againstBranch(
  { branch = '', behind, isMovedBack = false, unpushed, newestAt, left }: DeployedFacts,
  commit: string,
  isContradicted: boolean,
): readonly StateResult[] {
  if (behind === undefined) {
    return [{ kind: 'deployed', commit, ...(left === commit && newestAt !== undefined ? { branch, newestAt } : {}) }];
  }
  const counts = [['behind', behind] as const, ['unpushed', unpushed] as const];
  const missing = counts.flatMap(([kind, commits]) => (commits > 0 ? [{ kind, commits, branch }] : []));
  if (isMovedBack) {
    return isContradicted ? missing : [...missing, { kind: 'deployed', commit, branch, isMovedBack }];
  }
  return missing.length > 0 || isContradicted ? missing : [{ kind: 'deployed', commit, behind, branch }];
}
