import { join } from 'node:path';
import { sharesWindow, type Stage, suitesAtNight, type Wanted } from '../suites';
import { type ChangedTests } from './changedTests';
import { countsOf, emptyResult, replaced, type RunResult } from './events/runRecord';
import { type Flaky, flakyOf } from './flaky';
import { projectFolder } from './folders';
import { limit } from './limits';
import { isFinal } from './rerun';
import { type Part, partOf, pathOf, runAlone, runTogether, type SuiteRun } from './runAlone';
import { type Results } from './runJobs';

/** How long changed files may take on the reference machine: their nightly tests in each stage, and twice more. */
const nightTime = 60_000;
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
  /** When nothing may be begun anymore, whatever time is left for it otherwise. */
  readonly until?: number | undefined;
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
  const { wanted, changed, until = Infinity, stage, now = Date.now } = options;
  const flaky: Flaky[] = [];
  const lines: string[] = [];
  const notRun: string[] = [];
  const parts = groupsOf(changed.nightly).flatMap(({ suite: name, files }): Part[] => {
    const suite = runs.find((one) => one.name === name)?.suite ?? suitesAtNight[name];
    if (suite?.stage !== stage) return [];
    return [{ run: { name, suite, jobs: [] }, files: files.map((file) => join(projectFolder, file)) }];
  });
  const deadline = Math.min(until, now() + limit(nightTime));
  const batch = {
    wanted,
    nightly: true,
    attempt: 'nightly',
    isOver: (expected: number) => now() + expected > deadline,
  };
  const [once = new Map<string, RunResult>()] = await runTogether(parts, batch);
  for (const [name, result] of once) results.set(name, replaced(results.get(name) ?? emptyResult, result));
  for (const { run, files } of parts) {
    const result = partOf(once.get(run.name) ?? emptyResult, files);
    const [first] = result.failures;
    if (!hasRun(result, files)) notRun.push(...files.map((file) => `test/${pathOf(file)} (${run.name})`));
    if (first === undefined) continue;
    const path = pathOf(files.length === 1 ? (files[0] ?? '') : first.file);
    if (hasFinal(run.name, result)) {
      lines.push(`${path} has changed, and its nightly tests have a final failure`);
      continue;
    }
    const again = await runAlone(run, { files, wanted, nightly: true, attempt: 'nightly-again' });
    results.set(run.name, replaced(results.get(run.name) ?? emptyResult, again.result));
    if (countsOf(again.result).failed === 0) flaky.push(flakyOf(path, first, `again: passed in ${again.seconds} s`));
    else lines.push(`${path} has changed, and its nightly tests failed twice`);
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
  const { wanted, known, until = Infinity, now = Date.now } = options;
  const { files, elsewhere, unknown } = options.changed;
  if (unknown !== undefined) return { flaky: [], lines: [`changed tests did not run more often: ${unknown}`] };
  const flaky: Flaky[] = [];
  const lines: string[] = elsewhere.length === 0 ? [] : [`changed, but not run: ${elsewhere.join(', ')}`];
  const parts = files.slice(0, mostChanged).flatMap((name) => partFor(runs, join(projectFolder, name)));
  const deadline = Math.min(until, now() + limit(repeatTime));
  const repeated = new Set<string>();
  // Each of them runs twice in the same queue, so that no processor waits for the longest of several.
  const isOver = (expected: number): boolean => now() + expected > deadline;
  const runsOfAll = await runTogether(parts, { wanted, times: 2, attempt: 'repeated', isOver });
  for (const part of parts) {
    const both = runsOfAll.map((result) => partOf(result.get(part.run.name) ?? emptyResult, part.files));
    const again = judge(part, both, known);
    flaky.push(...again.flaky);
    lines.push(...again.lines);
    if (again.failed !== undefined) {
      results.set(part.run.name, replaced(results.get(part.run.name) ?? emptyResult, again.failed));
    }
    if (both.every((result) => hasRun(result, part.files))) repeated.add(`test/${part.files.map(pathOf).join()}`);
  }
  const notRepeated = files.filter((name) => !repeated.has(name));
  if (notRepeated.length > 0) lines.push(`changed, but not run twice more: ${notRepeated.join(', ')}`);
  return { flaky, lines };
}

/** Returns the file with the suite that it ran in, or would run in. */
function partFor(runs: readonly SuiteRun[], file: string): readonly Part[] {
  const [folder = ''] = pathOf(file).split('/');
  const run =
    runs.find(({ jobs }) => jobs.some((job) => job.files.includes(file))) ?? runs.find(({ name }) => name === folder);
  return run === undefined ? [] : [{ run, files: [file] }];
}

/** Says what two more runs of a file show. */
function judge({ run, files }: Part, both: readonly RunResult[], known: readonly Flaky[]): Judgment {
  const path = files.map(pathOf).join();
  const failed = both.filter(({ failures }) => failures.length > 0);
  const last = failed.at(-1);
  const [first] = failed.flatMap(({ failures }) => failures);
  if (last === undefined || first === undefined) return { flaky: [], lines: [] };
  const final = failed.find((result) => hasFinal(run.name, result));
  const times = failed.length + known.filter(({ file }) => file === path).length;
  if (final === undefined && times < 2) {
    return { flaky: [flakyOf(path, first, 'the test is new or changed, and failed in one of three runs')], lines: [] };
  }
  const why = final === undefined ? 'it failed in two of three runs' : 'its failure is final';
  return { flaky: [], lines: [`${path} is new or changed, and ${why}`], failed: final ?? last };
}

interface Judgment extends Again {
  /** The result that counts, if the file has failed. */
  readonly failed?: RunResult;
}

function hasRun({ byFile }: RunResult, files: readonly string[]): boolean {
  return files.some((file) => byFile.has(file));
}

function hasFinal(suite: string, { failures }: RunResult): boolean {
  return failures.some((failure) => isFinal({ suite, path: pathOf(failure.file) }, failure));
}
