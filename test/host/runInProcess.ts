import { join } from 'node:path';
import { listenForEvents } from './events/eventServer';
import { type Counts, recordRun, type RunRecord } from './events/runRecord';
import { projectFolder } from './folders';
import { tellTestRun, type TestRun } from './inside/testRun';
import { ending, endGroup, spawnGroup } from './processes';
import { silenceWatch } from './silenceWatch';

/** Runs test files with mocha in a Node process of their own. */
export async function runInProcess(name: string, run: TestRun, show: (line: string) => void): Promise<Counts> {
  const record = recordRun(show);
  const watch = silenceWatch(run.timeout * 2 + 60_000);
  const events = await listenForEvents((event) => {
    watch.heard();
    record.hear(event);
  });
  const child = spawnGroup(
    process.execPath,
    ['--enable-source-maps', '--import', 'tsx', join(__dirname, 'inside', 'mochaProcess.ts')],
    {
      cwd: projectFolder,
      env: { ...process.env, ...events.env, ...tellTestRun(run) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  try {
    const how = await Promise.race([ending(child, 'exit'), watch.silent.then(() => 'silent' as const)]);
    if (how !== 'silent') await Promise.race([events.disconnected, watch.silent]);
    const problem = problemOf(how, record);
    const counts = record.counts();
    if (problem === undefined) return counts;
    show(`  ✗ ${name}: ${problem}`);
    return { ...counts, failed: counts.failed + 1 };
  } finally {
    watch.stop();
    await endGroup(child);
    await events.close();
  }
}

function problemOf(how: number | string, record: RunRecord): string | undefined {
  const { passed, failed, skipped } = record.counts();
  const during = record.running() === undefined ? '' : `, during: ${record.running()}`;
  if (how === 'silent') return `nothing was heard of the tests any more${during}`;
  if (!record.ended()) return `the process ended with ${how} before the tests did${during}`;
  if (passed + failed + skipped === 0) return 'no test was found';
  return how === 0 || failed > 0 ? undefined : `the process ended with ${how} after the tests`;
}
