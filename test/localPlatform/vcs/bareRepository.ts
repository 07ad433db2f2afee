import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { limit } from '../../host/limits';
import { bareEnvironment } from './bareEnvironment';
import { tipIn } from './gitClone';
import { programFailure } from './programFailure';
import { runProgram } from './runProgram';

export interface Commit {
  readonly message: string;
  /** Contents by path; null removes a file. */
  readonly files?: Readonly<Record<string, string | Buffer | null>>;
  /** A folder whose contents replace files in the tree. */
  readonly folder?: string;
  readonly branch?: string;
}

const secondsPerStep = 60;
const forever = new AbortController().signal;

const environment: Readonly<Record<string, string>> = {
  ...bareEnvironment(tmpdir()),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
};

const git = async (folder: string, args: readonly string[], input: string | Buffer = ''): Promise<string> => {
  const run = {
    program: 'git',
    args,
    cwd: folder,
    environment,
    seconds: limit(secondsPerStep),
    signal: forever,
    input,
  };
  const outcome = await runProgram(run);
  const failure = programFailure(`git ${args.join(' ')}`, outcome);
  if (failure !== undefined) throw new Error(`${failure.message}\n${outcome.output}`);
  return outcome.stdout.trim();
};

const filesBelow = async (folder: string): Promise<readonly (readonly [string, Buffer])[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => [relative(folder, file).replaceAll('\\', '/'), await readFile(file)] as const),
  );
};

const counted = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
};

/** Returns the commit as input for `git fast-import`, which prints the hash: one process, and no working tree. */
const stream = async (commit: Omit<Commit, 'branch'>, branch: string, parent: string | undefined): Promise<Buffer> => {
  const { message, files = {}, folder } = commit;
  const changes = [...(folder === undefined ? [] : await filesBelow(folder)), ...Object.entries(files)];
  const head = [
    `commit refs/heads/${branch}`,
    'mark :1',
    `committer Marit Holm <marit@saltmarsh.example> ${Math.floor(Date.now() / 1000)} +0000\n`,
  ];
  return Buffer.concat([
    Buffer.from(head.join('\n')),
    counted(message),
    Buffer.from(parent === undefined ? '' : `from ${parent}\n`),
    ...changes.flatMap(([path, content]) =>
      content === null ? [Buffer.from(`D ${path}\n`)] : [Buffer.from(`M 100644 inline ${path}\n`), counted(content)],
    ),
    Buffer.from('get-mark :1\n'),
  ]);
};

/** A bare repository, served by `startGitServer`. */
export class BareRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates the same files as `git init --bare`, without a process. */
  static async create(folder: string): Promise<BareRepository> {
    for (const empty of ['objects', 'refs']) await mkdir(join(folder, empty), { recursive: true });
    await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/master\n');
    await writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
    return new BareRepository(folder);
  }

  /** Commits to a branch and returns the commit's hash. A new branch starts from master's tip. */
  async commit(commit: Commit): Promise<string> {
    const [hash = ''] = await this.commitAll([commit], commit.branch);
    return hash;
  }

  /** The same for several commits on a branch, by a single process. */
  async commitAll(commits: readonly Omit<Commit, 'branch'>[], branch = 'master'): Promise<readonly string[]> {
    const { folder } = this;
    const parent = (await tipIn(folder, branch)) ?? (await tipIn(folder, 'master'));
    // Each follows the one before.
    const streams = await Promise.all(
      commits.map((commit, index) => stream(commit, branch, index === 0 ? parent : undefined)),
    );
    // Keep the pack, because unpacking it would take another process.
    const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'];
    return (await git(folder, args, Buffer.concat(streams))).split('\n');
  }

  /** Returns the newest commit of a branch, if there's such a branch. */
  tipOf(branch: string): Promise<string | undefined> {
    return tipIn(this.folder, branch);
  }

  /** Returns the hash of each file's content in a commit, by path. */
  async filesOf(commit: string): Promise<ReadonlyMap<string, string>> {
    const listed = await git(this.folder, ['ls-tree', '-r', '-z', commit]);
    const files = [...listed.matchAll(/\d+ blob ([0-9a-f]+)\t([^\0]+)/gu)];
    return new Map(files.map(([, hash = '', path = '']) => [path, hash]));
  }

  /** Makes a branch or tag lead to a commit, or removes it. */
  async setReference(reference: string, commit?: string): Promise<void> {
    await git(this.folder, ['update-ref', ...(commit === undefined ? ['-d', reference] : [reference, commit])]);
  }
}
