import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestOptions } from '@vscode/test-electron/out/runTest';
import { bundleTests, type TestBundle } from './bundleTests';
import { listenForEvents } from './events/eventServer';
import { type ObservedResult, observeRun } from './events/observeRun';
import { cacheFolder, projectFolder, scratchFolder } from './folders';
import { limit, slowness } from './limits';
import { type TestRun } from './inside/testRun';
import { ending, endGroup, lastLines, spawnGroup } from './processes';
import { cleanEnvironment } from './vscode/environment';
import { writeDesktopSettings } from './vscode/state';
import { onlyInTests } from './vscode/testSettings';

export interface DesktopRunOptions extends Omit<TestRun, 'timeout'> {
  /** The executable of an installed VS Code. By default, the current version is downloaded into the cache. */
  readonly executable?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly show: (line: string) => void;
}

/** Runs test files inside the extension host of a desktop VS Code. */
export async function runOnDesktop(options: DesktopRunOptions): Promise<ObservedResult> {
  const state = scratchFolder('desktop');
  const observed = observeRun({ show: options.show, silence: limit(90_000) });
  const events = await listenForEvents((event) => observed.onEvent(event));
  let bundle: TestBundle | undefined;
  try {
    const { files, grep } = options;
    bundle = await bundleTests({ files, grep, timeout: 30_000, port: events.port, slowness: slowness() });
    await writeDesktopSettings(join(state, 'user'), onlyInTests);
    const launch: TestOptions = {
      ...(options.executable === undefined ? {} : { vscodeExecutablePath: options.executable }),
      cachePath: join(cacheFolder, 'desktop'),
      extensionDevelopmentPath: projectFolder,
      extensionTestsPath: bundle.main,
      extensionTestsEnv: { ...options.env },
      launchArgs: launchArguments(state),
    };
    const starter = ['--import', 'tsx', join(__dirname, 'inside', 'desktopProcess.ts'), JSON.stringify(launch)];
    const child = spawnGroup(process.execPath, starter, {
      cwd: projectFolder,
      env: cleanEnvironment({}),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = lastLines(child, 30);
    try {
      const problem = await observed.problem([
        events.disconnected.then(() => 'lost the connection to the tests'),
        ending(child, 'exit').then((how) => `VS Code ended with ${how}`),
      ]);
      if (problem !== undefined) {
        options.show(
          [`  ✗ desktop: ${problem}`, '    it printed last:', ...printed().map((line) => `      ${line}`)].join('\n'),
        );
      }
      return observed.result(files, problem);
    } finally {
      await endGroup(child);
    }
  } finally {
    observed.stop();
    await events.close();
    await bundle?.remove();
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
  }
}

function launchArguments(state: string): string[] {
  return [
    `--user-data-dir=${join(state, 'user')}`,
    `--extensions-dir=${join(state, 'extensions')}`,
    '--disable-workspace-trust',
    '--disable-extensions',
    '--skip-welcome',
    '--skip-release-notes',
    // Chromium's sandbox doesn't work for root, and containers often run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
