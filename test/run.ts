import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedWindowTests } from './host/changedTests';
import { keepDurations } from './host/durations';
import { failuresFolder, projectFolder } from './host/folders';
import { exitWhenAsked } from './host/leftovers';
import { measureSlowness, passOnSlowness } from './host/limits';
import { runAll, runAndReport, type SuiteRun } from './host/runAll';
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
  // Before anything else runs.
  passOnSlowness(measureSlowness());
  // Runs in parallel with suites that don't need it, because it mostly waits for downloads on a new machine.
  const ready = prepare(chosen.map(([, suite]) => suite));
  // The first suite that needs it reports the failure.
  ready.catch(() => undefined);
  if (values.watch) {
    const run = (only: (file: string) => boolean): Promise<unknown> =>
      runAll(runsOf(chosen, only), { wanted, ready, runsAgain: false });
    const files = chosen.flatMap(([, { jobs }]) => jobs().flatMap((job) => job.files));
    await watchFiles(
      files.filter((file) => filters.length === 0 || isWanted(file)),
      run,
    );
  } else {
    const runsAgain = filters.length === 0 && values.grep === undefined;
    const changed = process.env['CI'] === 'true' ? changedWindowTests(projectFolder) : { files: [] };
    const only = (file: string): boolean => filters.length === 0 || isWanted(file);
    await runAndReport(runsOf(chosen, only), { wanted, ready, runsAgain, changed });
    if (values.record)
      keepDurations(
        wanted.durations,
        Object.values(suites).flatMap(({ jobs }) => jobs()),
      );
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
