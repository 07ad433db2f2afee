import { isPinnedCommit } from '../commits';
import { type HeadState, nodesNow } from './nodesNow';

/** One difference between the deployed and the desired state, or that there is none. */
export type Finding =
  /** The last redeploy from here failed, and nothing has been deployed since. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'upToDate'; readonly commit: string }
  | { readonly kind: 'behind'; readonly commits: number }
  /** Local commits on the branch that aren't on its remote. */
  | { readonly kind: 'unpushed'; readonly commits: number }
  | { readonly kind: 'edited'; readonly files: number }
  | { readonly kind: 'editsUnchecked' }
  /** Not the commit that the last redeploy from here deployed. */
  | { readonly kind: 'autoUpdated' | 'updatedElsewhere'; readonly from: string; readonly to: string }
  /** The project deploys this commit instead of its branch's newest one. */
  // `rolledBackFrom`: by a branch that a roll back pushed; empty if the branch before isn't known here.
  | { readonly kind: 'pinned'; readonly commit: string; readonly isDeployed: boolean; readonly rolledBackFrom?: string }
  | { readonly kind: 'nodesDiffer' }
  | { readonly kind: 'notDeployed' }
  /** The commit is known, but no local repository can tell whether it's the newest. */
  | { readonly kind: 'atCommit'; readonly commit: string }
  | { readonly kind: 'unknown'; readonly why: 'subversion' | 'unreadable'; readonly words?: string };

export interface Known {
  readonly isSubversion: boolean;
  readonly autoUpdates: boolean;
  /** What the nodes have now. */
  readonly nodes: readonly HeadState[];
  /** The commit that the last redeploy from here deployed. */
  readonly left: string | undefined;
  /** Set if that redeploy failed. `nodesDiffered`: it left different commits on the nodes. */
  readonly failure?: { readonly nodesDiffered: boolean } | undefined;
  /** The commit in the settings that the project deploys instead of its branch's newest one. */
  readonly pinnedTo?: string | undefined;
  /** The branch before a roll back that pushed one; empty if it isn't known, `undefined` without such a roll back. */
  readonly rolledBackFrom?: string | undefined;
  /** How many commits of the branch are missing; `undefined` if no local repository has them. */
  readonly behind: number | undefined;
  /** The number of local commits on the branch that aren't on its remote. */
  readonly unpushed: number;
  /** `undefined` if the record of edits can't be read. */
  readonly editedFiles: number | undefined;
}

/** Returns a project's findings, most severe first, when no redeploy is running. Never empty. */
export function deployedStateOf(known: Known): readonly Finding[] {
  return [...failureIn(known), ...withoutFailure(known)];
}

function failureIn({ failure, left, nodes, isSubversion }: Known): readonly Finding[] {
  const commit = nodesNow(nodes).commit;
  const isOver =
    !isSubversion &&
    commit !== undefined &&
    (failure?.nodesDiffered === true || (left !== undefined && commit !== left));
  return failure === undefined || isOver ? [] : [{ kind: 'failed' }];
}

function withoutFailure(known: Known): readonly Finding[] {
  const edited = editsIn(known);
  const pinned = pinIn(known);
  if (known.isSubversion) {
    return edited.length > 0 ? [...edited, ...pinned] : [...pinned, { kind: 'unknown', why: 'subversion' }];
  }
  const now = nodesNow(known.nodes);
  if (now.kind === 'differ') {
    return [{ kind: 'nodesDiffer' }, ...edited, ...pinned];
  }
  if (now.kind !== 'same') {
    const gone: Finding =
      now.kind === 'absent' ? { kind: 'notDeployed' } : { kind: 'unknown', why: 'unreadable', words: now.why };
    return [...edited, ...pinned, gone];
  }
  const { commit } = now;
  const [pin] = pinIn(known, commit);
  const found = againstBranch(known, commit, edited.length > 0);
  // The finding about the pin says which commit is deployed.
  const rest = pin?.isDeployed === true ? found.filter(({ kind }) => kind !== 'atCommit') : found;
  return [...edited, ...sinceLast(known, commit), ...(pin === undefined ? [] : [pin]), ...rest];
}

function pinIn(
  { pinnedTo, rolledBackFrom }: Known,
  deployed?: string,
): readonly Extract<Finding, { kind: 'pinned' }>[] {
  if (pinnedTo === undefined) {
    return [];
  }
  const isDeployed = deployed !== undefined && isPinnedCommit(deployed, pinnedTo);
  const from = rolledBackFrom === undefined ? {} : { rolledBackFrom };
  return [{ kind: 'pinned', commit: pinnedTo, isDeployed, ...from }];
}

function editsIn({ editedFiles }: Known): readonly Finding[] {
  if (editedFiles === undefined) {
    return [{ kind: 'editsUnchecked' }];
  }
  return editedFiles === 0 ? [] : [{ kind: 'edited', files: editedFiles }];
}

function sinceLast({ left, autoUpdates }: Known, commit: string): readonly Finding[] {
  return left === undefined || left === commit
    ? []
    : [{ kind: autoUpdates ? 'autoUpdated' : 'updatedElsewhere', from: left, to: commit }];
}

function againstBranch({ behind, unpushed }: Known, commit: string, isEdited: boolean): readonly Finding[] {
  if (behind === undefined) {
    return [{ kind: 'atCommit', commit }];
  }
  const missing: Finding[] = [
    ...(behind > 0 ? [{ kind: 'behind', commits: behind } as const] : []),
    ...(unpushed > 0 ? [{ kind: 'unpushed', commits: unpushed } as const] : []),
  ];
  return missing.length > 0 || isEdited ? missing : [{ kind: 'upToDate', commit }];
}
