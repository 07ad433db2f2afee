import { join } from 'node:path';
import { observeRun, withProblem } from './events/observeRun';
import { type Counts } from './events/runRecord';
import { projectFolder } from './folders';
import { tellTestRun, type TestRun } from './inside/testRun';
import { ending, endGroup, spawnGroup } from './processes';

export interface ProcessRunOptions extends TestRun {
  readonly name: string;
  readonly show: (line: string) => void;
  readonly silence?: number;
}

/** Runs test files with mocha in a Node process of their own. */
export async function runInProcess({ name, show, silence, ...run }: ProcessRunOptions): Promise<Counts> {
  const observed = await observeRun({
    show,
    silence: silence ?? run.timeout * 2 + 60_000,
    mayBeEmpty: run.grep !== undefined,
  });
  const child = spawnGroup(
    process.execPath,
    ['--enable-source-maps', '--import', 'tsx', join(__dirname, 'inside', 'mochaProcess.ts')],
    {
      cwd: projectFolder,
      env: { ...process.env, ...observed.env, ...tellTestRun(run) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = ending(child, 'exit').then((how) => ({ how, text: `the process ended with ${how}` }));
  try {
    const problem =
      (await observed.problem([ended.then(({ text }) => text)])) ?? (await lateProblem(ended, observed.counts()));
    if (problem !== undefined) show(`  ✗ ${name}: ${problem}`);
    return withProblem(observed.counts(), problem);
  } finally {
    await endGroup(child);
    await observed.close();
  }
}

/** Whether it went wrong after the last test, for a reason that no test told. */
async function lateProblem(
  ended: Promise<{ how: number | string; text: string }>,
  counts: Counts,
): Promise<string | undefined> {
  const { how, text } = await ended;
  return how === 0 || counts.failed > 0 ? undefined : `${text} after the last test`;
}
