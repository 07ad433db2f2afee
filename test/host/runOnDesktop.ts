import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestOptions } from '@vscode/test-electron/out/runTest';
import { bundleTests } from './bundleTests';
import { observeRun, withProblem } from './events/observeRun';
import { type Counts } from './events/runRecord';
import { cacheFolder, projectFolder, scratchFolder } from './folders';
import { tellTestRun, type TestRun } from './inside/testRun';
import { ending, endGroup, lastLines, spawnGroup } from './processes';
import { cleanEnvironment } from './vscode/environment';
import { writeDesktopSettings } from './vscode/state';

export interface DesktopRunOptions extends Omit<TestRun, 'timeout'> {
  /** The program of an installed VS Code; without it the vendor's current one is downloaded into the cache. */
  readonly executable?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly show: (line: string) => void;
}

/** Runs test files inside the extension host of a desktop VS Code. */
export async function runOnDesktop(options: DesktopRunOptions): Promise<Counts> {
  const bundleFolder = join(cacheFolder, 'tests', `desktop-${process.pid}`);
  const state = scratchFolder('desktop');
  const observed = await observeRun({ show: options.show, silence: 120_000, mayBeEmpty: options.grep !== undefined });
  try {
    const bundle = await bundleTests(options.files, bundleFolder);
    await writeDesktopSettings(join(state, 'user'), {});
    const run = tellTestRun({ files: bundle.files, grep: options.grep, timeout: 40_000 });
    const launch: TestOptions = {
      ...(options.executable === undefined ? {} : { vscodeExecutablePath: options.executable }),
      cachePath: join(cacheFolder, 'desktop'),
      extensionDevelopmentPath: projectFolder,
      extensionTestsPath: bundle.entry,
      extensionTestsEnv: { ...options.env, ...observed.env, ...run },
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
      const problem = await observed.problem([ending(child, 'exit').then((how) => `VS Code ended with ${how}`)]);
      if (problem !== undefined) {
        options.show(
          [`  ✗ desktop: ${problem}`, '    it printed last:', ...printed().map((line) => `      ${line}`)].join('\n'),
        );
      }
      return withProblem(observed.counts(), problem);
    } finally {
      await endGroup(child);
    }
  } finally {
    await observed.close();
    await rm(bundleFolder, { recursive: true, force: true });
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
    // Chromium refuses its sandbox to root, as which containers often run.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
