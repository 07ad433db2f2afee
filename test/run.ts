import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedTests, noChangedTests } from './host/changedTests';
import { keepDurations } from './host/durations';
import { isNamed } from './host/findTests';
import { failuresFolder, projectFolder } from './host/folders';
import { exitWhenAsked } from './host/leftovers';
import { beginWithSlowness, measureSlowness } from './host/limits';
import { nightlyVariable } from './host/nightly';
import { parsePositiveInteger } from './host/positiveInteger';
import { runAll, runAndReport } from './host/runAll';
import { type SuiteRun } from './host/runAlone';
import { stallAtRandom } from './host/stalls';
import { watchFiles } from './host/watchFiles';
import { everyJob, prepare, type Suite, suites, type Wanted } from './suites';

const flag = { type: 'boolean', default: false } as const;
const options = {
  grep: { type: 'string' },
  vsix: { type: 'string' },
  reversed: flag,
  watch: flag,
  record: flag,
  pictures: flag,
  looks: flag,
  nightly: flag,
  stalls: { type: 'string' },
  times: { type: 'string', default: '1' },
  longest: { type: 'string', default: '75' },
  prepare: flag,
} as const;

/**
 * `run.ts SUITE... [--grep TEXT] [--reversed] [--watch] [--record] [--pictures | --looks] [--vsix FILE] [--nightly]
 * [--stalls SEED] [--times N] [--longest MINUTES] [--prepare] [PART OF A FILE'S PATH...]`
 *
 * `--nightly` includes the tests that run only at night. `--stalls` stops random processes for a moment, as a busy machine
 * does. `--times` repeats the run that many times, or until a test fails, with another seed each time. `--longest` is how
 * long all of that may take.
 * `--prepare` only downloads what the suites need.
 * `--record` updates test/durations.json, which determines the order of files. `--pictures` stores screenshots of the
 * window tests in `.cache/screenshots`, and `--looks` each in light, dark, and high contrast. `--vsix` runs the window tests with an installed package.
 */
async function main(): Promise<void> {
  exitWhenAsked();
  const parsed = parsedArguments();
  if (parsed === undefined) return;
  const { values, positionals, times, longest, seed, chosen } = parsed;
  // Before anything else runs.
  beginWithSlowness(measureSlowness());
  if (values.vsix !== undefined) process.env['GANTRY_VSIX'] = resolve(values.vsix);
  if (values.pictures) process.env['GANTRY_PICTURES'] = 'all';
  if (values.looks) process.env['GANTRY_PICTURES'] = 'looks';
  if (values.nightly) process.env[nightlyVariable] = 'yes';
  if (values.prepare) {
    await prepare(chosen.map(([, suite]) => ({ needs: suite.needs.filter((need) => need !== 'build') })));
    return;
  }
  const wanted: Wanted = {
    grep: values.grep === undefined ? undefined : literally(values.grep),
    reversed: values.reversed,
    durations: new Map(),
  };
  const filters = positionals.filter((name) => !(name in suites));
  const only = (file: string): boolean => filters.length === 0 || isNamed(file, filters);
  await rm(failuresFolder, { recursive: true, force: true });
  // Runs in parallel with suites that don't need it, because it mostly waits for downloads on a new machine.
  const ready = prepare(chosen.map(([, suite]) => suite));
  // The first suite that needs it reports the failure.
  ready.catch(() => undefined);
  if (values.watch) {
    const run = (changed: (file: string) => boolean): Promise<unknown> =>
      runAll(runsOf(chosen, changed), { wanted, ready, runsAgain: false });
    const files = chosen.flatMap(([, { jobs }]) => jobs().flatMap((job) => job.files));
    await watchFiles(files.filter(only), run);
  } else {
    const runsAgain = filters.length === 0 && values.grep === undefined;
    const changed = process.env['CI'] === 'true' ? changedTests(projectFolder) : noChangedTests;
    const end = Date.now() + longest * 60_000;
    for (let count = 0; count < times && process.exitCode !== 1; count += 1) {
      const stalls = new AbortController();
      if (seed !== undefined) void stallAtRandom(seed + count, stalls.signal);
      await runAndReport(runsOf(chosen, only), { wanted, ready, runsAgain, changed, longest: end - Date.now() });
      stalls.abort();
    }
    if (values.record) keepDurations(wanted.durations, everyJob());
  }
}

/** Shows what is wrong with the arguments, and returns undefined then. */
function parsedArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const chosen = positionals.flatMap((name) => Object.entries(suites).filter(([suite]) => suite === name));
    if (chosen.length === 0) throw new Error(`Name a suite to run: ${Object.keys(suites).join(', ')}.`);
    const numbers = {
      times: parsePositiveInteger('times', values.times),
      longest: parsePositiveInteger('longest', values.longest),
      seed: parsePositiveInteger('stalls', values.stalls),
    };
    return { values, positionals, chosen, ...numbers };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
    return undefined;
  }
}

type Chosen = readonly (readonly [string, Suite])[];

function runsOf(chosen: Chosen, only: (file: string) => boolean): readonly SuiteRun[] {
  return chosen.map(([name, suite]) => {
    const jobs = suite.jobs().map((job) => ({ ...job, files: job.files.filter(only) }));
    return { name, suite, jobs: jobs.filter(({ files }) => files.length > 0) };
  });
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

void main();
