import { join } from 'node:path';
import { sharesWindow, type Stage, suitesAtNight, type Wanted } from '../suites';
import { type ChangedTests } from './changedTests';
import { countsOf, emptyResult, type Failure, replaced, type RunResult } from './events/runRecord';
import { type Flaky, flakyOf } from './flaky';
import { projectFolder } from './folders';
import { limit } from './limits';
import { isFinal } from './rerun';
import { pathOf, runAlone, type SuiteRun } from './runAlone';
import { type Results } from './runJobs';

/** How long changed files may run on the reference machine: their nightly tests in each stage, and twice more. */
const nightTime = 90_000;
const repeatTime = 90_000;
const mostChanged = 6;
/** How many changed files share a window. Opening one takes longer than most files. */
const mostTogether = 5;

export interface Again {
  readonly flaky: readonly Flaky[];
  readonly lines: readonly string[];
}

interface ChangedOptions {
  readonly wanted: Wanted;
  readonly changed: ChangedTests;
  readonly now?: () => number;
}

interface NightOptions extends ChangedOptions {
  readonly stage: Stage;
}

/**
 * Runs the nightly tests of changed files of a stage once, because nothing else would run them before the change is
 * there. A file that fails runs once more.
 */
export async function runAtNight(runs: readonly SuiteRun[], results: Results, options: NightOptions): Promise<Again> {
  const { wanted, changed, stage, now = Date.now } = options;
  const flaky: Flaky[] = [];
  const lines: string[] = [];
  const notRun: string[] = [];
  const deadline = now() + limit(nightTime);
  for (const { suite: name, files } of groupsOf(changed.nightly)) {
    const suite = runs.find((one) => one.name === name)?.suite ?? suitesAtNight[name];
    if (suite?.stage !== stage) continue;
    const run = { name, suite, jobs: [] };
    const repeat = { files: files.map((file) => join(projectFolder, file)), wanted, nightly: true };
    if (now() > deadline) {
      notRun.push(...files.map((file) => `${file} (${name})`));
      continue;
    }
    const once = await runAlone(run, { ...repeat, attempt: 'nightly' });
    const [first] = once.result.failures;
    const isFinalHere = (one: Failure): boolean => isFinal({ suite: name, path: pathOf(one.file) }, one);
    const runsAgain = first !== undefined && !once.result.failures.some(isFinalHere);
    const last = runsAgain ? await runAlone(run, { ...repeat, attempt: 'nightly-again' }) : once;
    results.set(name, replaced(results.get(name) ?? emptyResult, last.result));
    if (first === undefined) continue;
    const path = pathOf(files.length === 1 ? (repeat.files[0] ?? '') : first.file);
    if (countsOf(last.result).failed === 0) flaky.push(flakyOf(path, first, `again: passed in ${last.seconds} s`));
    else
      lines.push(`${path} has changed, and its nightly tests ${runsAgain ? 'failed twice' : 'have a final failure'}`);
  }
  if (notRun.length > 0) lines.push(`changed, but their nightly tests did not run: ${notRun.join(', ')}`);
  return { flaky, lines };
}

interface NightGroup {
  readonly suite: string;
  readonly files: string[];
  readonly shares: boolean;
}

/** Puts files together that can share a window. */
function groupsOf(nightly: ChangedTests['nightly']): readonly NightGroup[] {
  const groups: NightGroup[] = [];
  for (const { suite, file } of nightly) {
    const shares = sharesWindow(suite, file);
    const open = groups.find((one) => shares && one.shares && one.suite === suite && one.files.length < mostTogether);
    if (open === undefined) groups.push({ suite, files: [file], shares });
    else open.files.push(file);
  }
  return groups;
}

interface Repetition extends ChangedOptions {
  /** Those that have failed once already. */
  readonly known: readonly Flaky[];
}

/**
 * Runs changed window tests twice more. One that fails in one of three runs is flaky; in two of them, it fails. Names what
 * didn't run.
 */
export async function repeatChanged(runs: readonly SuiteRun[], results: Results, options: Repetition): Promise<Again> {
  const { wanted, known, now = Date.now } = options;
  const { files, elsewhere, unknown } = options.changed;
  if (unknown !== undefined) return { flaky: [], lines: [`changed tests did not run more often: ${unknown}`] };
  const flaky: Flaky[] = [];
  const lines: string[] = elsewhere.length === 0 ? [] : [`changed, but not run: ${elsewhere.join(', ')}`];
  const notRepeated = [...files.slice(mostChanged)];
  const deadline = now() + limit(repeatTime);
  for (const name of files.slice(0, mostChanged)) {
    const file = join(projectFolder, name);
    const path = pathOf(file);
    const [folder = ''] = path.split('/');
    const run =
      runs.find(({ jobs }) => jobs.some((job) => job.files.includes(file))) ??
      runs.find(({ name: suite }) => suite === folder);
    if (run === undefined) {
      notRepeated.push(name);
      continue;
    }
    const { failed, isComplete } = await runTwice(run, file, { wanted, now, deadline });
    if (!isComplete) notRepeated.push(name);
    const last = failed.at(-1);
    const [first] = failed.flatMap(({ failures }) => failures);
    if (last === undefined || first === undefined) continue;
    const isFinalHere = (one: Failure): boolean => isFinal({ suite: run.name, path: pathOf(one.file) }, one);
    const final = failed.find(({ failures }) => failures.some(isFinalHere));
    const times = failed.length + known.filter((one) => one.file === path).length;
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
  readonly now: () => number;
  readonly deadline: number;
}

/** Returns the results of the runs that failed. */
async function runTwice(run: SuiteRun, file: string, { wanted, now, deadline }: Twice) {
  const failed: RunResult[] = [];
  for (let times = 0; times < 2; times += 1) {
    if (now() > deadline) return { failed, isComplete: false };
    const { result } = await runAlone(run, { files: [file], attempt: `repeated-${times + 1}`, wanted });
    if (countsOf(result).failed > 0) failed.push(result);
  }
  return { failed, isComplete: true };
}
