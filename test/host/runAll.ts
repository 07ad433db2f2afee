import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { atOnce, type Suite, type Wanted } from '../suites';
import { type ChangedTests } from './changedTests';
import { longestFirst, timed } from './durations';
import { failuresSoFar, runningTests } from './events/observeRun';
import {
  countsOf,
  emptyResult,
  failedFile,
  type Failure,
  replaced,
  type RunResult,
  summary,
  total,
} from './events/runRecord';
import { attemptVariable } from './evidence';
import { failuresFolder, projectFolder } from './folders';
import { highestSlowness, limit, passOnSlowness, slowness } from './limits';
import { repeatCommands } from './repeatCommands';
import { chooseReruns, type FailedFile, isFinal } from './rerun';
import { type Job, type Queue, type QueuedJob, type Results, runJobs, type Runner } from './runJobs';

export interface SuiteRun {
  readonly name: string;
  readonly suite: Suite;
  readonly jobs: readonly Job[];
}

interface RunOptions {
  readonly wanted: Wanted;
  /** Settles when what the suites need is installed. */
  readonly ready: Promise<unknown>;
  /** Runs failed files once more at the end, and changed window tests twice more if everything passed. */
  readonly runsAgain: boolean;
  readonly changed?: ChangedTests;
}

interface ReportOptions extends RunOptions {
  /** How long the run may take, in milliseconds. However slow the machine is, it must not go on forever. */
  readonly longest: number;
}

/** A file that failed in one run and passed in another. */
interface Flaky {
  readonly file: string;
  readonly test: string;
  readonly first: Pick<Failure, 'cause' | 'problem' | 'kept'>;
  readonly again: string;
}

interface Outcome {
  readonly result: RunResult;
  readonly flaky: readonly Flaky[];
  /** What to say at the end, before the count. */
  readonly lines: readonly string[];
}

/** How long all failed files together may run again, and all changed ones, on the reference machine. */
const rerunTime = 6 * 60_000;
const repeatTime = 90_000;
const mostChanged = 6;

/** How many failures the closing lines repeat: where only the end of the output is kept, nothing else tells what failed. */
const mostShown = 8;

/** Runs the suites, prints the closing lines, and sets the exit code. Needs the figure of `limits.ts`. */
export async function runAndReport(runs: readonly SuiteRun[], options: ReportOptions): Promise<void> {
  const begin = Date.now();
  const atStart = slowness();
  setTimeout(() => endLateRun(begin), options.longest).unref();
  const { result, flaky, lines } = await runAll(runs, options);
  keepFlaky(flaky);
  const [slowest] = [...options.wanted.durations].sort(([, one], [, other]) => other - one);
  const speed = `slowness ${atStart.toFixed(1)} at the start, ${highestSlowness().toFixed(1)} at most`;
  const job = slowest === undefined ? '' : `; slowest: ${slowest[0]} ${slowest[1]} s`;
  const failed = result.failures.slice(0, mostShown).flatMap(failureLines);
  console.log(['', ...failed, ...lines, `${speed}; ${minutesSince(begin)}${job}`].join('\n'));
  const counts = countsOf(result);
  // In CI, everything is installed, so a skipped test counts as not run.
  const hasFailed = counts.failed > 0 || (process.env['CI'] === 'true' && counts.skipped > 0);
  process.exitCode = hasFailed ? 1 : 0;
  console.log(`\n${summary(counts)}`);
}

