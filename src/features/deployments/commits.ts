import { createHash } from 'node:crypto';

/** What looks like a commit, by its hash or the beginning of it, what Git takes for a name, and what a project is pinned to. */

export const wholeHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function short(commit: string): string {
  return commit.slice(0, 7);
}

/** Whether a text can be a commit's hash, or its beginning. A branch or a tag may have such a name, too. */
export function isHashLike(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text);
}

/** Whether these are exactly the bytes that Git keeps under a hash. */
export function isGitObject(hash: string, bytes: Uint8Array): boolean {
  const algorithm = createHash(hash.length === 64 ? 'sha256' : 'sha1');
  return algorithm.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === hash;
}

/**
 * Whether Git takes a text for the name of a branch, a commit or a remote, and for nothing else. The settings of a project
 * may have anything as its branch, also an option, or what makes Git overwrite other branches.
 */
export function isGitName(text: string): boolean {
  return text !== '' && !/^[-+/]|^@$|\.\.|@\{|\/\/|[\s\p{Cc}~^:?*[\\]|[./]$/u.test(text);
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

/** The branch that Gantry pushes to roll back to a commit on a platform that deploys only branches. */
export function rollbackBranch(commit: string): string {
  return `gantry-rollback-${short(commit)}`;
}

/** The beginning of the commit that a branch was pushed for to roll back to it; `undefined` for other branches. */
export function commitOfRollback(branch = ''): string | undefined {
  return /^gantry-rollback-([0-9a-f]{7})$/.exec(branch)?.[1];
}

interface PinSettings {
  readonly repoHash?: string | undefined;
  readonly branch?: string | undefined;
}

/**
 * The commit that a project deploys instead of its branch's newest one, because of its branch or of its `repoHash`, which
 * some platforms ignore; `undefined` if it follows its branch.
 */
export function pinnedCommit({ repoHash = '', branch }: PinSettings): string | undefined {
  return commitOfRollback(branch) ?? (repoHash === '' || fingerprint.test(repoHash) ? undefined : repoHash);
}
