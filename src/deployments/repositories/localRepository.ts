import { join } from 'node:path';
import { type Uri, workspace } from 'vscode';
import type { ProjectSettings } from '../projects';
import type { Git, GitChange, GitRemote, GitRepository } from './gitExtension';
import { sameRepository } from './repositoryUrl';

/** What says which branch a project deploys. */
export type DeployedBranch = Pick<ProjectSettings, 'url' | 'branch'>;

/** The branch of a project, as a local repository knows it. */
export interface Upstream {
  readonly remote: string;
  readonly branch: string;
  /** The branch's tip when it was last fetched or pushed. */
  readonly tip: string;
}

/** What of the local work a deployment of a branch would miss. */
export interface UndeployedWork {
  /** Editors of the repository's files that were not saved. */
  readonly unsaved: readonly Uri[];
  /** Files with changes that are in no commit. */
  readonly uncommitted: readonly Uri[];
  /** Messages of the commits that are not pushed, the newest first; at most a hundred. */
  readonly unpushed: readonly string[];
  /** The branch that is checked out, where it is not the project's. */
  readonly otherBranch: string | undefined;
}

/** What a commit has at a path. */
export type LocalState = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'folder' | 'absent' };

const mostCommits = 100;
/** More than these are not counted: a number of this size says enough. */
const mostBehind = 1000;

/** One open Git repository. */
export class LocalRepository {
  constructor(
    private readonly repository: GitRepository,
    private readonly git: Git,
  ) {}

  get root(): Uri {
    return this.repository.rootUri;
  }

  get remotes(): readonly GitRemote[] {
    return this.repository.state.remotes;
  }

  /** The addresses of all remotes. */
  get urls(): readonly string[] {
    return this.remotes.flatMap(({ fetchUrl, pushUrl }) => [fetchUrl ?? [], pushUrl ?? []].flat());
  }

  /** Another text after a commit, a push, a fetch, a checkout; the same while only files change. */
  get position(): string {
    const { name, commit, ahead, behind } = this.repository.state.HEAD ?? {};
    return [name, commit, ahead, behind].join(' ');
  }

  get currentBranch(): string | undefined {
    return this.repository.state.HEAD?.name;
  }

  /** The tip of a project's branch, as far as it is known here. */
  async upstream({ url, branch = '' }: DeployedBranch): Promise<Upstream | undefined> {
    const remote = this.remoteOf(url);
    if (remote === undefined) {
      return undefined;
    }
    const tip = (await orNothing(this.repository.getBranch(`${remote.name}/${branch}`)))?.commit;
    return tip === undefined ? undefined : { remote: remote.name, branch, tip };
  }

  /** What a deployment of this branch would miss of what is here. */
  async missedBy(deployed: DeployedBranch): Promise<UndeployedWork> {
    const { root } = this;
    const { branch = '' } = deployed;
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [], HEAD } = this.repository.state;
    const changes = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
    const uncommitted = new Map(changes.map(({ uri }) => [uri.toString(), uri]));
    const unsaved = workspace.textDocuments.filter(
      ({ isDirty, uri }) => isDirty && uri.scheme === root.scheme && uri.path.startsWith(`${root.path}/`),
    );
    return {
      unsaved: unsaved.map(({ uri }) => uri),
      uncommitted: [...uncommitted.values()],
      unpushed: await this.unpushed(branch, await this.upstream(deployed)),
      otherBranch: HEAD?.name === branch ? undefined : HEAD?.name,
    };
  }

  /** How many commits of the branch's tip `commit` lacks; `undefined` where this repository does not know the commit. */
  async lacking(commit: string, tip: string): Promise<number | undefined> {
    if (commit === tip) {
      return 0;
    }
    return (await orNothing(this.repository.log({ range: `${commit}..${tip}`, maxEntries: mostBehind })))?.length;
  }

  async knows(commit: string): Promise<boolean> {
    return (await orNothing(this.repository.getCommit(commit))) !== undefined;
  }

  /** The first line of a commit's message. */
  async subject(commit: string): Promise<string | undefined> {
    return (await orNothing(this.repository.getCommit(commit)))?.message.split('\n')[0];
  }

  changes(from: string, to: string): Promise<readonly GitChange[]> {
    return this.repository.diffBetween(from, to);
  }

  /** Paths that differ between two commits, relative to the root; `undefined` where one is not known here. */
  async changedPaths(from: string, to: string): Promise<ReadonlySet<string> | undefined> {
    const changes = await orNothing(this.changes(from, to));
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

  /** Returns a function that reads a path, relative to the root, in this commit. It returns `undefined` if the commit isn't in this repository. */
  contentOf(commit: string): (path: string) => Promise<LocalState | undefined> {
    let known: Promise<boolean> | undefined;
    return async (path) => {
      // Check only once for all paths, and not at all if there are none.
      known ??= this.knows(commit);
      if (!(await known)) {
        return undefined;
      }
      const shown = await orNothing(this.repository.show(commit, join(this.root.fsPath, path)));
      if (shown === undefined) {
        return { kind: 'absent' };
      }
      // That is how git shows a folder.
      return shown.startsWith(`tree ${commit}:`) ? { kind: 'folder' } : { kind: 'text', text: shown };
    };
  }

  uriAt(uri: Uri, commit: string): Uri {
    return this.git.toGitUri(uri, commit);
  }

  /** Asks the remote. Rejects where it cannot be reached. */
  async fetch({ url, branch = '' }: DeployedBranch): Promise<void> {
    const remote = this.remoteOf(url);
    if (remote !== undefined) {
      await this.repository.fetch({ remote: remote.name, ref: branch });
    }
  }

  async push({ url, branch = '' }: DeployedBranch): Promise<void> {
    const { upstream } = this.repository.state.HEAD ?? {};
    const remote = this.remoteOf(url);
    await (upstream === undefined && remote !== undefined
      ? this.repository.push(remote.name, branch, true)
      : this.repository.push(remote?.name, branch));
  }

  /** Names of branches here and on the remotes. */
  async branches(): Promise<readonly string[]> {
    const remotes = this.remotes.map(({ name }) => name);
    const branches = (await orNothing(this.repository.getBranches({ remote: true }))) ?? [];
    const names = branches.flatMap(({ name }) => name ?? []);
    const plain = names.map((name) => {
      const remote = remotes.find((candidate) => name.startsWith(`${candidate}/`));
      return remote === undefined ? name : name.slice(remote.length + 1);
    });
    const all = new Set([...(this.currentBranch === undefined ? [] : [this.currentBranch]), ...plain]);
    // A remote's HEAD is listed among its branches, but isn't one.
    all.delete('HEAD');
    return [...all];
  }

  private remoteOf(url: string | undefined): GitRemote | undefined {
    return this.remotes.find(({ fetchUrl, pushUrl }) => sameRepository(fetchUrl, url) || sameRepository(pushUrl, url));
  }

  /** Messages of the branch's commits that aren't pushed, the newest first. Of a branch that was never pushed, all of them. */
  async unpushed(branch: string, upstream: Upstream | undefined): Promise<readonly string[]> {
    const range = upstream === undefined ? branch : `${upstream.remote}/${branch}..${branch}`;
    const commits = (await orNothing(this.repository.log({ range, maxEntries: mostCommits }))) ?? [];
    return commits.map(({ message }) => message.split('\n')[0] ?? '');
  }
}

/** Git rejects names that it doesn't know. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch {
    return undefined;
  }
}
