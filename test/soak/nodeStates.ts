import { execFile } from 'node:child_process';
import { lstatSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The files below a folder, by their path, as text of one character per byte. */
export type Files = ReadonlyMap<string, string>;

export interface NodeHead {
  /** Empty without a clone. */
  readonly commit: string;
  /** `undefined` if HEAD is detached, or without a clone. */
  readonly branch: string | undefined;
}

/** What is on the disk of one node. */
export interface NodeState extends NodeHead {
  /** Where the files are, behind the link of a zero-downtime deployment. */
  readonly tree: string;
  /** Without those of Git and Subversion. */
  readonly files: Files;
}

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', '-C', folder, ...args], { encoding: 'latin1' });
  return stdout;
}

export async function headOf(folder: string): Promise<NodeHead> {
  const found = await git(folder, 'rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD').catch(() => '');
  const [commit = '', name = ''] = found.split('\n');
  return { commit, branch: /^refs\/heads\/(.+)$/.exec(name)?.[1] };
}

/** Follows a link in the container, whose target is a path in the container or beside the link. */
export function treeAt(nodeFolder: string, path: string): string {
  const folder = join(nodeFolder, path);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
    return folder;
  }
  const target = readlinkSync(folder);
  return target.startsWith('/') ? join(nodeFolder, target) : join(dirname(folder), target);
}

/** The files below a folder, none if it's absent. */
export async function filesBelow(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => relative(folder, join(parentPath, file)))
    .filter((path) => !/^\.(?:git|svn)\//.test(path));
  const read = async (path: string) => [path, await readFile(join(folder, path), 'latin1')] as const;
  return new Map(await Promise.all(paths.map(read)));
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

  /**
   * @param commit empty for a node without a clone, as after a first clone that failed
   * @param clone where a merge may have made a commit that the repository doesn't have
   */
  async of(commit: string, clone: string): Promise<Files> {
    if (commit === '') {
      return new Map();
    }
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
