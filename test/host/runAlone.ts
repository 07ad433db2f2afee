import { join, relative } from 'node:path';
import { atOnce, type Suite, type Wanted } from '../suites';
import { timed } from './durations';
import { countsOf, emptyResult, replaced, type RunResult, total } from './events/runRecord';
import { attemptVariable } from './evidence';
import { type Flaky, flakyOf } from './flaky';
import { projectFolder } from './folders';
import { limit, passOnSlowness } from './limits';
import { nightlyVariable } from './nightly';
import { chooseReruns, type FailedFile } from './rerun';
import { type Job, type Queue, type QueuedJob, type Results, runJobs, type Runner } from './runJobs';

export interface SuiteRun {
  readonly name: string;
  readonly suite: Suite;
  readonly jobs: readonly Job[];
}

export function queueOf(runs: readonly SuiteRun[], jobs: readonly QueuedJob[], wanted: Wanted): Queue {
  const [stage = 'unit'] = runs.map(({ suite }) => suite.stage);
  const start = (name: string): Runner => {
    const run = runs.find((one) => one.name === name);
    if (run === undefined) throw new Error(`There is no suite ${name}.`);
    return timed(run.suite.runner(wanted), wanted.durations);
  };
  return { jobs, atOnce: wanted.alone === true ? 1 : atOnce[stage], start };
}

interface Repeat {
  readonly files: readonly string[];
  /** The name of the folder with the evidence. */
  readonly attempt: string;
  readonly wanted: Wanted;
  /** Includes the tests that otherwise run only at night. */
  readonly nightly?: boolean;
}

/** Runs files with nothing beside them. */
export async function runAlone(run: SuiteRun, { files, attempt, wanted, nightly = false }: Repeat) {
  const paths = files.map(pathOf).join(', ');
  console.log(`\n${titleOf(nightly)}, alone: ${paths}`);
  const begin = Date.now();
  passOnSlowness();
  // The files are in the order in which they ran.
  const alone = { ...wanted, durations: new Map<string, number>(), alone: true, reversed: false };
  const job = { suite: run.name, name: `${run.name} ${paths}`, files };
  const results = await withEnvironment({ attempt, nightly }, () => runJobs(queueOf([run], [job], alone)));
  return { result: results.get(run.name) ?? emptyResult, seconds: Math.round((Date.now() - begin) / 1000) };
}

/** How long all failed files together may run again, on the reference machine. */
const rerunTime = 6 * 60_000;

export interface Again {
  readonly flaky: readonly Flaky[];
  /** What to say at the end. */
  readonly lines: readonly string[];
}

interface Failed extends Omit<Repeat, 'files'> {
  /** How many files of the whole run have failed before and ran again. */
  readonly before: number;
}

/** Runs the files that failed in these results once more, unless that's final. The results then have what they did. */
export async function runFailedAgain(runs: readonly SuiteRun[], results: Results, failed: Failed): Promise<Again> {
  const decision = chooseReruns(failedFiles(runs, results), failed.before);
  if (decision.kind === 'nothing') return { flaky: [], lines: [] };
  if (decision.kind === 'final') return { flaky: [], lines: [`No file ran again, because ${decision.because}`] };
  const flaky: Flaky[] = [];
  const lines: string[] = [];
  const deadline = Date.now() + limit(rerunTime);
  for (const { suite, path, failures } of decision.files) {
    const run = runs.find(({ name }) => name === suite);
    const [first] = failures;
    if (run === undefined || first === undefined) continue;
    if (Date.now() > deadline) {
      lines.push(`${path} did not run again: there was no time left`);
      continue;
    }
    const { result, seconds } = await runAlone(run, { ...failed, files: first.repeat ?? [first.file] });
    results.set(suite, replaced(results.get(suite) ?? result, result));
    const hasPassed = countsOf(result).failed === 0;
    if (hasPassed) flaky.push(flakyOf(path, first, `alone: passed in ${seconds} s`));
    else lines.push(`${path} failed twice${failed.nightly === true ? ' with its nightly tests' : ''}`);
  }
  return { flaky, lines };
}

function failedFiles(runs: readonly SuiteRun[], results: Results): readonly FailedFile[] {
  return runs.flatMap(({ name }) => {
    const { failures, byFile } = results.get(name) ?? emptyResult;
    const failed = [...byFile].flatMap(([file, counts]) => (counts.failed > 0 ? [file] : []));
    return failed.map((file) => ({
      suite: name,
      path: pathOf(file),
      failures: failures.filter((failure) => failure.file === file),
    }));
  });
}

/** Files of one suite that share a window, or a file. */
export interface Part {
  readonly run: SuiteRun;
  readonly files: readonly string[];
}

interface Batch extends Omit<Repeat, 'files'> {
  /** How often each of them runs. */
  readonly times?: number;
  /** Whether there's no time left for one that takes so many milliseconds. */
  readonly isOver: (expected: number) => boolean;
}

/** What a file takes with its window, if it had none of its own before. */
const usualTime = 20_000;

/**
 * Runs parts of one stage side by side, in this order, each in its turn as often as wanted. Returns the results of the
 * first runs, then of the second ones. They lack files that did not run.
 */
export async function runTogether(
  parts: readonly Part[],
  { attempt, wanted, nightly = false, times = 1, isOver }: Batch,
): Promise<readonly Results[]> {
  passOnSlowness();
  const runs = parts.map(({ run }) => run);
  const jobs = parts.map(({ run, files }) => ({ suite: run.name, name: files.map(pathOf).join(', '), files }));
  const queue = queueOf(runs, jobs, { ...wanted, durations: new Map(), reversed: false });
  const results = Array.from({ length: times }, (): Results => new Map());
  const add = (to: Results | undefined, suite: string, result: RunResult): void => {
    to?.set(suite, total([to.get(suite) ?? emptyResult, result]));
  };
  const start = (suite: string): Runner => {
    const runner = queue.start(suite);
    return {
      run: async (job) => {
        const seconds = wanted.durations.get(job.name);
        const expected = seconds === undefined ? limit(usualTime) : 1000 * seconds;
        for (const one of results) {
          if (isOver(expected)) break;
          console.log(`\n${titleOf(nightly)}: ${job.name}`);
          add(one, suite, await runner.run(job));
        }
        return emptyResult;
      },
      end: () => runner.end(),
    };
  };
  const failed = await withEnvironment({ attempt, nightly }, () => runJobs({ ...queue, start }));
  // What couldn't run, or didn't end, belongs to no single run.
  for (const [suite, result] of failed) add(results.at(-1), suite, result);
  return results;
}

/** Returns the result of some files, with failures that may come from them. */
export function partOf({ byFile, failures }: RunResult, files: readonly string[]): RunResult {
  const isOf = (file: string): boolean => file === '' || files.includes(file);
  return {
    byFile: new Map([...byFile].filter(([file]) => isOf(file))),
    failures: failures.filter(({ file, repeat = [] }) => isOf(file) || repeat.some(isOf)),
  };
}

function titleOf(nightly: boolean): string {
  return nightly ? 'changed, with its nightly tests' : 'again';
}

async function withEnvironment<T>(
  { attempt, nightly }: Required<Pick<Repeat, 'attempt' | 'nightly'>>,
  work: () => Promise<T>,
): Promise<T> {
  const env = { [attemptVariable]: attempt, ...(nightly ? { [nightlyVariable]: 'yes' } : {}) };
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

/** Returns the path below `test`, or nothing for what belongs to no file. */
export function pathOf(file: string): string {
  return file === '' ? '' : relative(join(projectFolder, 'test'), file).replaceAll('\\', '/');
}
