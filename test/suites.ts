import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { longestFirst, timed } from './host/durations';
import { emptyResult, type RunResult } from './host/events/runRecord';
import { findTests } from './host/findTests';
import { projectFolder } from './host/folders';
import { runJobs, type Job, type Runner } from './host/runJobs';
import { findBrowser } from './host/install/browser';
import { installCodeServer, type VsCodeVersion } from './host/install/codeServer';
import { runToEnd } from './host/processes';
import { runInWindow } from './host/runInHost';
import { runOnDesktop } from './host/runOnDesktop';
import { TestProcess } from './host/testProcess';
import { findCodeCommand, programBehind } from './host/vscode/findDesktop';
import { WindowHost } from './host/vscode/windowHost';
import { runInWindows } from './host/windowRuns';

/** The options on the command line. */
export interface Wanted {
  /** A regular expression that the full title of a test must match. */
  readonly grep: string | undefined;
  /** Runs the shortest files first instead of the longest. */
  readonly reversed: boolean;
  /** Runs one job at a time, with nothing beside it, and all tests of a file even if one fails. */
  readonly alone?: boolean;
  /** Receives the duration of each file. */
  readonly durations: Map<string, number>;
}

/** A requirement that must be in the project's folder. */
type Need = keyof typeof preparations;

const preparations = {
  build: () => runToEnd(process.execPath, ['esbuild.mjs'], { cwd: projectFolder }),
  browser: findBrowser,
  newest: () => installCodeServer('newest'),
  minimum: () => installCodeServer('minimum'),
} as const satisfies Record<string, () => Promise<unknown>>;

/** Prepares each requirement of the suites once, one after another. */
export async function prepare(chosen: readonly Suite[]): Promise<void> {
  for (const need of new Set(chosen.flatMap(({ needs }) => needs))) await preparations[need]();
}

export interface Suite {
  readonly needs: readonly Need[];
  /** The npm script that runs only this suite. */
  readonly script: string;
  readonly jobs: () => Job[];
  run(jobs: readonly Job[], wanted: Wanted): Promise<RunResult>;
}

const show = (line: string): void => console.log(line);
const nameOf = (file: string): string => basename(file, '.test.ts');
const testsIn = (folder: string): string[] => findTests(join(__dirname, folder));

/** The path of a file below a folder, with slashes, because the names of jobs are stored in durations.json. */
const pathIn = (folder: string, file: string): string => relative(folder, file).replaceAll('\\', '/');

const filesIn = (folder: string) => (): Job[] =>
  testsIn(folder).map((file) => ({ name: pathIn(__dirname, file), files: [file] }));

/** The oldest VS Code has no dispatcher of its own for comparison. */
const newestOnly: readonly string[] = ['globalDispatcher'];

/** Tests whose results may depend on the version of VS Code's API: activation, views, prompts, storage, and saving. */
const engineDependent: readonly string[] = [
  'accessView',
  'agentTools',
  'applyEdits',
  'statAndList',
  'conformance',
  'editedFilesList',
  'extension',
  'goToFileFlow',
  'projectDrafts',
  'projectTools',
  'provider',
  'prompts',
  'redeployTaskFlow',
  'saves',
  'watchFolders',
];

/**
 * These files share a window, because opening one takes longer than most files. Each one cleans up after itself. Other
 * files have a separate window, because they test how a window starts or change what the others rely on.
 */
