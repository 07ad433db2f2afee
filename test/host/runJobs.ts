import { failedFile, type RunResult, total } from './events/runRecord';

/** Test files that run together, in this order. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
}

/** Runs one job after another. */
export interface Runner {
  run(job: Job): Promise<RunResult>;
  /** Ends the processes that it started. */
  end(): Promise<RunResult>;
}

/**
 * Runs the jobs in this order, each on the first runner that is free. A job that can't run counts as a failure. Each job
 * needs a name of its own: durations and evidence are stored under it.
 */
export async function runJobs(jobs: readonly Job[], runners: readonly Runner[]): Promise<RunResult> {
  const names = jobs.map(({ name }) => name);
  const shared = names.filter((name, index) => names.indexOf(name) !== index);
  if (shared.length > 0) throw new Error(`Several test jobs have the same name: ${shared.join(', ')}.`);
  const remaining = jobs.values();
  const results = runners.map(async (runner) => {
    const all: RunResult[] = [];
    for (const job of remaining) all.push(await runner.run(job).catch((error: unknown) => failedToRun(error, job)));
    all.push(await runner.end().catch((error: unknown) => failedToRun(error)));
    return total(all);
  });
  return total(await Promise.all(results));
}

function failedToRun(error: unknown, job?: Job): RunResult {
  const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.log(`  ✗ ${job?.name ?? 'the end of a runner'}: ${problem}`);
  return total((job?.files ?? ['']).map((file) => failedFile({ file, cause: 'crash', problem })));
}
