import { type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { observeRun } from './events/observeRun';
import { emptyResult, failedFile, type RunResult, total } from './events/runRecord';
import { type TestEvent } from './events/testEvent';
import { failuresFolder, projectFolder } from './folders';
import { limit, passOnSlowness } from './limits';
import { type Job, type Runner } from './runJobs';
import { type WorkerMessage } from './inside/testWorker';
import { ending, endGroup, spawnGroup } from './processes';

export interface TestProcessOptions {
  readonly name: string;
  readonly grep?: string | undefined;
  /** For one test on the reference machine, in milliseconds. */
  readonly timeout: number;
  /** Skips the rest of a file after a failure. */
  readonly bail?: boolean;
  /** How long the tests may report nothing beyond their own limits, in milliseconds. */
  readonly silence?: number;
  readonly show: (line: string) => void;
}

interface Running {
  readonly child: ChildProcess;
  /** Settles with a description of how the process ended. */
  readonly ended: Promise<string>;
  /** The last file that it ran. */
  before: string | undefined;
}

/**
 * Runs test files one after another with mocha in a Node process. If a file ends the process or fails, the next file gets a
 * new one, and nothing of what the files of a job share.
 */
export class TestProcess implements Runner {
  private running: Running | undefined;

  constructor(private readonly options: TestProcessOptions) {}

  async run({ files }: Job): Promise<RunResult> {
    const results: RunResult[] = [];
    for (const [index, file] of files.entries()) results.push(await this.runFile(file, index < files.length - 1));
    return total(results);
  }

  /** @param othersFollow whether the job has more files */
  private async runFile(file: string, othersFollow: boolean): Promise<RunResult> {
    const { name, grep, timeout, bail = false, show, silence = limit(30_000) } = this.options;
    const files = [file];
    const observed = observeRun({ show, silence });
    const running = (this.running ??= start());
    const { child, ended, before } = running;
    const onEvent = (event: TestEvent): void => observed.onEvent(event);
    child.on('message', onEvent);
    post(child, { files, grep, timeout, bail, othersFollow });
    try {
      const problem = await observed.problem([ended]);
      // Something that the file before left running, such as a promise that was rejected.
      const isOfBefore = problem !== undefined && before !== undefined && !observed.hasBegun();
      const what = isOfBefore ? `after the last test of ${relative(projectFolder, before)}: ${problem}` : problem;
      const result = observed.result(isOfBefore ? [before] : files, what);
      running.before = file;
      if (result.failures.length > 0) {
        // Failed tests may have left something open, which would count against other files.
        this.running = undefined;
        // The process may be in an endless loop: Node's report shows where, and which handles are open.
        if (problem !== undefined && process.platform !== 'win32' && child.exitCode === null) child.kill('SIGUSR2');
        await endGroup(child);
      }
      if (what !== undefined) show(`  ✗ ${name}: ${what}`);
      return isOfBefore ? total([result, await this.runFile(file, othersFollow)]) : result;
    } finally {
      child.off('message', onEvent);
      observed.stop();
    }
  }

  /** Ends the process. It counts as a failure if tests left something open or if the exit code isn't 0. */
  async end(): Promise<RunResult> {
    const running = this.running;
    this.running = undefined;
    if (running === undefined) return emptyResult;
    const problems: string[] = [];
    running.child.on('message', (event: TestEvent) => {
      if (event.kind === 'failed') problems.push(event.problem);
    });
    post(running.child, 'finish');
    const stopping = new AbortController();
    const late = pause(limit(60_000), "the process didn't end", { signal: stopping.signal });
    const end = await Promise.race([running.ended, late]).finally(() => stopping.abort());
    await endGroup(running.child);
    if (end === 'the process ended with 0') return emptyResult;
    const problem = `${end} after the last test\n      ${problems.join('\n      ')}`;
    this.options.show(`  ✗ ${this.options.name}: ${problem}`);
    return failedFile({ file: '', cause: 'crash', problem });
  }
}

function start(): Running {
  mkdirSync(failuresFolder, { recursive: true });
  passOnSlowness();
  const reports = ['--report-on-signal', `--report-directory=${failuresFolder}`];
  const args = ['--enable-source-maps', ...reports, '--import', 'tsx', join(__dirname, 'inside', 'testWorker.ts')];
  const child = spawnGroup(process.execPath, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // When the channel closes, all messages have arrived.
  const disconnected = new Promise((resolve) => child.once('disconnect', resolve));
  const ended = ending(child, 'exit').then(async (how) => {
    await disconnected;
    return `the process ended with ${how}`;
  });
  return { child, ended, before: undefined };
}

/** Sends a message. Ignores errors, because `ended` reports that the process is gone. */
function post(child: ChildProcess, message: WorkerMessage): void {
  child.send(message, () => undefined);
}