/** Ends a run that takes too long, and says what it was doing and what has failed. */
function endLateRun(begin: number): void {
  const running = runningTests();
  console.log(['', ...failuresSoFar().slice(0, mostShown).flatMap(failureLines)].join('\n'));
  console.log(`ran out of time after ${minutesSince(begin)}, during: ${running.join(', ') || 'no test'}`);
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
 */
export async function runAll(runs: readonly SuiteRun[], options: RunOptions): Promise<Outcome> {
  const stages = [...new Set(runs.map(({ suite }) => suite.stage))];
  const results: Results = new Map();
  const flaky: Flaky[] = [];
  const lines: string[] = [];
  const outcome = (): Outcome => ({
    result: total([...results.values()]),
    flaky,
    lines: [...flaky.flatMap(flakyLines), ...lines],
  });
  for (const [index, stage] of stages.entries()) {
    const ofStage = runs.filter(({ suite }) => suite.stage === stage);
    for (const [name, result] of await runStage(ofStage, options)) results.set(name, result);
    if (options.runsAgain) {
      const again = await runFailedAgain(ofStage, results, { ...options, before: flaky.length });
      flaky.push(...again.flaky);
      lines.push(...again.lines);
    }
    if (countsOf(outcome().result).failed === 0) continue;
    const left = runs.filter(({ suite }) => stages.indexOf(suite.stage) > index).map(({ name }) => name);
    if (left.length > 0) lines.push(`Not run, because tests before them failed: ${left.join(', ')}`);
    return outcome();
  }
  const { runsAgain, changed } = options;
  if (!runsAgain || changed === undefined) return outcome();
  const repeated = await repeatChanged(runs, results, { ...options, changed, known: [...flaky] });
  flaky.push(...repeated.flaky);
  lines.push(...repeated.lines);
  return outcome();
}

/** Runs suites of the same stage, the longest job of all of them first. */
async function runStage(runs: readonly SuiteRun[], { wanted, ready }: RunOptions): Promise<Results> {
  const title = runs.map(({ name }) => name).join(', ');
  console.log(`\n${title}`);
  const begin = Date.now();
  passOnSlowness();
  const jobs = longestFirst(runs.flatMap(({ name, jobs: all }) => all.map((job) => ({ ...job, suite: name }))));
  const backwards = [...jobs].reverse().map((job) => ({ ...job, files: [...job.files].reverse() }));
  const results = await (runs.every(({ suite }) => suite.needs.length === 0) ? Promise.resolve() : ready)
    .then(() => runJobs(queueOf(runs, wanted.reversed ? backwards : jobs, wanted)))
    .catch((error: unknown): Results => {
      const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.log(`  ✗ ${title} did not run: ${problem}`);
      return new Map(runs.map(({ name }) => [name, failedFile({ file: '', cause: 'error', problem })]));
    });
  const seconds = Math.round((Date.now() - begin) / 1000);
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
  console.log(`  in ${seconds} s`);
  return results;
}

function queueOf(runs: readonly SuiteRun[], jobs: readonly QueuedJob[], wanted: Wanted): Queue {
  const [stage = 'unit'] = runs.map(({ suite }) => suite.stage);
  const start = (name: string): Runner => {
    const run = runs.find((one) => one.name === name);
    if (run === undefined) throw new Error(`There is no suite ${name}.`);
    return timed(run.suite.runner(wanted), wanted.durations);
  };
  return { jobs, atOnce: wanted.alone === true ? 1 : atOnce[stage], start };
}

interface Again {
  readonly flaky: readonly Flaky[];
  readonly lines: readonly string[];
}

interface AfterStage extends RunOptions {
  /** How many files have failed once before. */
  readonly before: number;
}

async function runFailedAgain(runs: readonly SuiteRun[], results: Results, options: AfterStage): Promise<Again> {
  const decision = chooseReruns(failedFiles(runs, results), options.before);
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
    const repeat = { files: first.repeat ?? [first.file], attempt: 'again', wanted: options.wanted };
    const { result, seconds } = await runAlone(run, repeat);
    results.set(suite, replaced(results.get(suite) ?? result, result));
    const hasPassed = countsOf(result).failed === 0;
    if (hasPassed) flaky.push(flakyOf(path, first, `alone: passed in ${seconds} s`));
    else lines.push(`${path} failed twice`);
  }
  return { flaky, lines };
}

interface Repetition extends RunOptions {
  readonly changed: ChangedTests;
  /** Those that have failed once already. */
  readonly known: readonly Flaky[];
}

/** A changed test that fails in one of three runs is flaky; in two of them, it fails. */
async function repeatChanged(runs: readonly SuiteRun[], results: Results, options: Repetition): Promise<Again> {
  const { files, unknown } = options.changed;
  if (unknown !== undefined) return { flaky: [], lines: [`changed window tests did not run twice more: ${unknown}`] };
  const flaky: Flaky[] = [];
  const lines: string[] = [];
  const notRepeated = [...files.slice(mostChanged)];
  const deadline = Date.now() + limit(repeatTime);
  for (const name of files.slice(0, mostChanged)) {
    const file = join(projectFolder, name);
    const path = pathOf(file);
    const run = runs.find(({ jobs }) => jobs.some((job) => job.files.includes(file)));
    if (run === undefined) continue;
    const { failed, isComplete } = await runTwice(run, file, { wanted: options.wanted, deadline });
    if (!isComplete) notRepeated.push(name);
    const last = failed.at(-1);
    const [first] = failed.flatMap(({ failures }) => failures);
    if (last === undefined || first === undefined) continue;
    const isFinalHere = (one: Failure): boolean => isFinal({ suite: run.name, path: pathOf(one.file) }, one);
    const final = failed.find(({ failures }) => failures.some(isFinalHere));
    const times = failed.length + options.known.filter((one) => one.file === path).length;
    if (final === undefined && times < 2) {
      flaky.push(flakyOf(path, first, 'the test is new or changed, and failed in one of three runs'));
    } else {
      const why = final === undefined ? 'it failed in two of three runs' : 'its failure is final';
      lines.push(`${path} is new or changed, and ${why}`);
      results.set(run.name, replaced(results.get(run.name) ?? last, final ?? last));
    }
  }
  if (notRepeated.length > 0) lines.push(`changed, but not run twice more: ${notRepeated.join(', ')}`);
  return { flaky, lines };
}

