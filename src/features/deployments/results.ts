import * as v from 'valibot';

/** The result of a redeploy. Only `deployed` means that the commit was found on every target node. */
export const redeployResult = v.variant('kind', [
  v.object({ kind: v.literal('running') }),
  /** The platform and every node's clone confirm it. */
  // `behind`: how many of the branch's commits it lacks, if a local repository can tell.
  v.object({ kind: v.literal('deployed'), commit: v.string(), behind: v.optional(v.number()) }),
  /** Only the platform confirms it, because not all nodes could be checked. */
  v.object({
    kind: v.literal('unverified'),
    /**
     * `subversion`: the revision is in the nodes' logs. `revisionUnknown`: it isn't. `pinUnknown`: the project is pinned to a
     * tag or another name, and the deployed commit isn't known to be that one. `unreadable`: a node can't be read, or it isn't
     * known which branch it had before, and its commit may be old.
     */
    because: v.picklist(['subversion', 'revisionUnknown', 'unreadable', 'folderUnknown', 'pinUnknown']),
    revision: v.optional(v.string()),
  }),
  /** The platform reports success, but the nodes show otherwise. */
  v.object({
    kind: v.literal('contradicted'),
    // `movedBack`: the branch was moved back to an earlier commit, and pulling it changes nothing.
    because: v.picklist(['noClone', 'nodesDiffer', 'behind', 'notPinned', 'otherBranch', 'movedBack']),
    /** Missing or 0 if only the nodes suggest that the commit is old. */
    behind: v.optional(v.number()),
    /** The branch that a node has instead of the project's. */
    branch: v.optional(v.string()),
  }),
  v.object({ kind: v.literal('failed'), sentence: v.string(), code: v.optional(v.number()) }),
  /** The response was lost. `ended`: the log is complete. `commit`: the one that all checked nodes have. */
  v.object({
    kind: v.literal('answerLost'),
    ended: v.boolean(),
    /** The window that waited for the response was closed, so no connection was lost. */
    wasClosed: v.optional(v.boolean()),
    commit: v.optional(v.string()),
    behind: v.optional(v.number()),
    /** The names of the nodes that should have a clone, but don't. */
    withoutClone: v.optional(v.array(v.string())),
  }),
]);
export type RedeployResult = v.InferOutput<typeof redeployResult>;

export type FailedRedeploy = Extract<RedeployResult, { kind: 'contradicted' | 'failed' }>;

/** One difference between the deployed and the desired state, or that there is none. */
export type StateResult =
  /** `behind`: 0, or `undefined` if no local repository can tell whether it's the newest commit on `branch`. */
  // `isMovedBack`: the branch is at an earlier commit.
  // `newestAt`: when a redeploy from here deployed it as the newest commit, if no local repository can tell whether it still is.
  | (Extract<RedeployResult, { kind: 'deployed' }> & {
      readonly branch?: string;
      readonly newestAt?: number;
      readonly isMovedBack?: boolean;
    })
  /** How the last redeploy from here failed. Nothing has been deployed since. */
  | FailedRedeploy
  /** `folderUnknown`: no node has a clone. `why`: what made a node unreadable. */
  | (Extract<RedeployResult, { kind: 'unverified' }> & { readonly why?: string | undefined })
  | { readonly kind: 'behind'; readonly commits: number; readonly branch: string }
  /** Local commits on the branch that aren't on its remote. */
  | { readonly kind: 'unpushed'; readonly commits: number; readonly branch: string }
  /** `areKept`: redeploys leave them alone. */
  | { readonly kind: 'edited'; readonly files: number; readonly areKept: boolean }
  | { readonly kind: 'editsUnchecked' | 'nodesDiffer' }
  /** Not the commit that the last redeploy from here deployed. */
  | { readonly kind: 'moved'; readonly because: 'autoUpdate' | 'elsewhere'; readonly from: string; readonly to: string }
  /** The project deploys this commit instead of its branch's newest one. */
  // `rolledBackFrom`: by a branch that a roll back pushed; empty if the branch before isn't known here.
  | {
      readonly kind: 'pinned';
      readonly commit: string;
      readonly isDeployed: boolean;
      readonly rolledBackFrom?: string;
    };

/** `warning`: at most the platform confirms the result. */
export type Severity = 'success' | 'warning' | 'error';

export function severityOf(result: RedeployResult): Severity {
  switch (result.kind) {
    case 'deployed':
      return 'success';
    case 'unverified':
      return result.because === 'subversion' && result.revision !== undefined ? 'success' : 'warning';
    case 'running':
    case 'answerLost':
      return 'warning';
    case 'contradicted':
    case 'failed':
      return 'error';
  }
}

export function isFailed(result: RedeployResult | StateResult): result is FailedRedeploy {
  return result.kind === 'contradicted' || result.kind === 'failed';
}

/** Whether no node has a clone where it's looked for. */
export function isFolderUnknown(result: RedeployResult | StateResult): boolean {
  return result.kind === 'unverified' && result.because === 'folderUnknown';
}
