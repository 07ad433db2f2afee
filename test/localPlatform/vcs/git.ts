import { devNull } from 'node:os';
import { codes, Refusal } from '../refusal';
import { bareEnvironment } from './bareEnvironment';
import type { DeployLog } from './deployLog';
import { branchIn, commitIn, isCloneOf } from './gitClone';
import { programFailure } from './programFailure';
import type { ProjectSettings } from './project';
import { runProgram, type Outcome } from './runProgram';
import type { SourceControl, Workplace } from './sourceControl';

const authorization = ({ login, password }: ProjectSettings): string | undefined =>
  login === undefined && password === undefined
    ? undefined
    : `Basic ${Buffer.from(`${login ?? ''}:${password ?? ''}`).toString('base64')}`;

const settingsOf = (project: ProjectSettings): readonly (readonly [string, string])[] => {
  const secret = authorization(project);
  return [
    ['core.hooksPath', devNull],
    ['core.autocrlf', 'false'],
    ['credential.helper', ''],
    // A deployment doesn't need the template's sample hooks.
    ['init.templateDir', ''],
    ['gc.auto', '0'],
    // A deployment that runs gc takes a third of the time without these.
    ['gc.writeCommitGraph', 'false'],
    ['gc.pruneExpire', 'never'],
    ['gc.reflogExpire', 'never'],
    ['gc.reflogExpireUnreachable', 'never'],
    ['maintenance.auto', 'false'],
    ['http.followRedirects', 'false'],
    ...(secret === undefined ? [] : [[`http.${project.url}.extraHeader`, `Authorization: ${secret}`] as const]),
  ];
};

/**
 * Settings are passed in the environment, because all users of the machine can read command lines, and files would
 * stay.
 */
const environmentOf = (project: ProjectSettings, home: string): Record<string, string> => {
  const settings = settingsOf(project);
  const person = { NAME: 'Platform', EMAIL: 'platform@localhost' };
  return {
    ...bareEnvironment(home),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'http:https',
    GIT_AUTHOR_NAME: person.NAME,
    GIT_AUTHOR_EMAIL: person.EMAIL,
    GIT_COMMITTER_NAME: person.NAME,
    GIT_COMMITTER_EMAIL: person.EMAIL,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
};

/** Runs Git in a folder, or in its home for `.`, with the project's login. */
export const runGit = (
  project: ProjectSettings,
  { home, seconds, signal }: Workplace,
  folder: string,
  args: readonly string[],
): Promise<Outcome> =>
  runProgram({
    program: 'git',
    args,
    cwd: folder === '.' ? home : folder,
    environment: environmentOf(project, home),
    seconds,
    signal,
  });

/** Sources in a Git repository that is reached over HTTP. */
export class Git implements SourceControl {
  readonly #project: ProjectSettings;
  readonly #workplace: Workplace;

  constructor(project: ProjectSettings, workplace: Workplace) {
    this.#project = project;
    this.#workplace = workplace;
  }

  async demandAccess(): Promise<void> {
    const { url } = this.#project;
    const secret = authorization(this.#project);
    const deadline = AbortSignal.timeout(this.#workplace.seconds * 1000);
    let response: Response;
    try {
      response = await fetch(`${url.replace(/\/$/u, '')}/info/refs?service=git-upload-pack`, {
        redirect: 'manual',
        // In version 2 of Git's protocol, the server can confirm that a repository exists without listing its branches.
        headers: { 'git-protocol': 'version=2', ...(secret === undefined ? {} : { authorization: secret }) },
        signal: AbortSignal.any([deadline, this.#workplace.signal]),
      });
      await response.body?.cancel();
    } catch {
      // The repository doesn't respond, whatever the reason.
      throw new Refusal(codes.badRepositoryUrl, `the repository [${url}] cannot be reached`);
    }
    if (response.status === 401 || response.status === 403) {
      throw new Refusal(codes.badRepositoryLogin, `the repository [${url}] refuses this login and password`);
    }
    const type = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || !type.startsWith('application/x-git-upload-pack-advertisement')) {
      throw new Refusal(codes.badRepositoryUrl, `there is no git repository at [${url}]`);
    }
  }

  async tip(): Promise<string> {
    const reference = `refs/heads/${this.#project.branch}`;
    const { stdout } = await this.#demand('.', ['ls-remote', '--', this.#project.url, reference]);
    return stdout.slice(0, Math.max(0, stdout.search(/\s/u)));
  }

  async checkOut(into: string, log: DeployLog): Promise<void> {
    const { url, branch, repoHash } = this.#project;
    await this.#demand('.', ['clone', '--branch', branch, '--', url, into], log);
    if (repoHash !== undefined) await this.#demand(into, ['checkout', '-B', branch, repoHash], log);
  }

  async bringUpToDate(folder: string, log: DeployLog): Promise<void> {
    const { url, branch, repoHash, autoResolveConflict } = this.#project;
    const remote = `refs/remotes/origin/${branch}`;
    if (!(await isCloneOf(folder, url))) await this.#demand(folder, ['remote', 'set-url', 'origin', url], log);
    await this.#demand(folder, ['fetch', 'origin', `+refs/heads/${branch}:${remote}`], log);
    const wanted = repoHash ?? remote;
    if (autoResolveConflict !== false) {
      await this.#demand(folder, ['checkout', '--force', '-B', branch, wanted], log);
      return;
    }
    if (repoHash !== undefined || (await branchIn(folder)) !== branch) {
      await this.#demand(folder, ['checkout', '-B', branch, wanted], log);
      return;
    }
    await this.#merge(folder, wanted, log);
  }

  async revision(folder: string): Promise<string> {
    return (await commitIn(folder)) ?? (await this.#demand(folder, ['rev-parse', 'HEAD'])).stdout.trim();
  }

  async #merge(folder: string, wanted: string, log: DeployLog): Promise<void> {
    try {
      await this.#demand(folder, ['merge', '--no-edit', wanted], log);
    } catch (error) {
      // An incomplete merge must not stay in files that are served. Does nothing if no merge had begun.
      await this.#run(folder, ['merge', '--abort']);
      throw error;
    }
  }

  async #demand(folder: string, args: readonly string[], log?: DeployLog): Promise<Outcome> {
    const outcome = await this.#run(folder, args);
    log?.quote(outcome.output);
    const failure = programFailure(`git ${args[0] ?? ''}`, outcome);
    if (failure !== undefined) throw failure;
    return outcome;
  }

  #run(folder: string, args: readonly string[]): Promise<Outcome> {
    return runGit(this.#project, this.#workplace, folder, args);
  }
}
