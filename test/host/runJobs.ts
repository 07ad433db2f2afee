import { emptyResult, failedFile, type RunResult, total } from './events/runRecord';

/** Test files that run together, in this order. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
}

export interface QueuedJob extends Job {
  readonly suite: string;
}

/** Runs one job after another. */
export interface Runner {
  run(job: Job): Promise<RunResult>;
  /** Ends the processes that it started. */
  end(): Promise<RunResult>;
}

export interface Queue {
  /** The jobs run in this order. Each needs a name of its own: durations and evidence are stored under it. */
  readonly jobs: readonly QueuedJob[];
  /** How many run at once. */
  readonly atOnce: number;
  /** Starts a runner for the jobs of a suite. */
  readonly start: (suite: string) => Runner;
}

/** The result of each suite. */
export type Results = Map<string, RunResult>;

/** Runs the jobs of several suites. A job that can't run counts as a failure. */
export async function runJobs({ jobs, atOnce, start }: Queue): Promise<Results> {
  const names = jobs.map(({ name }) => name);
  const shared = names.filter((name, index) => names.indexOf(name) !== index);
  if (shared.length > 0) throw new Error(`Several test jobs have the same name: ${shared.join(', ')}.`);
  const results: Results = new Map();
  const add = (suite: string, result: RunResult): void => {
    results.set(suite, total([results.get(suite) ?? emptyResult, result]));
  };
  const remaining = jobs.values();
  const work = async (): Promise<void> => {
    // Of each suite, its own: what a runner has started serves all its jobs.
    const runners = new Map<string, Runner>();
    for (const job of remaining) {
      const runner = runners.get(job.suite) ?? start(job.suite);
      runners.set(job.suite, runner);
      add(job.suite, await runner.run(job).catch((error: unknown) => failedToRun(error, job)));
    }
    for (const [suite, runner] of runners) add(suite, await runner.end().catch((error: unknown) => failedToRun(error)));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, work));
  return results;
}

function failedToRun(error: unknown, job?: Job): RunResult {
  const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.log(`  ✗ ${job?.name ?? 'the end of a runner'}: ${problem}`);
  return total((job?.files ?? ['']).map((file) => failedFile({ file, cause: 'crash', problem })));
}
