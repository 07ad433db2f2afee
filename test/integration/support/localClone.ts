import { mkdir, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bareEnvironment } from '../../localPlatform/vcs/bareEnvironment';
import { commitIn } from '../../localPlatform/vcs/gitClone';
import { programFailure } from '../../localPlatform/vcs/programFailure';
import { runProgram } from '../../localPlatform/vcs/runProgram';

const secondsPerStep = 60;
const forever = new AbortController().signal;

/** A developer's clone, with a working tree, of a repository that requires credentials. */
export class LocalClone {
  private constructor(readonly folder: string) {}

  static async of(
    url: string,
    folder: string,
    { login, password }: { readonly login: string; readonly password: string },
  ): Promise<LocalClone> {
    const header = `Authorization: Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const settings = [
      `http.${url}.extraHeader=${header}`,
      'user.name=Marit Holm',
      'user.email=marit@saltmarsh.example',
      // Otherwise VS Code runs four processes to determine this, writes it here, and refreshes the repository.
      'branch.master.vscode-merge-base=origin/master',
      // Background maintenance would only slow down the tests.
      'maintenance.auto=false',
      'gc.auto=0',
    ];
    const args = settings.flatMap((setting) => ['--config', setting]);
    await git(dirname(folder), ['clone', '--quiet', ...args, url, folder]);
    return new LocalClone(folder);
  }

  git(...args: readonly string[]): Promise<string> {
    return git(this.folder, args);
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), text);
  }

  /** Returns the new commit. */
  async commit(message: string, files: Readonly<Record<string, string>>): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      await this.write(path, text);
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--message', message);
    return (await commitIn(this.folder)) ?? this.git('rev-parse', 'HEAD');
  }
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const environment = { ...bareEnvironment(tmpdir()), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull };
  const outcome = await runProgram({
    program: 'git',
    args,
    cwd,
    environment,
    seconds: secondsPerStep,
    signal: forever,
  });
  const failure = programFailure(`git ${args.join(' ')}`, outcome);
  if (failure !== undefined) {
    throw new Error(`${failure.message}\n${outcome.output}`);
  }
  return outcome.stdout.trim();
}
