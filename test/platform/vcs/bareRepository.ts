import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  GIT_AUTHOR_NAME: 'Marit Holm',
  GIT_AUTHOR_EMAIL: 'marit@saltmarsh.example',
  GIT_COMMITTER_NAME: 'Marit Holm',
  GIT_COMMITTER_EMAIL: 'marit@saltmarsh.example',
};

const git = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  const run = { program: 'git', args, cwd, environment, seconds: secondsPerStep, signal: forever };
  const outcome = await runProgram(run);
  const failure = programFailure(`git ${args.join(' ')}`, outcome);
  if (failure !== undefined) throw new Error(`${failure.message}\n${outcome.output}`);
  return outcome.stdout.trim();
};

const fill = async (tree: string, { files = {}, folder }: Commit): Promise<void> => {
  if (folder !== undefined) await cp(folder, tree, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const file = join(tree, path);
    await mkdir(dirname(file), { recursive: true });
    if (content === null) await rm(file);
    else await writeFile(file, content);
  }
};

/** A repository as a git host keeps it, to be served by `startGitServer`. */
export class BareRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async create(folder: string): Promise<BareRepository> {
    await mkdir(folder, { recursive: true });
    await git(folder, 'init', '--bare', '--quiet', '--initial-branch=master');
    await git(folder, 'config', 'http.receivepack', 'true');
    return new BareRepository(folder);
  }

  /** Commits on top of a branch, which is made from master's tip when it is new, and answers the commit's hash. */
  async commit(commit: Commit): Promise<string> {
    const branch = commit.branch ?? 'master';
    const work = await mkdtemp(join(tmpdir(), 'gantry-commit-'));
    try {
      await git(work, 'clone', '--quiet', '--config', 'core.autocrlf=false', this.folder, '.');
      const known = await git(work, 'branch', '--remotes', '--list', `origin/${branch}`);
      if (known !== '') await git(work, 'checkout', '--quiet', '-B', branch, `origin/${branch}`);
      else await git(work, 'checkout', '--quiet', (await this.#hasCommits()) ? '-b' : '--orphan', branch);
      await fill(work, commit);
      await git(work, 'add', '--all');
      await git(work, 'commit', '--quiet', '--allow-empty', '--message', commit.message);
      await git(work, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
      return await git(work, 'rev-parse', 'HEAD');
    } finally {
      await rm(work, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #hasCommits(): Promise<boolean> {
    return (await git(this.folder, 'for-each-ref', '--count=1')) !== '';
  }
}
