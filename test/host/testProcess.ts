import { type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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
}

/** Runs test files one after another with mocha in a Node process. If a file ends the process, the next file gets a new one. */
export class TestProcess implements Runner {
  private running: Running | undefined;

  constructor(private readonly options: TestProcessOptions) {}

  async run({ files }: Job): Promise<RunResult> {
    const { name, grep, timeout, bail = false, show, silence = limit(30_000) } = this.options;
    const observed = observeRun({ show, silence, mayBeEmpty: grep !== undefined });
    const { exitCode = null, signalCode = null } = this.running?.child ?? {};
    const died = exitCode !== null || signalCode !== null;
    if (died) {
      show(`  ✗ ${name}: the process ended after the last test of the file before`);
      this.running = undefined;
    }
    const { child, ended } = (this.running ??= start());
    const onEvent = (event: TestEvent): void => observed.onEvent(event);
    child.on('message', onEvent);
    post(child, { files, grep, timeout, bail });
    try {
      const problem = await observed.problem([ended]);
      if (problem !== undefined) {
        show(`  ✗ ${name}: ${problem}`);
        this.running = undefined;
        // The process may be in an endless loop: Node's report shows where, and which handles are open.
        if (process.platform !== 'win32' && child.exitCode === null) child.kill('SIGUSR2');
        await endGroup(child);
      }
      const result = observed.result(files, problem);
      return died ? total([result, failedFile({ file: '', cause: 'crash', problem: 'the process ended' })]) : result;
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
    const end = await running.ended;
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
  return { child, ended };
}

/** Sends a message. Ignores errors, because `ended` reports that the process is gone. */
function post(child: ChildProcess, message: WorkerMessage): void {
  child.send(message, () => undefined);
}
