import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleTests } from './bundleTests';
import { type ObservedRun, observeRun, withProblem } from './events/observeRun';
import { type Counts } from './events/runRecord';
import { evidenceKept, keepEvidence } from './evidence';
import { cacheFolder } from './folders';
import { findBrowser } from './install/browser';
import { installCodeServer } from './install/codeServer';
import { tellTestRun } from './inside/testRun';
import { openWindow, type VsCodeWindow } from './vscode/openWindow';
import { type VsCodeOptions } from './vscode/options';
import { startVsCode, type VsCode } from './vscode/startVsCode';

export interface HostRunOptions extends VsCodeOptions {
  /** For the folder that keeps what a failure leaves. */
  readonly name: string;
  readonly files: readonly string[];
  readonly grep?: string | undefined;
  /** For one test, in milliseconds. */
  readonly timeout?: number;
  /** How long nothing may be heard of the tests, in milliseconds. */
  readonly silence?: number;
  readonly show: (line: string) => void;
}

/** Runs test files inside the extension host of a real VS Code and answers what came of each; no test at all counts as a failure. */
export async function runInHost(options: HostRunOptions): Promise<Counts> {
  // Inside the project, because the bundled tests find mocha from there.
  const bundleFolder = join(cacheFolder, 'tests', `${options.name.replaceAll('/', '-')}-${process.pid}`);
  try {
    const bundle = await bundleTests(options.files, bundleFolder);
    // Downloads may take longer than tests may be silent.
    await Promise.all([installCodeServer(options.version ?? 'newest'), findBrowser()]);
    const observed = await observeRun({
      show: options.show,
      silence: options.silence ?? 90_000,
      mayBeEmpty: options.grep !== undefined,
    });
    const run = tellTestRun({ files: bundle.files, grep: options.grep, timeout: options.timeout ?? 40_000 });
    try {
      const vscode = await startVsCode({ ...options, env: { ...options.env, ...observed.env, ...run } });
      try {
        return await runInWindow(vscode, bundle.entry, { options, observed });
      } finally {
        await vscode.dispose();
      }
    } finally {
      await observed.close();
    }
  } finally {
    await rm(bundleFolder, { recursive: true, force: true });
  }
}

interface Run {
  readonly options: HostRunOptions;
  readonly observed: ObservedRun;
}

async function runInWindow(vscode: VsCode, tests: string, { options, observed }: Run): Promise<Counts> {
  const window = await openWindow(vscode, { tests });
  try {
    const problem = await observed.problem([
      window.testsEnded.then(() => 'the extension host ended'),
      vscode.ended.then(() => "VS Code's server ended"),
    ]);
    if (problem !== undefined) options.show(explain(`${options.name}: ${problem}`, vscode, window));
    const counts = withProblem(observed.counts(), problem);
    if (counts.failed > 0) {
      options.show(`    kept in ${keepEvidence(options.name) ?? 'no folder'}`);
      await evidenceKept();
    }
    return counts;
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
