import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChangedTests, changedWindowTests } from './host/changedTests';
import { keepDurations } from './host/durations';
import { runningTests } from './host/events/observeRun';
import { countsOf, summary } from './host/events/runRecord';
import { failuresFolder, projectFolder } from './host/folders';
import { exitWhenAsked } from './host/leftovers';
import { highestSlowness, measureSlowness, passOnSlowness } from './host/limits';
import { keepFlaky, type Outcome, runAll } from './host/runAll';
import { watchFiles } from './host/watchFiles';
import { prepare, type Suite, suites, type Wanted } from './suites';

/** However slow the machine is, a run must not go on forever. */
const longestRun = 75 * 60_000;

const flag = { type: 'boolean', default: false } as const;
const options = {
  grep: { type: 'string' },
  vsix: { type: 'string' },
  reversed: flag,
  watch: flag,
  record: flag,
  pictures: flag,
} as const;

/**
 * `run.ts SUITE... [--grep TEXT] [--reversed] [--watch] [--record] [--pictures] [--vsix FILE] [PART OF A FILE'S PATH...]`
 * `--record` updates test/durations.json, which determines the order of files. `--pictures` stores screenshots of the
 * window tests in `.cache/screenshots`. `--vsix` runs the window tests with an installed package.
 */
async function main(): Promise<void> {
  exitWhenAsked();
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const chosen = positionals.flatMap((name) => Object.entries(suites).filter(([suite]) => suite === name));
  if (chosen.length === 0) {
    console.error(`Name a suite to run: ${Object.keys(suites).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  if (values.vsix !== undefined) process.env['GANTRY_VSIX'] = resolve(values.vsix);
  if (values.pictures) process.env['GANTRY_PICTURES'] = 'all';
  const wanted: Wanted = {
    grep: values.grep === undefined ? undefined : literally(values.grep),
    reversed: values.reversed,
    durations: new Map(),
  };
  const filters = positionals.filter((name) => !(name in suites));
  const isWanted = (path: string): boolean => filters.some((filter) => path.replaceAll('\\', '/').includes(filter));
  await rm(failuresFolder, { recursive: true, force: true });
  const begin = { begin: Date.now(), atStart: measureSlowness() };
  passOnSlowness(begin.atStart);
  if (values.watch) {
    const run = (only: (file: string) => boolean): Promise<Outcome> => runSuites(chosen, wanted, { only });
    const files = chosen.flatMap(([, { jobs }]) => jobs().flatMap((job) => job.files));
    await watchFiles(
      files.filter((file) => filters.length === 0 || isWanted(file)),
      run,
    );
  } else {
    endInTime(begin.begin);
    const isWhole = filters.length === 0 && values.grep === undefined;
    const changed = process.env['CI'] === 'true' ? changedWindowTests(projectFolder) : { files: [] };
    const only = (file: string): boolean => filters.length === 0 || isWanted(file);
    const outcome = await runSuites(chosen, wanted, { only, changed: isWhole ? changed : undefined });
    finish(outcome, wanted, begin);
    if (values.record)
      keepDurations(
        wanted.durations,
        Object.values(suites).flatMap(({ jobs }) => jobs()),
      );
  }
}

type Chosen = readonly (readonly [string, Suite])[];

async function runSuites(chosen: Chosen, wanted: Wanted, { only, changed }: Selection): Promise<Outcome> {
  // Runs in parallel with suites that don't need it, because it mostly waits for downloads on a new machine.
  const ready = prepare(chosen.map(([, suite]) => suite));
  // The first suite that needs it reports the failure.
  ready.catch(() => undefined);
  const runs = chosen.map(([name, suite]) => {
    const jobs = suite.jobs().map((job) => ({ ...job, files: job.files.filter(only) }));
    return { name, suite, jobs: jobs.filter(({ files }) => files.length > 0) };
  });
  return await runAll(runs, { wanted, ready, changed });
}

interface Selection {
  readonly only: (file: string) => boolean;
  readonly changed?: ChangedTests | undefined;
}

/** Ends a run that takes too long, and says what it was doing. */
function endInTime(begin: number): void {
  setTimeout(() => {
    const running = runningTests();
    console.log(`\nran out of time after ${minutesSince(begin)}, during: ${running.join(', ') || 'no test'}`);
    console.log('\n0 passed, 1 failed');
    process.exit(1);
  }, longestRun).unref();
}

function minutesSince(begin: number): string {
  const seconds = Math.round((Date.now() - begin) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Prints the closing lines. In CI, everything is installed, so a skipped test counts as not run. */
function finish({ result, flaky, lines }: Outcome, wanted: Wanted, { begin, atStart }: Begin): void {
  const counts = countsOf(result);
  const failed = counts.failed > 0 || (process.env['CI'] === 'true' && counts.skipped > 0);
  process.exitCode = failed ? 1 : 0;
  keepFlaky(flaky);
  console.log(['', ...lines].join('\n'));
  const [slowest] = [...wanted.durations].sort(([, one], [, other]) => other - one);
  const parts = [
    `slowness ${atStart.toFixed(1)} at the start, ${highestSlowness().toFixed(1)} at most`,
    minutesSince(begin),
    ...(slowest === undefined ? [] : [`slowest: ${slowest[0]} ${slowest[1]} s`]),
  ];
  console.log(parts.join('; '));
  console.log(`\n${summary(counts)}`);
}

interface Begin {
  readonly begin: number;
  /** How slow the machine was then. */
  readonly atStart: number;
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

void main();
