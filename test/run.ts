import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Counts, summary, total } from './host/events/runRecord';
import { failuresFolder, projectFolder } from './host/folders';
import { findTests } from './host/findTests';
import { exitOnSignals } from './host/leftovers';
import { runToEnd } from './host/processes';
import { runInHost } from './host/runInHost';
import { runInProcess } from './host/runInProcess';

/** What a person asked for on the command line. */
interface Wanted {
  readonly grep: string | undefined;
  readonly filters: readonly string[];
}

interface Suite {
  readonly needsBuild: boolean;
  run(wanted: Wanted): Promise<Counts>;
}

const show = (line: string): void => console.log(line);
const testsIn = (folder: string, { filters }: Wanted): string[] => findTests(join(__dirname, folder), filters);
const extension = { folder: projectFolder };

const suites: Readonly<Record<string, Suite>> = {
  unit: {
    needsBuild: false,
    run: (wanted) => runInProcess('unit', { files: testsIn('unit', wanted), grep: wanted.grep, timeout: 10_000 }, show),
  },
  integration: {
    needsBuild: true,
    run: (wanted) =>
      runInHost({
        name: 'integration',
        version: 'newest',
        extension,
        files: testsIn('integration', wanted),
        grep: wanted.grep,
      }),
  },
  'integration:minimum': {
    needsBuild: true,
    run: (wanted) =>
      runInHost({
        name: 'integration-minimum',
        version: 'minimum',
        extension,
        files: testsIn('integration', wanted),
        grep: wanted.grep,
      }),
  },
  e2e: {
    needsBuild: true,
    run: (wanted) => runInProcess('e2e', { files: testsIn('e2e', wanted), grep: wanted.grep, timeout: 90_000 }, show),
  },
};

/** `run.ts SUITE... [--grep TEXT] [PART OF A FILE'S PATH...]` */
async function main(): Promise<void> {
  exitOnSignals();
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
  const chosen = positionals.flatMap((name) => Object.entries(suites).filter(([suite]) => suite === name));
  const wanted = { grep: values.grep, filters: positionals.filter((name) => !(name in suites)) };
  if (chosen.length === 0) throw new Error(`Name a suite to run: ${Object.keys(suites).join(', ')}.`);

  await rm(failuresFolder, { recursive: true, force: true });
  if (chosen.some(([, suite]) => suite.needsBuild))
    await runToEnd(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
  const all: Counts[] = [];
  for (const [name, suite] of chosen) {
    show(`\n${name}`);
    const counts = await suite.run(wanted).catch((error: unknown) => {
      show(`  ✗ ${name} did not run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return { passed: 0, failed: 1, skipped: 0 };
    });
    show(`  ${summary(counts)}`);
    all.push(counts);
  }
  finish(total(all));
}

/** Where everything has to be there, a test that was skipped has not been run. */
function finish(counts: Counts): void {
  const failed = counts.failed > 0 || (process.env['CI'] === 'true' && counts.skipped > 0);
  process.exitCode = failed ? 1 : 0;
  show(`\n${summary(counts)}`);
}

void main();
