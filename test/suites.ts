import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { type Counts, total } from './host/events/runRecord';
import { findTests } from './host/findTests';
import { projectFolder } from './host/folders';
import { findBrowser } from './host/install/browser';
import { installCodeServer, type VsCodeVersion } from './host/install/codeServer';
import { runToEnd } from './host/processes';
import { runInHost } from './host/runInHost';
import { runInProcess } from './host/runInProcess';
import { runOnDesktop } from './host/runOnDesktop';
import { findCodeCommand, programBehind } from './host/vscode/findDesktop';

/** What a person asked for on the command line. */
export interface Wanted {
  readonly grep: string | undefined;
  /** Parts of the paths of the files to run; all run without one. */
  readonly filters: readonly string[];
}

/** What a suite has to find in the project's folder. */
type Need = keyof typeof preparations;

const preparations = {
  build: () => runToEnd(process.execPath, ['esbuild.mjs'], { cwd: projectFolder }),
  browser: findBrowser,
  newest: () => installCodeServer('newest'),
  minimum: () => installCodeServer('minimum'),
} as const satisfies Record<string, () => Promise<unknown>>;

/** One after the other, each once. */
export async function prepare(chosen: readonly Suite[]): Promise<void> {
  for (const need of new Set(chosen.flatMap(({ needs }) => needs))) await preparations[need]();
}

export interface Suite {
  readonly needs: readonly Need[];
  run(wanted: Wanted): Promise<Counts>;
}

const show = (line: string): void => console.log(line);
const testsIn = (folder: string, { filters }: Wanted): string[] => findTests(join(__dirname, folder), filters);

export const suites: Readonly<Record<string, Suite>> = {
  unit: { needs: [], run: unit },
  integration: { needs: ['build', 'browser', 'newest'], run: (wanted) => integration('newest', wanted) },
  'integration:minimum': { needs: ['build', 'browser', 'minimum'], run: (wanted) => integration('minimum', wanted) },
  e2e: {
    needs: ['build', 'browser', 'newest'],
    run: e2e,
  },
  desktop: {
    needs: ['build'],
    run: (wanted) => {
      const command = findCodeCommand();
      const executable = command === undefined ? undefined : programBehind(command);
      return runOnDesktop({
        files: [...testsIn('integration', wanted), ofEveryRun],
        grep: wanted.grep,
        executable,
        show,
      });
    },
  },
};

/** Dealt out to a few processes: much of what these tests do is to wait for each other's disks and sockets. */
async function unit(wanted: Wanted): Promise<Counts> {
  const hands: string[][] = Array.from({ length: Math.min(4, availableParallelism()) }, () => []);
  for (const [index, file] of testsIn('unit', wanted).entries()) hands[index % hands.length]?.push(file);
  const dealt = hands.filter((files, index) => files.length > 0 || index === 0);
  const counts = dealt.map((files) => runInProcess({ name: 'unit', files, grep: wanted.grep, timeout: 40_000, show }));
  return total(await Promise.all(counts));
}

/** Ends each run with what has to hold for all of it. */
const ofEveryRun = join(__dirname, 'integration', 'support', 'everyRun.ts');

/** The oldest VS Code sets no dispatcher of its own to compare with. */
const newestOnly: readonly string[] = ['processWideSlots'];

/**
 * Each file has a fresh VS Code of its own. They count requests, and whatever one file leaves listening or open in a
 * window that they shared would be counted by the next.
 */
function integration(version: VsCodeVersion, wanted: Wanted): Promise<Counts> {
  const files = testsIn('integration', wanted).filter(
    (file) => version === 'newest' || !newestOnly.includes(basename(file, '.test.ts')),
  );
  return handedOut(files, (file) =>
    runInHost({
      ...{ name: ['integration', version, basename(file, '.test.ts')].join('-'), version, grep: wanted.grep, show },
      extension: { folder: projectFolder },
      files: [file, ofEveryRun],
    }),
  );
}

/** Through the window: each file in a process of its own. */
function e2e(wanted: Wanted): Promise<Counts> {
  return handedOut(testsIn('e2e', wanted), (file) =>
    runInProcess({ name: 'e2e', files: [file], grep: wanted.grep, timeout: 180_000, show }),
  );
}

/** Much of what a VS Code does is to wait for its own processes, so two of them take little longer than one. */
const vsCodesAtOnce = 2;

/** Whoever is done takes the next file. */
async function handedOut(files: readonly string[], run: (file: string) => Promise<Counts>): Promise<Counts> {
  const waiting = files.values();
  const hands = Array.from({ length: Math.min(vsCodesAtOnce, availableParallelism()) }, async () => {
    const all: Counts[] = [];
    for (const file of waiting) all.push(await run(file));
    return total(all);
  });
  return total(await Promise.all(hands));
}
