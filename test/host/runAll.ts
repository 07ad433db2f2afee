import { relative } from 'node:path';
import { type Wanted } from '../suites';
import { repeatChanged, runAtNight } from './changedRuns';
import { type ChangedTests } from './changedTests';
import { longestFirst } from './durations';
import { failuresSoFar, runningTests } from './events/observeRun';
import {
  type Counts,
  countsOf,
  emptyResult,
  failedFile,
  type Failure,
  type RunResult,
  summary,
  total,
} from './events/runRecord';
import { type Flaky, flakyLines, keepFlaky } from './flaky';
import { projectFolder } from './folders';
import { highestSlowness, passOnSlowness, slowness } from './limits';
import { isNightly } from './nightly';
import { repeatCommands } from './repeatCommands';
import { pathOf, queueOf, runFailedAgain, type SuiteRun } from './runAlone';
import { type Results, runJobs } from './runJobs';

interface RunOptions {
  readonly wanted: Wanted;
  /** Settles when what the suites need is installed. */
  readonly ready: Promise<unknown>;
  /**
   * Runs failed files once more after their stage, nightly tests of changed files once if the stage passed, and changed
   * window tests twice more if everything passed.
   */
  readonly runsAgain: boolean;
  readonly changed?: ChangedTests;
  /** When it's too late to start tests only because they changed. */
  readonly until?: number;
}

interface ReportOptions extends RunOptions {
  /** How long the run may take, in milliseconds. However slow the machine is, it must not go on forever. */
  readonly longest: number;
}

interface Outcome {
  readonly result: RunResult;
  readonly flaky: readonly Flaky[];
  /** What to say at the end, before the count. */
  readonly lines: readonly string[];
}

/** How many failures the closing lines repeat: where only the end of the output is kept, nothing else tells what failed. */
const mostShown = 8;

/**
 * The part of a run's time after which no test starts only because it changed: some take long on a slow machine, and a run
 * that has passed must not run out of time with them.
 */
const shareForAll = 0.8;

/** What was flaky in the runs before, if the tests run several times. */
const earlier: Flaky[] = [];

/** Runs the suites, prints the closing lines, and sets the exit code. Needs the figure of `limits.ts`. */
export async function runAndReport(runs: readonly SuiteRun[], options: ReportOptions): Promise<void> {
  const begin = Date.now();
  const atStart = slowness();
  const known: Flaky[] = [];
  const late = setTimeout(() => endLateRun(known), options.longest).unref();
  const until = begin + shareForAll * options.longest;
  const { result, flaky, lines } = await runAll(runs, { ...options, until }, known).finally(() => clearTimeout(late));
  earlier.push(...flaky);
  keepFlaky(earlier);
  const [slowest] = [...options.wanted.durations].sort(([, one], [, other]) => other - one);
  const speed = `slowness ${atStart.toFixed(1)} at the start, ${highestSlowness().toFixed(1)} at most`;
  const job = slowest === undefined ? '' : `; slowest: ${slowest[0]} ${slowest[1]} s`;
  const failed = result.failures.slice(0, mostShown).flatMap(failureLines);
  console.log(['', ...failed, ...lines, `${speed}; ${minutesSince(begin)}${job}`].join('\n'));
  const counts = countsOf(result);
  process.exitCode = hasFailed(counts) ? 1 : 0;
  console.log(`\n${summary(counts)}`);
}

/** In CI, everything is installed, so a skipped test counts as not run. */
function hasFailed({ failed, skipped }: Counts): boolean {
  return failed > 0 || (process.env['CI'] === 'true' && skipped > 0);
}

/** Ends a run that takes too long, and says what it was doing, what has failed, and what was flaky. */
function endLateRun(flaky: readonly Flaky[]): void {
  keepFlaky([...earlier, ...flaky]);
  const failed = failuresSoFar().slice(0, mostShown).flatMap(failureLines);
  console.log(['', ...failed, ...flaky.flatMap(flakyLines)].join('\n'));
  const running =
    runningTests().join(', ') || 'no test, so something was being installed, or a window opened or closed';
  console.log(`ran out of time after ${minutesSince(performance.timeOrigin)}, during: ${running}`);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}