const sharedWindows: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    ...[
      'accessView',
      'environments',
      'environmentCommands',
      'protectedPrompt',
      'environmentPart',
      'environmentPartPrompts',
      'accountNotices',
      'lockedKeychain',
      'proposedApi',
      'signIn',
      'connections',
      'vsCodeNetworkPrompt',
      'canceledSignIn',
      'signedInAccount',
    ],
    ...['accounts', 'unlocking', 'accountCommands'],
  ],
  files: [
    'statAndList',
    'signedOutEditor',
    'linkCommands',
    'pathPrompt',
    'dragAndDropFlow',
    'entryRow',
    'sharedRows',
    'fileCommands',
    'clipboardCommands',
    'transferCommands',
    'statisticsText',
    'saves',
    'conflictCommands',
    'saveCommands',
    'saveNotice',
    'unlistedFiles',
    'fileQueue',
    'watchFolders',
  ],
  trees: [
    'conformance',
    'localFolder',
    'hiddenFiles',
    'provider',
    'randomTrees',
    'text',
    'languageModes',
    'readOnlyFiles',
    'containerFolder',
    'unpackedArchives',
    'folderSearch',
  ],
  operations: [
    'saveFaults',
    'operations',
    'failureMessages',
    'batchOutcomes',
    'transferText',
    'plainText',
    'relativeTime',
    'textEdits',
    'toolText',
    'suggestionPrompt',
    'favorites',
    'mounts',
    'mountCommands',
    'mountInput',
    'mountsView',
  ],
  projects: [
    ...[
      'newProjectFlow',
      'projectLockPrompt',
      'saveSettingsFlow',
      'hookDocuments',
      'settingsPageFlow',
      'projectOperations',
      'projectDrafts',
      'prompts',
    ],
  ],
  redeploys: [
    ...['redeployFaults', 'redeployOperation', 'redeploys', 'redeployResultNotice'],
    'redeployPrompt',
    ...['refreshDeployedFiles', 'projectFolderPrompt', 'subversion', 'deployHistory', 'deploymentsView'],
    ...['projectStatusBar', 'rollBackFlow'],
  ],
  openRepositories: [
    ...['redeployFlow', 'redeployPreflight', 'redeployTaskFlow', 'deployedStates', 'nodeEditsAtRisk'],
    ...[
      'projectTools',
      'applyEdits',
      'editedFilesList',
      'checkDeployedFlow',
      'deployLogDocuments',
      'projects',
      'hookDraftNotice',
    ],
  ],
  search: [
    ...['findInFolder', 'replaceFlow', 'replaceInFiles', 'searchFolderPrompt', 'goToFlow', 'goToFileFlow'],
    ...['replaceCommands', 'appendCommands', 'commandTargets', 'wholeFileCommands'],
  ],
  services: [
    ...[
      'restartCommands',
      'versionCommands',
      'variableCommands',
      'variableConflicts',
      'logDocuments',
      'logSource',
      'logSpeed',
    ],
    ...['terminalCommands', 'taskProvider', 'taskTerminal', 'agentTools'],
  ],
  editors: [
    ...['readFile', 'binaryFileEditor', 'binaryFilePage', 'largeFiles', 'opaqueEdits', 'overwriteBackups'],
    ...['interruptedSavesCommands', 'uncertainSaves', 'mountProductionData', 'lostAnswers', 'unresolvedLayer'],
  ],
  signIns: [
    ...['tokenPrompts', 'accountStore', 'signInFlow', 'compatibilityStore', 'checkCompatibilityFlow'],
    ...['diagnosticsCommands', 'unreadableRecords'],
  ],
};

/**
 * Window tests of what people use first and most. `npm test` runs only these, because all window tests take half of the
 * time of all tests. CI runs all.
 */
const mainPaths: readonly string[] = [
  ...['access', 'favorites', 'firstTenMinutes', 'mounts', 'saving', 'signIn', 'terminal', 'tuneNginx'],
];

function mainPathJobs(): Job[] {
  assertPresent(mainPaths, testsIn('e2e'));
  return filesIn('e2e')().filter(({ name }) => mainPaths.includes(nameOf(name)));
}

function assertPresent(listed: readonly string[], present: readonly string[]): void {
  const names = present.map(nameOf);
  const unclear = listed.filter((name) => names.filter((other) => other === name).length !== 1);
  if (unclear.length > 0) throw new Error(`test/suites.ts must name exactly one file each: ${unclear.join(', ')}.`);
}

/** @param prefix the suite, because durations differ between VS Code versions */
function windows(prefix: string, isWanted: (name: string) => boolean = () => true): Job[] {
  const present = testsIn('integration');
  assertPresent([...newestOnly, ...engineDependent, ...Object.values(sharedWindows).flat()], present);
  const all = present.filter((file) => isWanted(nameOf(file)));
  const shared = Object.entries(sharedWindows).map(([name, names]) => ({
    name: `${prefix}/shared/${name}`,
    files: all.filter((file) => names.includes(nameOf(file))),
  }));
  const isShared = (file: string): boolean => shared.some(({ files }) => files.includes(file));
  const alone = all
    .filter((file) => !isShared(file))
    .map((file) => ({ name: `${prefix}/${pathIn(join(__dirname, 'integration'), file)}`, files: [file] }));
  return [...shared.filter(({ files }) => files.length > 0), ...alone];
}

