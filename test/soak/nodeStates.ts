import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The files below a folder, by their path, as text of one character per byte. */
export type Files = ReadonlyMap<string, string>;

/** What is on the disk of one node. */
export interface NodeState {
  readonly commit: string;
  /** `undefined` if HEAD is detached. */
  readonly branch: string | undefined;
  /** Without those of Git. */
  readonly files: Files;
}

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', '-C', folder, ...args], { encoding: 'latin1' });
  return stdout;
}

export async function readNode(folder: string): Promise<NodeState> {
  const [commit = '', name = ''] = (await git(folder, 'rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD')).split('\n');
  const branch = /^refs\/heads\/(.+)$/.exec(name)?.[1];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => relative(folder, join(parentPath, file)))
    .filter((path) => !path.startsWith('.git/'));
  const read = async (path: string) => [path, await readFile(join(folder, path), 'latin1')] as const;
  return { commit, branch, files: new Map(await Promise.all(paths.map(read))) };
}

/** Whether a repository has a commit, and another one if that's given, among its ancestors. */
export async function hasCommit(folder: string, commit: string, ancestor = commit): Promise<boolean> {
  return git(folder, 'merge-base', '--is-ancestor', ancestor, commit).then(
    () => true,
    () => false,
  );
}

/** The files of commits in a repository. Commits never change, so each is read once. */
export class CommittedFiles {
  private readonly known = new Map<string, Promise<Files>>();

  constructor(private readonly repository: string) {}

  /** @param clone where a merge may have made a commit that the repository doesn't have */
  of(commit: string, clone: string): Promise<Files> {
    const files = this.known.get(commit) ?? this.read(commit, clone);
    this.known.set(commit, files);
    return files;
  }

  private async read(commit: string, clone: string): Promise<Files> {
    const folder = (await hasCommit(this.repository, commit)) ? this.repository : clone;
    const names = await git(folder, 'ls-tree', '-r', '-z', '--name-only', commit);
    const paths = names.split('\0').filter((path) => path !== '');
    const read = async (path: string) => [path, await git(folder, 'show', `${commit}:${path}`)] as const;
    return new Map(await Promise.all(paths.map(read)));
  }
}

/** The commits of a repository's branches, by their names. */
export async function tipsOf(repository: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await git(repository, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads')).trim();
  return new Map(
    lines.split('\n').map((line): [string, string] => {
      const [name = '', commit = ''] = line.split(' ');
      return [name, commit];
    }),
  );
}
