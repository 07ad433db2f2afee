import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bareEnvironment } from './bareEnvironment';
import type { Credentials } from './gitServer';
import { programFailure } from './programFailure';
import { runProgram } from './runProgram';

const secondsPerStep = 60;
const forever = new AbortController().signal;

const run = async (program: string, cwd: string, ...args: readonly string[]): Promise<string> => {
  // A home beside the folder: inside a working copy its settings would be committed.
  const environment = bareEnvironment(dirname(cwd));
  const outcome = await runProgram({ program, args, cwd, environment, seconds: secondsPerStep, signal: forever });
  const failure = programFailure(`${program} ${args.join(' ')}`, outcome);
  if (failure !== undefined) throw new Error(`${failure.message}\n${outcome.output}`);
  return outcome.stdout.trim();
};

/** A Subversion repository to be served by `startSvnServer`. */
export class SvnRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Whether this machine has the programs of Subversion. */
  static async isPossible(): Promise<boolean> {
    const environment = bareEnvironment(tmpdir());
    for (const program of ['svn', 'svnadmin', 'svnserve']) {
      const args = ['--version', '--quiet'];
      const { ending } = await runProgram({ program, args, cwd: tmpdir(), environment, seconds: 10, signal: forever });
      if (ending.kind === 'missing') return false;
    }
    return true;
  }

  static async create(folder: string, { login, password }: Credentials): Promise<SvnRepository> {
    await mkdir(folder, { recursive: true });
    await run('svnadmin', folder, 'create', folder);
    const access = ['[general]', 'anon-access = none', 'auth-access = write', 'password-db = passwd', ''];
    await writeFile(join(folder, 'conf', 'svnserve.conf'), access.join('\n'));
    await writeFile(join(folder, 'conf', 'passwd'), `[users]\n${login} = ${password}\n`, { mode: 0o600 });
    return new SvnRepository(folder);
  }

  /** Commits contents by path and answers the revision. */
  async commit(message: string, files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-commit-'));
    const work = join(folder, 'tree');
    try {
      await mkdir(work);
      await run('svn', work, 'checkout', '--quiet', pathToFileURL(this.folder).href, '.');
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(work, path)), { recursive: true });
        await writeFile(join(work, path), content);
      }
      await run('svn', work, 'add', '--quiet', '--force', '.');
      await run('svn', work, 'commit', '--quiet', '--message', message);
      return await run('svn', work, 'info', '--show-item', 'revision', pathToFileURL(this.folder).href);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