interface Twice {
  readonly wanted: Wanted;
  readonly deadline: number;
}

/** Returns the results of the runs that failed. */
async function runTwice(run: SuiteRun, file: string, { wanted, deadline }: Twice) {
  const failed: RunResult[] = [];
  for (let times = 0; times < 2; times += 1) {
    if (Date.now() > deadline) return { failed, isComplete: false };
    const { result } = await runAlone(run, { files: [file], attempt: `repeated-${times + 1}`, wanted });
    if (countsOf(result).failed > 0) failed.push(result);
  }
  return { failed, isComplete: true };
}

interface Repeat {
  readonly files: readonly string[];
  /** The name of the folder with the evidence. */
  readonly attempt: string;
  readonly wanted: Wanted;
}

async function runAlone(run: SuiteRun, { files, attempt, wanted }: Repeat) {
  const paths = files.map(pathOf).join(', ');
  console.log(`\nagain, alone: ${paths}`);
  const begin = Date.now();
  passOnSlowness();
  // The files are in the order in which they ran.
  const alone = { ...wanted, durations: new Map<string, number>(), alone: true, reversed: false };
  const job = { suite: run.name, name: `${run.name} ${paths}`, files };
  const before = process.env[attemptVariable];
  process.env[attemptVariable] = attempt;
  const results = await runJobs(queueOf([run], [job], alone)).finally(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, attemptVariable);
    else process.env[attemptVariable] = before;
  });
  return { result: results.get(run.name) ?? emptyResult, seconds: Math.round((Date.now() - begin) / 1000) };
}

function failedFiles(runs: readonly SuiteRun[], results: Results): readonly FailedFile[] {
  return runs.flatMap(({ name }) => {
    const { failures, byFile } = results.get(name) ?? total([]);
    const failed = [...byFile].flatMap(([file, counts]) => (counts.failed > 0 ? [file] : []));
    return failed.map((file) => ({
      suite: name,
      path: pathOf(file),
      failures: failures.filter((failure) => failure.file === file),
    }));
  });
}

/** Returns the path below `test`, or nothing for what belongs to no file. */
function pathOf(file: string): string {
  return file === '' ? '' : relative(join(projectFolder, 'test'), file).replaceAll('\\', '/');
}

function failureLines({ file, title = 'the whole file', problem, kept }: Failure): readonly string[] {
  const lines = problem.split('\n').filter((line) => line.trim() !== '');
  return [
    `FAILED ${file === '' ? 'outside the files' : pathOf(file)}: ${title}`,
    ...lines.slice(0, 8).map((line) => `       ${line.trim().slice(0, 200)}`),
    ...(kept === undefined ? [] : [`       kept in ${relative(projectFolder, kept)}`]),
  ];
}

function flakyOf(file: string, { title = 'the whole file', cause, problem, kept }: Failure, again: string): Flaky {
  return { file, test: title, first: { cause, problem, ...(kept === undefined ? {} : { kept }) }, again };
}

function flakyLines({ file, test, first, again }: Flaky): readonly string[] {
  const kept = first.kept === undefined ? '' : ` (${relative(projectFolder, first.kept)})`;
  const entry = {
    test,
    file: file.replace(/ after .+$/, ''),
    seen: [`${new Date().toISOString().slice(0, 10)} ${headCommit()}`.trim()],
    cause: '',
    plan: '',
  };
  return [
    `FLAKY  ${file}: ${test}`,
    `       first: ${first.problem.split('\n')[0]}${kept}; ${again}`,
    `       for test/flaky.json: ${JSON.stringify(entry)}`,
  ];
}

/** Returns the short name of the commit that is checked out, or nothing outside a repository. */
function headCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

/** Keeps what was flaky beside the evidence. */
function keepFlaky(flaky: readonly Flaky[]): void {
  if (flaky.length === 0) return;
  mkdirSync(failuresFolder, { recursive: true });
  writeFileSync(join(failuresFolder, 'flaky.json'), `${JSON.stringify(flaky, undefined, 2)}\n`);
}
