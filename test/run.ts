import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Counts, summary, total } from './host/events/runRecord';
import { failuresFolder } from './host/folders';
import { exitWhenAsked } from './host/leftovers';
import { prepare, type Suite, suites, type Wanted } from './suites';

/** `run.ts SUITE... [--grep TEXT] [PART OF A FILE'S PATH...]` */
async function main(): Promise<void> {
  exitWhenAsked();
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
  const chosen = positionals.flatMap((name) => Object.entries(suites).filter(([suite]) => suite === name));
  const wanted = { grep: values.grep, filters: positionals.filter((name) => !(name in suites)) };
  if (chosen.length === 0) {
    console.error(`Name a suite to run: ${Object.keys(suites).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  await rm(failuresFolder, { recursive: true, force: true });
  // Goes on while suites run that need none of it: on an empty machine most of it is waiting for downloads.
  const ready = prepare(chosen.map(([, suite]) => suite));
  // A failure is told by the first suite that needs what could not be had.
  ready.catch(() => undefined);
  const all: Counts[] = [];
  for (const [name, suite] of chosen) all.push(await runSuite(name, suite, { wanted, ready }));
  finish(total(all));
}

interface SuiteRun {
  readonly wanted: Wanted;
  readonly ready: Promise<void>;
}

async function runSuite(name: string, suite: Suite, { wanted, ready }: SuiteRun): Promise<Counts> {
  console.log(`\n${name}`);
  const begin = Date.now();
  const prepared = suite.needs.length === 0 ? Promise.resolve() : ready;
  const counts = await prepared
    .then(() => suite.run(wanted))
    .catch((error: unknown) => {
      console.log(
        `  ✗ ${name} did not run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return { passed: 0, failed: 1, skipped: 0 };
    });
  const none = counts.passed + counts.failed + counts.skipped === 0;
  if (none) console.log(`  ✗ ${name}: no test was found`);
  console.log(`  ${summary(counts)} in ${Math.round((Date.now() - begin) / 1000)} s`);
  return none ? { ...counts, failed: 1 } : counts;
}

/** Where everything has to be there, a test that was skipped has not been run. */
function finish(counts: Counts): void {
  const failed = counts.failed > 0 || (process.env['CI'] === 'true' && counts.skipped > 0);
  process.exitCode = failed ? 1 : 0;
  console.log(`\n${summary(counts)}`);
}

void main();
