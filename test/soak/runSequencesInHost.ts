import { join } from 'node:path';
import { projectFolder } from '../host/folders';
import { limit } from '../host/limits';
import { runToEnd } from '../host/processes';
import { runInHost } from '../host/runInHost';
import type { SeedResult } from './runSeeds';
import { listenForResults, type Sequences } from './sequenceChannel';
import type { StopSignal } from './stopSignal';

/** Built once per run, so that the whole run tests the same build. */
const build: { done?: Promise<unknown> } = {};

/** Runs sequences inside a real VS Code. If VS Code ends during a sequence, that sequence fails and the next ones run in a new VS Code. */
export async function runSequencesInHost(
  { name, first, count }: Sequences,
  onResult: (result: SeedResult) => void,
  stop: StopSignal,
): Promise<void> {
  build.done ??= runToEnd(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
  await build.done;
  const end = first + count;
  for (let next = first; next < end && !stop.isStopped();) {
    const run = await runWindow({ name, first: next, count: end - next }, onResult, stop);
    next += run.results;
    if (run.problem !== undefined && run.results > 0 && next < end) {
      onResult({ seed: next, problem: run.problem });
      next += 1;
    } else if (run.problem !== undefined || (run.results === 0 && !stop.isStopped())) {
      throw new Error(run.problem ?? 'No sequence ran.');
    }
  }
}

interface WindowRun {
  /** How many sequences finished. */
  readonly results: number;
  /** A problem with the run itself. */
  readonly problem: string | undefined;
}

const maxLines = 60;

async function runWindow(
  sequences: Sequences,
  onResult: (result: SeedResult) => void,
  stop: StopSignal,
): Promise<WindowRun> {
  const counted = { results: 0 };
  const lines: string[] = [];
  const server = await listenForResults(sequences, (result) => {
    counted.results += 1;
    onResult(result);
  });
  void stop.stopped.then(() => server.stop());
  try {
    const { failures } = await runInHost({
      name: 'soak',
      files: [join(__dirname, 'sequences.soak.ts')],
      extension: { folder: projectFolder },
      silence: limit(300_000),
      env: server.env,
      show: (line) => {
        lines.push(line);
        if (lines.length > maxLines) lines.shift();
      },
    });
    return { results: counted.results, problem: failures.length === 0 ? undefined : lines.join('\n') };
  } finally {
    await server.close();
  }
}
