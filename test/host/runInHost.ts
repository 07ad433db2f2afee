import { bundleTests, type TestBundle } from './bundleTests';
import { listenForEvents } from './events/eventServer';
import { type ObservedResult, type ObservedRun, observeRun } from './events/observeRun';
import { evidenceKept, keepEvidence } from './evidence';
import { limit, noteOpening, slowness } from './limits';
import { findBrowser } from './install/browser';
import { installCodeServer } from './install/codeServer';
import { openWindow, type VsCodeWindow } from './vscode/openWindow';
import { type VsCodeOptions } from './vscode/options';
import { startVsCode, type VsCode } from './vscode/startVsCode';
import type { WindowHost } from './vscode/windowHost';
import { type WindowSetUp } from './vscode/windowHost';

export interface HostRunOptions extends WindowSetUp {
  /** For the name of the folder with evidence. */
  readonly name: string;
  readonly files: readonly string[];
  /** A regular expression that the full title of a test must match. */
  readonly grep?: string | undefined;
  /** For one test on the reference machine, in milliseconds. */
  readonly timeout?: number;
  /** How long no event may arrive beyond the limits of the tests, in milliseconds. */
  readonly silence?: number;
  readonly show: (line: string) => void;
}

/** Starts a VS Code and runs test files in its extension host. */
export async function runInHost(options: HostRunOptions & VsCodeOptions): Promise<ObservedResult> {
  // Downloads may take longer than the silence limit.
  await Promise.all([installCodeServer(options.version ?? 'newest'), findBrowser()]);
  return await runIn(() => startVsCode(options), options);
}

/** Runs test files in the extension host of a new window. */
export async function runInWindow(host: WindowHost, options: HostRunOptions): Promise<ObservedResult> {
  return await runIn(() => host.take(options), options);
}

/** Runs test files. A run without any test counts as a failure, and so does a window that doesn't open. */
async function runIn(getVsCode: () => Promise<VsCode>, options: HostRunOptions): Promise<ObservedResult> {
  const observed = observeRun({
    show: options.show,
    silence: options.silence ?? limit(60_000),
  });
  const begun = performance.now();
  const events = await listenForEvents((event) => {
    if (event.kind === 'begin') noteOpening('hostWindow', performance.now() - begun);
    observed.onEvent(event);
  });
  let bundle: TestBundle | undefined;
  try {
    const { files, grep, timeout = 45_000 } = options;
    bundle = await bundleTests({ files, grep, timeout, port: events.port, slowness: slowness() });
    const vscode = await getVsCode();
    try {
      const disconnected = events.disconnected.then(() => 'lost the connection to the tests');
      return await observeWindow(vscode, bundle.main, { options, observed, disconnected });
    } finally {
      await vscode.dispose();
    }
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    options.show(`  ✗ ${options.name}: ${problem}`);
    return observed.result(options.files, problem);
  } finally {
    observed.stop();
    await events.close();
    await bundle?.remove();
  }
}

interface Run {
  readonly options: HostRunOptions;
  readonly observed: ObservedRun;
  readonly disconnected: Promise<string>;
}

async function observeWindow(vscode: VsCode, tests: string, run: Run): Promise<ObservedResult> {
  const { options, observed, disconnected } = run;
  const window = await openWindow(vscode, { tests });
  try {
    const problem = await observed.problem([
      disconnected,
      window.testsEnded.then(() => 'the extension host ended'),
      vscode.ended.then(() => "VS Code's server ended"),
    ]);
    if (problem !== undefined) options.show(explain(`${options.name}: ${problem}`, vscode, window));
    const result = observed.result(options.files, problem);
    if (result.failures.length === 0) return result;
    const kept = keepEvidence(options.name);
    options.show(`    kept in ${kept ?? 'no folder'}`);
    await evidenceKept();
    return kept === undefined ? result : { ...result, failures: result.failures.map((one) => ({ ...one, kept })) };
  } finally {
    await window.close();
  }
}

function explain(problem: string, vscode: VsCode, window: VsCodeWindow): string {
  return [
    `  ✗ ${problem}`,
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
