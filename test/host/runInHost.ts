import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleTests } from './bundleTests';
import { listenForEvents } from './events/eventServer';
import { type Counts, recordRun, type RunRecord } from './events/runRecord';
import { cacheFolder } from './folders';
import { keepEvidence, evidenceKept } from './evidence';
import { tellTestRun } from './inside/testRun';
import { silenceWatch, type SilenceWatch } from './silenceWatch';
import { startVsCode, type VsCode, type VsCodeOptions } from './vscode/startVsCode';
import { openWindow, type VsCodeWindow } from './vscode/openWindow';

export interface HostRunOptions extends VsCodeOptions {
  /** For the folder that keeps what a failure leaves. */
  readonly name: string;
  readonly files: readonly string[];
  readonly grep?: string | undefined;
  /** How long nothing may be heard of the tests, in milliseconds. */
  readonly silence?: number;
  readonly show?: (line: string) => void;
}

/** Runs test files inside the extension host of a real VS Code and answers what came of each; no test at all counts as a failure. */
export async function runInHost(options: HostRunOptions): Promise<Counts> {
  const show = options.show ?? ((line: string) => console.log(line));
  // Inside the project, because the bundled tests find mocha from there.
  const bundleFolder = join(cacheFolder, 'tests', `${options.name}-${process.pid}`);
  const record = recordRun(show);
  const watch = silenceWatch(options.silence ?? 90_000);
  const events = await listenForEvents((event) => {
    watch.heard();
    record.hear(event);
  });
  try {
    const bundle = await bundleTests(options.files, bundleFolder);
    const vscode = await startVsCode({
      ...options,
      env: {
        ...options.env,
        ...events.env,
        ...tellTestRun({ files: bundle.files, grep: options.grep, timeout: 20_000 }),
      },
    });
    try {
      return await runInWindow(vscode, bundle.entry, {
        options,
        record,
        watch,
        disconnected: events.disconnected,
        show,
      });
    } finally {
      await vscode.dispose();
    }
  } finally {
    watch.stop();
    await events.close();
    await rm(bundleFolder, { recursive: true, force: true });
  }
}

interface Run {
  readonly options: HostRunOptions;
  readonly record: RunRecord;
  readonly watch: SilenceWatch;
  readonly disconnected: Promise<void>;
  readonly show: (line: string) => void;
}

async function runInWindow(vscode: VsCode, tests: string, run: Run): Promise<Counts> {
  const window = await openWindow(vscode, { tests });
  try {
    const ending = await Promise.race([
      run.disconnected.then(() => 'disconnected' as const),
      window.testsEnded.then(() => 'exited' as const),
      vscode.ended.then(() => 'server ended' as const),
      run.watch.silent.then(() => 'silent' as const),
    ]);
    // The exit is heard from the window, the results from the extension host: the last of them may still be on their way.
    if (ending === 'exited') await Promise.race([run.disconnected, run.watch.silent]);
    const problem = problemOf(ending, run);
    const counts = run.record.counts();
    if (problem === undefined && counts.failed === 0) return counts;
    if (problem !== undefined) run.show(explain(problem, run, vscode, window));
    const folder = keepEvidence(run.options.name);
    await evidenceKept();
    if (folder !== undefined) run.show(`    kept in ${folder}`);
    return { ...counts, failed: counts.failed + (problem === undefined ? 0 : 1) };
  } finally {
    await window.close();
  }
}

function problemOf(ending: 'disconnected' | 'exited' | 'server ended' | 'silent', { record }: Run): string | undefined {
  const { passed, failed, skipped } = record.counts();
  if (record.ended()) return passed + failed + skipped === 0 ? 'no test was found' : undefined;
  switch (ending) {
    case 'silent':
      return 'nothing was heard of the tests any more';
    case 'server ended':
      return "VS Code's server ended before the tests did";
    case 'disconnected':
    case 'exited':
      return 'the extension host ended before the tests did';
  }
}

function explain(problem: string, { record, options }: Run, vscode: VsCode, window: VsCodeWindow): string {
  const during = record.running();
  return [
    `  ✗ ${options.name}: ${problem}${during === undefined ? '' : `, during: ${during}`}`,
    '    the window printed last:',
    ...window.console.slice(-15).map((line) => `      ${line}`),
    '    the server printed last:',
    ...vscode
      .output()
      .split('\n')
      .slice(-10)
      .map((line) => `      ${line}`),
  ].join('\n');
}
