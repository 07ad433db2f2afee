import { mkdir, readdir, readFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bareEnvironment } from './bareEnvironment';
import { programFailure } from './programFailure';
import { runProgram } from './runProgram';

export interface Commit {
  readonly message: string;
  /** Contents by path; null removes a file. */
  readonly files?: Readonly<Record<string, string | Buffer | null>>;
  /** A folder whose content is put over the tree. */
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
  const run = { program: 'git', args, cwd: folder, environment, seconds: secondsPerStep, signal: forever, input };
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

/** The commit as `git fast-import` reads it: one process, and no working tree to make and remove. */
const stream = async (commit: Commit, branch: string, parent: string | undefined): Promise<Buffer> => {
  const { message, files = {}, folder } = commit;
  const changes = [...(folder === undefined ? [] : await filesBelow(folder)), ...Object.entries(files)];
  const head = [
    `commit refs/heads/${branch}`,
    `committer Marit Holm <marit@saltmarsh.example> ${Math.floor(Date.now() / 1000)} +0000\n`,
  ];
  return Buffer.concat([
    Buffer.from(head.join('\n')),
    counted(message),
    Buffer.from(parent === undefined ? '' : `from refs/heads/${parent}^0\n`),
    ...changes.flatMap(([path, content]) =>
      content === null ? [Buffer.from(`D ${path}\n`)] : [Buffer.from(`M 100644 inline ${path}\n`), counted(content)],
    ),
  ]);
};

/** A repository as a git host keeps it, to be served by `startGitServer`. */
export class BareRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async create(folder: string): Promise<BareRepository> {
    await mkdir(folder, { recursive: true });
    await git(folder, ['init', '--bare', '--quiet', '--initial-branch=master']);
    return new BareRepository(folder);
  }

  /** Commits on top of a branch, which starts from master's tip when it is new, and answers the commit's hash. */
  async commit(commit: Commit): Promise<string> {
    const branch = commit.branch ?? 'master';
    const known = (await git(this.folder, ['for-each-ref', '--format=%(refname:strip=2)'])).split('\n');
    const parent = [branch, 'master'].find((name) => known.includes(name));
    await git(this.folder, ['fast-import', '--quiet'], await stream(commit, branch, parent));
    return git(this.folder, ['rev-parse', `refs/heads/${branch}`]);
  }
}
