import { basename, join } from 'node:path';
import { l10n, type Uri, workspace } from 'vscode';
import { decodeText } from '../../../files/text';
import { ExpectedError } from '../../../ui/expectedError';
import { isGitName, isGitObject, short } from '../commits';
import type { ProjectSettings } from '../projects';
import type { Git, GitChange, GitCommit, GitRemote, GitRepository } from '../../../files/gitExtension';
import { sameRepository } from './repositoryUrl';

type DeployedBranch = Pick<ProjectSettings, 'url' | 'branch'>;

interface Upstream {
  readonly remote: string;
  readonly branch: string;
  /** The branch's tip as of the last fetch or push. */
  readonly tip: string;
}

/** Local work that deploying a branch would miss. */
export interface UndeployedWork {
  readonly unsaved: readonly Uri[];
  readonly uncommitted: readonly Uri[];
  /** Subjects of unpushed commits, newest first. */
  readonly unpushed: readonly string[];
  /** The checked-out branch, if it's not the project's, or a detached HEAD's commit, if the project's branch lacks it. */
  readonly otherBranch: string | undefined;
}

export type LocalState =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'folder' | 'absent' | 'binary' };

export interface LocalCommit {
  readonly hash: string;
  /** The first line of its message. */
  readonly subject: string;
  readonly at: Date | undefined;
}

const mostCommits = 100;
/** Counting stops here: a larger number isn't more useful. */
const mostBehind = 1000;

export class LocalRepository {
  /** Commits that were found in it. They stay. */
  private readonly known = new Set<string>();

  constructor(
    private readonly repository: GitRepository,
    private readonly git: Git,
  ) {}

  get root(): Uri {
    return this.repository.rootUri;
  }

  get name(): string {
    return basename(this.root.path);
  }

  private get remotes(): readonly GitRemote[] {
    return this.repository.state.remotes.filter(({ name }) => isGitName(name));
  }

  get urls(): readonly string[] {
    return this.remotes.flatMap(({ fetchUrl, pushUrl }) => [fetchUrl ?? [], pushUrl ?? []].flat());
  }

  /** Changes after a commit, push, fetch or checkout, but not when only files change. */
  get position(): string {
    const { name, commit, ahead, behind } = this.repository.state.HEAD ?? {};
    return [name, commit, ahead, behind].join(' ');
  }

  get currentBranch(): string | undefined {
    return this.repository.state.HEAD?.name;
  }

  /** Returns the tip of a project's branch, as known locally. */
  async upstream({ url, branch = '' }: DeployedBranch): Promise<Upstream | undefined> {
    const remote = this.remoteOf(url);
    if (remote === undefined || !isGitName(branch)) {
      return undefined;
    }
    const found = await undefinedOnError(this.repository.getBranch(`refs/remotes/${remote.name}/${branch}`));
    // If there's no such branch, Git finds one in a folder of this name.
    return found?.commit === undefined || `${found.remote}/${found.name}` !== `${remote.name}/${branch}`
      ? undefined
      : { remote: remote.name, branch, tip: found.commit };
  }