function minutesSince(begin: number): string {
  const seconds = Math.round((Date.now() - begin) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs the suites, stage by stage, and failed files once more, alone. If a stage has failed, the next ones don't run,
 * because they take much longer. At the end, changed window tests run twice more.
 *
 * @param flaky gets what failed once, as soon as that is known
 */
export async function runAll(runs: readonly SuiteRun[], options: RunOptions, flaky: Flaky[] = []): Promise<Outcome> {
  const { wanted, runsAgain, changed, until = Infinity } = options;
  const stages = [...new Set(runs.map(({ suite }) => suite.stage))];
  const results: Results = new Map();
  const lines: string[] = [];
  const outcome = (): Outcome => ({
    result: total([...results.values()]),
    flaky,
    lines: [...flaky.flatMap(flakyLines), ...lines],
  });
  for (const [index, stage] of stages.entries()) {
    const ofStage = runs.filter(({ suite }) => suite.stage === stage);
    for (const [name, result] of await runStage(ofStage, options)) results.set(name, result);
    if (runsAgain) {
      const again = await runFailedAgain(ofStage, results, { wanted, attempt: 'again', before: flaky.length });
      flaky.push(...again.flaky);
      lines.push(...again.lines);
    }
    const hasPassed = (): boolean => !hasFailed(countsOf(outcome().result));
    // At night, all of them have run already.
    if (runsAgain && changed !== undefined && !isNightly() && hasPassed()) {
      const night = await runAtNight(ofStage, results, { wanted, changed, until, stage, before: flaky.length });
      flaky.push(...night.flaky);
      lines.push(...night.lines);
    }
    if (hasPassed()) continue;
    const left = runs.filter(({ suite }) => stages.indexOf(suite.stage) > index).map(({ name }) => name);
    if (left.length > 0) lines.push(`Not run, because tests before them failed: ${left.join(', ')}`);
    return outcome();
  }
  if (!runsAgain || changed === undefined) return outcome();
  const repeated = await repeatChanged(runs, results, { wanted, changed, until, known: [...flaky] });
  flaky.push(...repeated.flaky);
  lines.push(...repeated.lines);
  return outcome();
}

/** Runs suites of the same stage, the longest job of all of them first. */
async function runStage(runs: readonly SuiteRun[], { wanted, ready }: RunOptions): Promise<Results> {
  const title = runs.map(({ name }) => name).join(', ');
  console.log(`\n${title}`);
  const needsNothing = runs.every(({ suite }) => suite.needs.length === 0);
  const asked = Date.now();
  let begin = asked;
  passOnSlowness();
  const jobs = longestFirst(runs.flatMap(({ name, jobs: all }) => all.map((job) => ({ ...job, suite: name }))));
  const backwards = [...jobs].reverse().map((job) => ({ ...job, files: [...job.files].reverse() }));
  const results = await (needsNothing ? Promise.resolve() : ready)
    .then(() => {
      begin = Date.now();
      return runJobs(queueOf(runs, wanted.reversed ? backwards : jobs, wanted));
    })
    .catch((error: unknown): Results => {
      const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.log(`  ✗ ${title} did not run: ${problem}`);
      return new Map(runs.map(({ name }) => [name, failedFile({ file: '', cause: 'error', problem })]));
    });
  const ended = Date.now();
  console.log('');
  for (const { name, suite } of runs) {
    const result = results.get(name) ?? emptyResult;
    const { passed, failed, skipped } = countsOf(result);
    const problem = 'no test was found';
    const none = passed + failed + skipped === 0;
    if (none) results.set(name, failedFile({ file: '', cause: 'error', problem }));
    console.log(none ? `  ✗ ${name}: ${problem}` : `  ${name}: ${summary(countsOf(result))}`);
    for (const command of repeatCommands(suite.script, result.failures)) console.log(`  repeat with: ${command}`);
  }
  const seconds = (milliseconds: number): number => Math.round(milliseconds / 1000);
  if (!needsNothing) console.log(`  waited ${seconds(begin - asked)} s for downloads, unpacking, and the build`);
  console.log(`  in ${seconds(ended - begin)} s`);
  return results;
}

function failureLines({ file, title = 'the whole file', problem, kept }: Failure): readonly string[] {
  const lines = problem.split('\n').filter((line) => line.trim() !== '');
  return [
    `FAILED ${file === '' ? 'outside the files' : pathOf(file)}: ${title}`,
    ...lines.slice(0, 8).map((line) => `       ${line.trim().slice(0, 200)}`),
    ...(kept === undefined ? [] : [`       kept in ${relative(projectFolder, kept)}`]),
  ];
}