const windowTests = {
  needs: ['build', 'browser', 'newest', 'minimum'],
  script: 'test:e2e',
  run: e2e,
} as const satisfies Omit<Suite, 'jobs'>;

export const suites: Readonly<Record<string, Suite>> = {
  unit: { needs: [], script: 'test:unit', jobs: filesIn('unit'), run: unit },
  integration: {
    needs: ['build', 'browser', 'newest'],
    script: 'test:integration',
    jobs: () => windows('integration'),
    run: (jobs, wanted) => integration('newest', jobs, wanted),
  },
  'integration:minimum': {
    needs: ['build', 'browser', 'minimum'],
    script: 'test:integration:minimum',
    jobs: () => windows('minimum', (name) => !newestOnly.includes(name)),
    run: (jobs, wanted) => integration('minimum', jobs, wanted),
  },
  'integration:engine': {
    needs: ['build', 'browser', 'minimum'],
    script: 'test:integration:minimum',
    jobs: () => windows('engine', (name) => engineDependent.includes(name)),
    run: (jobs, wanted) => integration('minimum', jobs, wanted),
  },
  e2e: { ...windowTests, jobs: filesIn('e2e') },
  'e2e:main': { ...windowTests, jobs: mainPathJobs },
  desktop: { needs: ['build'], script: 'test:desktop', jobs: () => windows('desktop'), run: desktop },
};

/** Unit tests often wait for disks, sockets, and VS Code's own processes. */
const atOnce = Math.min(4, availableParallelism());
/**
 * Windows often wait for their extension host or the platform, so one more than the number of processors keeps these
 * busy.
 */
const windowsAtOnce = Math.min(2, availableParallelism()) + 1;

function unit(jobs: readonly Job[], { grep, ...wanted }: Wanted): Promise<RunResult> {
  return inOrder(jobs, wanted, atOnce, () => new TestProcess({ name: 'unit', grep, timeout: 30_000, show }));
}

/** Runs the window tests. Those of a file share a window, so what follows a failure says little and takes long. */
function e2e(jobs: readonly Job[], { grep, ...wanted }: Wanted): Promise<RunResult> {
  const options = { name: 'e2e', grep, timeout: 150_000, bail: wanted.alone !== true, show };
  return inOrder(jobs, wanted, windowsAtOnce, () => new TestProcess(options));
}

/** Checks at the end of each run in a window that apply to the whole run. */
const ofEveryRun = join(__dirname, 'integration', 'support', 'everyRun.ts');

/** Runs each job in a new window. */
function integration(version: VsCodeVersion, jobs: readonly Job[], { grep, ...wanted }: Wanted): Promise<RunResult> {
  return inOrder(jobs, wanted, windowsAtOnce, () => {
    const host = new WindowHost(version);
    return {
      run: ({ name, files }) => {
        const options = { name: `${version}-${name}`, grep, show, extension: { folder: projectFolder } };
        return runInWindows({
          files,
          check: ofEveryRun,
          run: (some) => runInWindow(host, { ...options, files: some }),
        });
      },
      end: async () => {
        await host.dispose();
        return emptyResult;
      },
    };
  });
}

function inOrder(
  jobs: readonly Job[],
  { reversed, alone, durations }: Omit<Wanted, 'grep'>,
  count: number,
  runner: () => Runner,
): Promise<RunResult> {
  const ordered = longestFirst(jobs);
  const runners = Array.from({ length: alone === true ? 1 : count }, () => timed(runner(), durations));
  const backwards = [...ordered].reverse().map(({ name, files }) => ({ name, files: [...files].reverse() }));
  return runJobs(reversed ? backwards : ordered, runners);
}

function desktop(jobs: readonly Job[], { grep }: Wanted): Promise<RunResult> {
  const command = findCodeCommand();
  const executable = command === undefined ? undefined : programBehind(command);
  return runInWindows({
    files: jobs.flatMap(({ files }) => files),
    check: ofEveryRun,
    run: (files) => runOnDesktop({ files, grep, executable, show }),
  });
}
