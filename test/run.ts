import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepDurations } from './host/durations';
import { emptyResult, type RunResult, summary, total } from './host/events/runRecord';
import { failuresFolder } from './host/folders';
import { type Job } from './host/runJobs';
import { exitWhenAsked } from './host/leftovers';
import { repeatCommands } from './host/repeatCommands';
import { watchFiles } from './host/watchFiles';
import { prepare, type Suite, suites, type Wanted } from './suites';

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
  const run = (only: (file: string) => boolean): Promise<RunResult> => runSuites(chosen, wanted, only);
  if (values.watch) {
    const files = chosen.flatMap(([, { jobs }]) => jobs().flatMap((job) => job.files));
    await watchFiles(
      files.filter((file) => filters.length === 0 || isWanted(file)),
      run,
    );
  } else {
    finish(await run((file) => filters.length === 0 || isWanted(file)));
    if (values.record)
      keepDurations(
        wanted.durations,
        Object.values(suites).flatMap(({ jobs }) => jobs()),
      );
  }
}

type Chosen = readonly (readonly [string, Suite])[];

async function runSuites(chosen: Chosen, wanted: Wanted, only: (file: string) => boolean): Promise<RunResult> {
  // Runs in parallel with suites that don't need it, because it mostly waits for downloads on a new machine.
  const ready = prepare(chosen.map(([, suite]) => suite));
  // The first suite that needs it reports the failure.
  ready.catch(() => undefined);
  const all: RunResult[] = [];
  for (const [name, suite] of chosen) {
    const jobs = suite.jobs().map((job) => ({ ...job, files: job.files.filter(only) }));
    all.push(await runSuite(name, suite, { jobs: jobs.filter(({ files }) => files.length > 0), wanted, ready }));
  }
  return total(all);
}

interface SuiteRun {
  readonly jobs: readonly Job[];
  readonly wanted: Wanted;
  readonly ready: Promise<void>;
}

async function runSuite(name: string, suite: Suite, { jobs, wanted, ready }: SuiteRun): Promise<RunResult> {
  console.log(`\n${name}`);
  const begin = Date.now();
  const prepared = suite.needs.length === 0 ? Promise.resolve() : ready;
  const result = await prepared
    .then(() => suite.run(jobs, wanted))
    .catch((error: unknown) => {
      console.log(
        `  ✗ ${name} did not run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return { ...emptyResult, counts: { ...emptyResult.counts, failed: 1 } };
    });
  const { passed, failed, skipped } = result.counts;
  const none = passed + failed + skipped === 0;
  if (none) console.log(`  ✗ ${name}: no test was found`);
  console.log(`  ${summary(result.counts)} in ${Math.round((Date.now() - begin) / 1000)} s`);
  for (const command of repeatCommands(suite.script, result.failures)) console.log(`  repeat with: ${command}`);
  return none ? { ...result, counts: { ...result.counts, failed: 1 } } : result;
}

/** In CI, everything is installed, so a skipped test counts as not run. */
function finish({ counts }: RunResult): void {
  const failed = counts.failed > 0 || (process.env['CI'] === 'true' && counts.skipped > 0);
  process.exitCode = failed ? 1 : 0;
  console.log(`\n${summary(counts)}`);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

void main();