  async missedBy(deployed: DeployedBranch): Promise<UndeployedWork> {
    // On its own, it notices a moment later what other programs did, such as a commit in a terminal.
    await this.refresh();
    const { root } = this;
    const { branch = '' } = deployed;
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [], HEAD } = this.repository.state;
    const changes = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
    const uncommitted = new Map(changes.map(({ uri }) => [uri.toString(), uri]));
    const unsaved = workspace.textDocuments.filter(
      ({ isDirty, uri }) => isDirty && uri.scheme === root.scheme && uri.path.startsWith(`${root.path}/`),
    );
    const upstream = await this.upstream(deployed);
    // VS Code gives a detached HEAD the name of its tag.
    const isDetached = HEAD?.name === undefined || HEAD.type === 2;
    const current = isDetached ? await this.detachedFrom(branch, upstream) : HEAD.name;
    return {
      unsaved: unsaved.map(({ uri }) => uri),
      uncommitted: [...uncommitted.values()],
      unpushed: await this.unpushed(branch, upstream),
      otherBranch: current === branch ? undefined : current,
    };
  }

  /** Returns the commit of a detached HEAD in short, unless the project's branch has it. */
  private async detachedFrom(branch: string, upstream: Upstream | undefined): Promise<string | undefined> {
    const commit = this.repository.state.HEAD?.commit;
    if (commit === undefined) {
      return undefined;
    }
    const lacking = await this.lacking(upstream?.tip ?? branch, commit);
    if (lacking !== undefined || upstream !== undefined) {
      return lacking === 0 ? undefined : short(commit);
    }
    // A tag may have it, too, as in a shallow clone of one, which knows no branch.
    const found = await undefinedOnError(this.repository.getRefs({ contains: commit }));
    return found?.every(({ type }) => type === 0) === true ? short(commit) : undefined;
  }

  /** Returns how many commits up to `tip` `commit` lacks; `undefined` if it isn't in this repository. */
  async lacking(commit: string, tip: string): Promise<number | undefined> {
    if (commit === tip || ![commit, tip].every(isGitName)) {
      return commit === tip ? 0 : undefined;
    }
    return (await undefinedOnError(this.repository.log({ range: `${commit}..${tip}`, maxEntries: mostBehind })))
      ?.length;
  }

  /** Returns the commit that a hash, its beginning, or a name refers to; `undefined` if it isn't in this repository. */
  async commit(reference: string): Promise<LocalCommit | undefined> {
    const found = isGitName(reference) ? await undefinedOnError(this.repository.getCommit(reference)) : undefined;
    return found && toLocalCommit(found);
  }

  /** Whether this is the name of a branch, here or on the project's remote as of the last fetch. */
  async isBranch({ url, branch = '' }: DeployedBranch): Promise<boolean> {
    const found = isGitName(branch)
      ? await undefinedOnError(this.repository.getBranch(`refs/heads/${branch}`))
      : undefined;
    return found?.name === branch || (await this.upstream({ url, branch })) !== undefined;
  }

  /** Returns the newest commits of a project's branch as of the last fetch or push, newest first. */
  async commitsOf(deployed: DeployedBranch): Promise<readonly LocalCommit[]> {
    const upstream = await this.upstream(deployed);
    return upstream === undefined ? [] : this.log(upstream.tip);
  }

  /** Returns those of the commits that are in this repository, by their hash. */
  async find(hashes: readonly string[], deployed: DeployedBranch): Promise<ReadonlyMap<string, LocalCommit>> {
    const wanted = new Set(hashes);
    if (wanted.size === 0) {
      return new Map();
    }
    // Most are on the branch, and each of the others takes a process.
    const onBranch = (await this.commitsOf(deployed)).filter(({ hash }) => wanted.delete(hash));
    const others = await Promise.all([...wanted].map(async (hash) => (await this.commit(hash)) ?? []));
    return new Map([...onBranch, ...others.flat()].map((commit) => [commit.hash, commit]));
  }

  /** The files that differ between two commits, in whichever order they were made. */
  async changes(from: string, to: string): Promise<readonly GitChange[]> {
    ensureNames(from, to);
    // The Git extension compares with the common ancestor, so going back to an earlier commit would show no change.
    const [forward, backward] = await Promise.all([
      this.repository.diffBetween(from, to),
      this.repository.diffBetween(to, from),
    ]);
    const paths = new Set(forward.flatMap(({ originalUri, uri }) => [originalUri.path, uri.path]));
    const undone = backward
      .map(({ originalUri, renameUri, uri }) => ({
        originalUri: renameUri ?? uri,
        uri: originalUri,
        renameUri: undefined,
      }))
      .filter(({ originalUri, uri }) => !paths.has(uri.path) && !paths.has(originalUri.path));
    return [...forward, ...undone];
  }

  /** Returns the paths that differ between two commits, relative to the root; `undefined` if one is unknown here. */
  async changedPaths(from: string, to: string): Promise<ReadonlySet<string> | undefined> {
    const changes = await undefinedOnError(this.changes(from, to));
    const root = `${this.root.path}/`;
    return (
      changes &&
      new Set(
        changes
          .flatMap(({ uri, originalUri, renameUri }) => [uri, originalUri, renameUri ?? uri])
          .map(({ path }) => (path.startsWith(root) ? path.slice(root.length) : path)),
      )
    );
  }

  /** Returns a function that reads a path in this commit; `undefined` if it isn't in this repository, or can't be read. */
  contentOf(commit: string): (path: string) => Promise<LocalState | undefined> {
    let known: Promise<boolean> | undefined;
    return async (path) => {
      // Check only once for all paths, and not at all if there are none.
      known ??= this.known.has(commit)
        ? Promise.resolve(true)
        : this.commit(commit).then((found) => found !== undefined);
      if (!(await known)) {
        return undefined;
      }
      this.known.add(commit);
      return this.stateIn(commit, join(this.root.fsPath, path));
    };
  }

  /** A failed command counts as unknown: only a listing without the file says that it's absent. */
  private async stateIn(commit: string, path: string): Promise<LocalState | undefined> {
    const [listed, bytes] = await Promise.all([
      this.repository.getObjectDetails(commit, path).catch(absentIfNotListed),
      undefinedOnError(this.repository.buffer(commit, path)),
    ]);
    if (listed === undefined || 'kind' in listed) {
      return listed;
    }
    if (modesOfFoldersAndSubmodules.has(listed.mode)) {
      return { kind: 'folder' };
    }
    // The Git extension has texts converted as the person's configuration says (textconv), which may hide an edit.
    if (bytes === undefined || !isGitObject(listed.object, bytes)) {
      return undefined;
    }
    const text = decodeText(bytes);
    return text === undefined ? { kind: 'binary' } : { kind: 'text', text };
  }

  /** Makes the Git extension notice what was changed in the working tree. */
  async refresh(): Promise<void> {
    await undefinedOnError(this.repository.status());
  }

  uriAt(uri: Uri, commit: string): Uri {
    return this.git.toGitUri(uri, commit);
  }

  /** Fetches a branch, or whatever has its name, from the remote. Rejects if it can't be reached. */
  async fetch({ url, branch = '' }: DeployedBranch, what: 'branch' | 'anyReference' = 'branch'): Promise<void> {
    const remote = this.remoteOf(url);
    if (remote !== undefined) {
      ensureNames(branch);
      // A clone of a single branch would keep no other branch.
      const ref = `+refs/heads/${branch}:refs/remotes/${remote.name}/${branch}`;
      await this.repository.fetch({ remote: remote.name, ref: what === 'branch' ? ref : branch });
    }
  }

  /** Returns the tip that a branch has on the remote now. Rejects if the remote can't be reached, or has no such branch. */
  async tipOnRemote({ url, branch = '' }: DeployedBranch): Promise<string | undefined> {
    const remote = this.remoteOf(url);
    if (remote === undefined) {
      return undefined;
    }
    ensureNames(branch);
    await this.repository.fetch({ remote: remote.name, ref: `refs/heads/${branch}` });
    return (await this.commit('FETCH_HEAD'))?.hash;
  }

  async push({ url, branch = '' }: DeployedBranch): Promise<void> {
    const { upstream } = this.repository.state.HEAD ?? {};
    const reference = `refs/heads/${branch}:refs/heads/${branch}`;
    await this.repository.push(this.remoteFor(url, branch), reference, upstream === undefined);
  }

  /** Creates a branch at a commit on the remote, and none here. Rejects if the remote has it at a later commit. */
  async pushCommit({ url, branch = '' }: DeployedBranch, commit: string): Promise<void> {
    await this.repository.push(this.remoteFor(url, commit, branch), `${commit}:refs/heads/${branch}`);
  }

  async deleteBranch({ url, branch = '' }: DeployedBranch): Promise<void> {
    await this.repository.push(this.remoteFor(url, branch), `:refs/heads/${branch}`);
  }

  /** Returns the branches that the remote had at the last fetch, the one checked out here and the usual ones first. */
  async branchesOf(url: string): Promise<readonly string[]> {
    const prefix = `${this.remoteOf(url)?.name ?? ''}/`;
    const branches = (await undefinedOnError(this.repository.getBranches({ remote: true }))) ?? [];
    const names = branches.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    // A remote's HEAD is listed among its branches, but isn't one.
    const all = new Set(names.filter((name) => name !== 'HEAD'));
    const first = [this.currentBranch ?? '', 'main', 'master'].filter((name) => all.has(name));
    return [...new Set([...first, ...all])];
  }

  private remoteOf(url: string | undefined): GitRemote | undefined {
    return this.remotes.find(({ fetchUrl, pushUrl }) => sameRepository(fetchUrl, url) || sameRepository(pushUrl, url));
  }

  /** Returns the remote to push these names to. Without one, Git would take what to push for it. */
  private remoteFor(url: string | undefined, ...names: readonly string[]): string {
    ensureNames(...names);
    const remote = this.remoteOf(url);
    if (remote === undefined) {
      throw new ExpectedError(l10n.t("Couldn't push: add a remote with the project's URL to the clone first."));
    }
    return remote.name;
  }

  /** Subjects of the branch's unpushed commits, newest first. If the branch was never pushed, all of them. */
  async unpushed(branch: string, upstream: Upstream | undefined): Promise<readonly string[]> {
    // A tag or a file may have the same name.
    const pushed = upstream === undefined ? '' : `refs/remotes/${upstream.remote}/${branch}..`;
    return isGitName(branch) ? (await this.log(`${pushed}refs/heads/${branch}`)).map(({ subject }) => subject) : [];
  }

  /** Newest first; none if Git doesn't know the range. */
  private async log(range: string): Promise<readonly LocalCommit[]> {
    const commits = await undefinedOnError(this.repository.log({ range, maxEntries: mostCommits }));
    return (commits ?? []).map(toLocalCommit);
  }
}

function toLocalCommit({ hash, message, commitDate, authorDate }: GitCommit): LocalCommit {
  return { hash, subject: message.split('\n')[0] ?? '', at: commitDate ?? authorDate };
}

const modesOfFoldersAndSubmodules: ReadonlySet<string> = new Set(['040000', '160000']);

/** The Git extension has this code only if Git listed the commit and the path isn't in it. */
function absentIfNotListed(error: unknown): LocalState | undefined {
  return error instanceof Object && 'gitErrorCode' in error && error.gitErrorCode === 'UnknownPath'
    ? { kind: 'absent' }
    : undefined;
}

function ensureNames(...texts: readonly string[]): void {
  const other = texts.find((text) => !isGitName(text));
  if (other !== undefined) {
    throw new ExpectedError(
      l10n.t("Git can't use this as a name: {0}. Correct the branch in the project's settings.", other),
    );
  }
}

/** Git rejects names that it doesn't know. */
function undefinedOnError<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch(() => undefined);
}
