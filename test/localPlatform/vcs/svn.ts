import { join } from 'node:path';
import { codes, Refusal } from '../refusal';
import { bareEnvironment } from './bareEnvironment';
import type { DeployLog } from './deployLog';
import { programFailure } from './programFailure';
import type { ProjectSettings } from './project';
import { runProgram, type Outcome } from './runProgram';
import type { SourceControl, Workplace } from './sourceControl';

/** Subversion's error codes for failed authorization. */
const refusedLogin: ReadonlySet<string> = new Set(['E170001', 'E215004']);

const isChangedHereAndThere = (line: string): boolean => line[8] === '*' && /^[MADRC!~?]/u.test(line);

/** Runs Subversion in a folder with the project's login. */
export const runSvn = (
  { login, password }: ProjectSettings,
  { home, seconds, signal }: Workplace,
  folder: string,
  args: readonly string[],
): Promise<Outcome> => {
  const common = ['--non-interactive', '--no-auth-cache', '--config-dir', join(home, 'subversion')];
  return runProgram({
    program: 'svn',
    args: [
      ...args,
      ...common,
      ...(login === undefined ? [] : ['--username', login]),
      // On standard input, because all users of the machine can read command lines.
      ...(password === undefined ? [] : ['--password-from-stdin']),
    ],
    cwd: folder,
    environment: bareEnvironment(home),
    ...(password === undefined ? {} : { input: password }),
    seconds,
    signal,
  });
};

/** Sources in a Subversion repository. The URL includes the folder in the repository, so `branch` has no meaning. */
export class Svn implements SourceControl {
  readonly #project: ProjectSettings;
  readonly #workplace: Workplace;

  constructor(project: ProjectSettings, workplace: Workplace) {
    this.#project = project;
    this.#workplace = workplace;
  }

  async demandAccess(): Promise<void> {
    const { url } = this.#project;
    const outcome = await this.#run(this.#workplace.home, ['info', url]);
    if (outcome.ending.kind === 'exit' && outcome.ending.code === 0) return;
    if (outcome.ending.kind !== 'exit') throw programFailure('svn', outcome) ?? new Error('svn ended well');
    const numbers = outcome.output.match(/\bE\d{6}\b/gu) ?? [];
    if (numbers.some((number) => refusedLogin.has(number))) {
      throw new Refusal(codes.badRepositoryLogin, `the repository [${url}] refuses this login and password`);
    }
    throw new Refusal(codes.badRepositoryUrl, `there is no Subversion repository at [${url}]`);
  }

  async tip(): Promise<string> {
    return this.revision(this.#project.url);
  }

  async checkOut(into: string, log: DeployLog): Promise<void> {
    await this.#demand(this.#workplace.home, ['checkout', ...this.#wanted, this.#project.url, into], log);
  }

  async bringUpToDate(folder: string, log: DeployLog): Promise<void> {
    if (this.#project.autoResolveConflict !== false) {
      await this.#demand(folder, ['revert', '--recursive', '.'], log);
      await this.#demand(folder, ['update', '--force', '--accept', 'theirs-full', ...this.#wanted], log);
      return;
    }
    const { stdout } = await this.#demand(folder, ['status', '--show-updates']);
    const conflicts = stdout.split('\n').filter(isChangedHereAndThere);
    if (conflicts.length > 0) {
      log.quote(conflicts.join('\n'));
      throw new Refusal(codes.deployFailed, 'files are changed both here and in the repository');
    }
    await this.#demand(folder, ['update', '--accept', 'postpone', ...this.#wanted], log);
  }

  async revision(place: string): Promise<string> {
    const args = ['info', '--show-item', 'last-changed-revision', place];
    return (await this.#demand(this.#workplace.home, args)).stdout.trim();
  }

  get #wanted(): readonly string[] {
    return this.#project.repoHash === undefined ? [] : ['--revision', this.#project.repoHash];
  }

  async #demand(folder: string, args: readonly string[], log?: DeployLog): Promise<Outcome> {
    const outcome = await this.#run(folder, args);
    log?.quote(outcome.output);
    const failure = programFailure(`svn ${args[0] ?? ''}`, outcome);
    if (failure !== undefined) throw failure;
    return outcome;
  }

  #run(folder: string, args: readonly string[]): Promise<Outcome> {
    return runSvn(this.#project, this.#workplace, folder, args);
  }
}
