import { join } from 'node:path';
import { sharesWindow, type Stage, suitesAtNight, type Wanted } from '../suites';
import { type ChangedTests } from './changedTests';
import { emptyResult, replaced, type RunResult } from './events/runRecord';
import { type Flaky, flakyOf } from './flaky';
import { projectFolder } from './folders';
import { limit } from './limits';
import { isFinal } from './rerun';
import { type Again, type Part, partOf, pathOf, runFailedAgain, runTogether, type SuiteRun } from './runAlone';
import { type Results } from './runJobs';

/** How long changed files may take on the reference machine: their nightly tests in each stage, and twice more. */
const nightTime = 60_000;
const repeatTime = 90_000;
const mostChanged = 6;
/** How many changed files share a window. Opening one takes longer than most files. */
const mostTogether = 5;

interface ChangedOptions {
  readonly wanted: Wanted;
  readonly changed: ChangedTests;
  readonly now?: () => number;
  /** When the whole run has so little time left that none of them may start anymore. */
  readonly until?: number;
}

interface NightOptions extends ChangedOptions {
  readonly stage: Stage;
  /** How many files of the whole run have failed before and ran again. */
  readonly before: number;
}

/**
 * Runs the nightly tests of changed files of a stage once, because nothing else would run them before the change is
 * there. A file that fails runs once more, if it's one of few.
 */
export async function runAtNight(runs: readonly SuiteRun[], results: Results, options: NightOptions): Promise<Again> {
  const { wanted, changed, stage, before, now = Date.now, until = Infinity } = options;
  const parts = groupsOf(changed.nightly).flatMap(({ suite: name, files }): Part[] => {
    const suite = runs.find((one) => one.name === name)?.suite ?? suitesAtNight[name];
    if (suite?.stage !== stage) return [];
    return [{ run: { name, suite, jobs: [] }, files: files.map((file) => join(projectFolder, file)) }];
  });
  const deadline = Math.min(now() + limit(nightTime), until);
  const nightly = { wanted, nightly: true };
  const isOver = (expected: number): boolean => now() + expected > deadline;
  const [once = new Map<string, RunResult>()] = await runTogether(parts, { ...nightly, attempt: 'nightly', isOver });
  const notRun = parts.flatMap(({ run, files }) => {
    const hasBegun = hasRun(once.get(run.name) ?? emptyResult, files);
    return hasBegun ? [] : files.map((file) => `test/${pathOf(file)} (${run.name})`);
  });
  const ofParts = [...new Map(parts.map(({ run }) => [run.name, run])).values()];
  const { flaky, lines } = await runFailedAgain(ofParts, once, { ...nightly, attempt: 'nightly-again', before });
  for (const [name, result] of once) results.set(name, replaced(results.get(name) ?? emptyResult, result));
  const named = notRun.length === 0 ? [] : [`changed, but their nightly tests did not run: ${notRun.join(', ')}`];
  return { flaky, lines: [...lines, ...named] };
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
  const { wanted, known, now = Date.now, until = Infinity } = options;
  const { files, elsewhere, unknown } = options.changed;
  if (unknown !== undefined) return { flaky: [], lines: [`changed tests did not run more often: ${unknown}`] };
  const flaky: Flaky[] = [];
  const lines: string[] = elsewhere.length === 0 ? [] : [`changed, but not run: ${elsewhere.join(', ')}`];
  const parts = files.slice(0, mostChanged).flatMap((name) => partFor(runs, join(projectFolder, name)));
  const deadline = Math.min(now() + limit(repeatTime), until);
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
