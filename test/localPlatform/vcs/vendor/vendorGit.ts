import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Behaviour } from '../../behaviour';
import { codes, Refusal } from '../../refusal';
import { basicRegexSource } from '../../sed/basicRegex';
import { runGit } from '../git';
import type { ProjectSettings } from '../project';
import { plantLogin, urlWithLogin } from '../repositoryPasswords';
import type { Outcome } from '../runProgram';
import type { Workplace } from '../sourceControl';
import type { NodeLogs } from './nodeLogs';
import type { VendorSources } from './vendorSources';

/**
 * The Git commands of the vendor's git.lib in its order (facts J). Whoever reads this to learn what a platform may do:
 * the pull comes before the checkout of the branch, so it pulls the branch that was deployed before; a checkout that
 * fails is no failure; untracked files are never removed; `repoHash` is never read.
 */
export class VendorGit implements VendorSources {
  readonly own = '.git';
  readonly #project: ProjectSettings;
  readonly #workplace: Workplace;
  readonly #behaviour: Behaviour;
  readonly #logs: NodeLogs;

  constructor(project: ProjectSettings, workplace: Workplace, behaviour: Behaviour, logs: NodeLogs) {
    this.#project = project;
    this.#workplace = workplace;
    this.#behaviour = behaviour;
    this.#logs = logs;
  }

  async checkOut(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await this.#demand('.', ['clone', this.#url, folder]);
    await this.#reset(folder);
    await this.#run(folder, ['checkout', this.#project.branch]);
  }

  async update(folder: string): Promise<void> {
    // If one of our own deployments cloned it, before a test changed the switch.
    await plantLogin(folder, this.#project, this.#behaviour);
    await this.#reset(folder);
    this.#logs.add('update', this.#logs.shortDate);
    const directory = `--git-dir=${join(folder, '.git')}`;
    await this.#demand(folder, [directory, 'pull']);
    await this.#demand(folder, ['gc']);
    if (await this.#isCurrent(folder)) return;
    const { output } = await this.#run(folder, [directory, 'checkout', this.#project.branch]);
    this.#logs.add('update', output);
  }

  async changeUrl(folder: string): Promise<void> {
    const { output } = await this.#run(folder, ['remote', 'set-url', 'origin', this.#url]);
    this.#logs.add('update', output);
  }

  get #url(): string {
    return urlWithLogin(this.#project, this.#behaviour);
  }

  /** Its log says where HEAD is, and not what was thrown away. */
  async #reset(folder: string): Promise<void> {
    if (this.#project.autoResolveConflict === false) return;
    this.#logs.add('autoResolve', `${this.#logs.date} `);
    const { output } = await this.#run(folder, [`--git-dir=${join(folder, '.git')}`, 'reset', '--hard', 'HEAD']);
    this.#logs.add('autoResolve', output);
  }

  /** `git branch | grep "$BRANCH" | cut -d" " -f1` is `*`, so a branch whose name contains this one's counts as it. */
  async #isCurrent(folder: string): Promise<boolean> {
    const { stdout } = await this.#run(folder, ['branch']);
    const pattern = new RegExp(basicRegexSource(this.#project.branch) ?? '(?!)', 'u');
    const found = stdout.split('\n').filter((line) => pattern.test(line));
    const marks = found.map((line) => line.split(' ', 1)[0]).join('\n');
    return marks.trimEnd() === '*';
  }

  /** Logs a command as `expect` does, which runs it in a terminal and prints its whole command line. */
  async #demand(folder: string, args: readonly string[]): Promise<void> {
    const outcome = await this.#run(folder, args);
    const terminal = `spawn git ${args.join(' ')}\n${outcome.output}`.replaceAll('\n', '\r\n');
    this.#logs.add('update', `${this.#logs.shortDate}${terminal}`);
    const hasFailed =
      this.#behaviour.pullFailures === 'output' && outcome.ending.kind === 'exit'
        ? /(?:fatal|error):/u.test(outcome.output)
        : outcome.ending.kind !== 'exit' || outcome.ending.code !== 0;
    if (hasFailed) throw new Refusal(codes.deployFailed, 'a command of Git failed');
  }

  #run(folder: string, args: readonly string[]): Promise<Outcome> {
    // Nodes with passwords have the login in the clone's URL.
    const needsLogin = this.#behaviour.repositoryPasswords === 'hidden';
    const project = needsLogin ? this.#project : { ...this.#project, login: undefined, password: undefined };
    return runGit(project, this.#workplace, folder, args);
  }
}
