import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { emptyResult, failedFile, type RunResult } from './host/events/runRecord';
import { findTests } from './host/findTests';
import { projectFolder } from './host/folders';
import { type Job, type Runner } from './host/runJobs';
import { findBrowser } from './host/install/browser';
import { installCodeServer, type VsCodeVersion } from './host/install/codeServer';
import { runToEnd } from './host/processes';
import { runInWindow } from './host/runInHost';
import { runOnDesktop } from './host/runOnDesktop';
import { isNightly } from './host/nightly';
import { TestProcess } from './host/testProcess';
import { findCodeCommand, programBehind } from './host/vscode/findDesktop';
import { plainEditors } from './host/vscode/testSettings';
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
export async function prepare(chosen: readonly Pick<Suite, 'needs'>[]): Promise<void> {
  for (const need of new Set(chosen.flatMap(({ needs }) => needs))) await preparations[need]();
}

export interface Suite {
  readonly needs: readonly Need[];
  /** The npm script that runs only this suite. */
  readonly script: string;
  /** Suites of the same stage share a queue. The stages run one after another. */
  readonly stage: Stage;
  readonly jobs: () => Job[];
  runner(wanted: Wanted): Runner;
}

export type Stage = keyof typeof atOnce;

/**
 * How many jobs of a stage run at once. Unit tests often wait for disks, sockets, time limits, and VS Code's own processes,
 * so two for each processor. Windows often wait for their extension host or the platform, so one more than the number of
 * processors keeps these busy.
 */
export const atOnce = {
  unit: Math.min(4, 2 * availableParallelism()),
  windows: Math.min(2, availableParallelism()) + 1,
  desktop: 1,
} as const;

const show = (line: string): void => console.log(line);
const nameOf = (file: string): string => basename(file, '.test.ts');
const testsIn = (folder: string): string[] => findTests(join(__dirname, folder));

/** The path of a file below a folder, with slashes, because the names of jobs are stored in durations.json. */
const pathIn = (folder: string, file: string): string => relative(folder, file).replaceAll('\\', '/');

const filesIn = (folder: string) => (): Job[] =>
  testsIn(folder).map((file) => ({ name: pathIn(__dirname, file), files: [file] }));

/**
 * The oldest VS Code has no dispatcher of its own for comparison, and its server is installed without what starts programs in
 * terminals.
 */
const newestOnly: readonly string[] = ['globalDispatcher', 'sshTerminalNotice'];

/**
 * Tests whose results may depend on the version of VS Code's API: activation, views, prompts, storage, saving, tools, and
 * its Git extension. Of several that use the same part of it, one.
 */
const engineDependent: readonly string[] = [
  'accessView',
  'agentTools',
  'statAndList',
  'editedFilesList',
  'extension',
  'goToFile',
  'prompts',
  'redeployTaskFlow',
  'saves',
  'watchFolders',
];

/**
 * These files share a window, because opening one takes longer than most files. Each one cleans up after itself. Other
 * files have a separate window, because they test how a window starts (extension, loadFeaturesInUse, globalDispatcher) or
 * change what the others rely on (requestCounts). `commandSituations` and `viewRows` run every command and list every row,
 * and their results may not depend on what another file left. `lazy` and `lazyAuthentication` sound as if they did, too, but
 * they build what they test themselves, and put back what they replace; `command` only counts requests of its own account.
 */
const sharedWindows: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    'accessView',
    'environments',
    'environmentCommands',
    'protectedPrompt',
    'environmentPart',
    'environmentPartPrompts',
    'accountNotices',
    'lockedKeychain',
    'proposedApi',
    'connections',
    'vsCodeNetworkPrompt',
    'canceledSignIn',
    'signedInAccount',
    'limitedToken',
    'accounts',
    'unlocking',
    'accountCommands',
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
    'saves',
    'conflictCommands',
    'saveCommands',
    'saveNotice',
    'unlistedFiles',
    'fileQueue',
    'watchFolders',
    'productionQuestions',
    'shownFolders',
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
    'everyView',
  ],
  projects: [
    'newProjectFlow',
    'projectLock',
    'saveSettingsFlow',
    'hookDocuments',
    'nodeHooks',
    'fieldChanges',
    'fieldChecks',
    'settingsPageFlow',
    'projectOperations',
    'projectDrafts',
    'prompts',
    'settingsCommands',
  ],
  redeploys: [
    'redeployFaults',
    'refusedRedeploy',
    'redeployOperation',
    'redeploys',
    'redeployResultNotice',
    'redeployPrompt',
    'redeployConfirmation',
    'resultTexts',
    'refreshDeployedFiles',
    'projectFolderPrompt',
    'subversion',
    'deployHistory',
    'deploymentsView',
    'projectStatusBar',
    'rollBackFlow',
  ],
  openRepositories: [
    'redeployFlow',
    'plan',
    'stakes',
    'redeployTaskFlow',
    'deployedStates',
    'nodeEditsAtRisk',
    'redeploySequences',
    'projectTools',
    'applyEdits',
    'editedFilesList',
    'checkDeployedFlow',
    'deployLogDocuments',
    'projects',
    'hookDraftNotice',
    'localRepository',
  ],
  search: [
    'findInFolder',
    'replaceFlow',
    'replaceInFiles',
    'replaceNotice',
    'searchFolderPrompt',
    'goToFlow',
    'goToFile',
    'replaceCommands',
    'appendCommands',
    'commandTargets',
    'wholeFileCommands',
    'folderTrustFlow',
    'tabs',
  ],
  services: [
    'restartCommands',
    'versionCommands',
    'variableCommands',
    'variableConflicts',
    'logDocuments',
    'logSource',
    'logSpeed',
    'terminalCommands',
    'taskProvider',
    'taskTerminal',
    'agentTools',
    'agentTasks',
    'restoreAndRestartFlow',
    'sshTerminalNotice',
  ],
  editors: [
    'readFile',
    'binaryFileEditor',
    'binaryFilePage',
    'largeFiles',
    'opaqueEdits',
    'overwriteBackups',
    'interruptedSavesCommands',
    'changedLayers',
    'mountProductionData',
    'unresolvedLayer',
  ],
  rollBacks: [
    'rollBackBranch',
    'rollBackTroubles',
    'wedgedClones',
    'branchSwitches',
    'pinEvidence',
    'keptEdits',
    'deployLogs',
  ],
  commands: ['command', 'runner', 'rowTree', 'outcomeTexts', 'secretFiles', 'lazyAuthentication', 'gitExtension'],
  signIns: [
    'tokenPrompts',
    'accountStore',
    'signInFlow',
    'compatibilityStore',
    'compatibilityCommands',
    'diagnosticsCommands',
    'unreadableRecords',
    'lazy',
    'gantry',
    'quickPick',
  ],
};

/**
 * Window tests that share a window, one after another, each with an account of its own: `leaveAsNew` makes the window like
 * a new one between two of them. Other files have a separate window. They need another workspace or other settings than
 * these, start a server with options of its own, restart it, reload or crash windows, or test how a window starts.
 */
const windowTestsTogether: Readonly<Record<string, readonly string[]>> = {
  views: ['favorites', 'mounts', 'access', 'accessibility'],
  files: ['fileTree', 'unusualFiles', 'terminal', 'finding'],
};

/**
 * Window tests of what people use first and most. `npm test` runs only these, because all window tests take half of the
 * time of all tests. CI runs all.
 */
const mainPaths: readonly string[] = [
  'access',
  'accounts',
  'favorites',
  'firstTenMinutes',
  'mounts',
  'saving',
  'terminal',
  'tuneNginx',
];

const soakFile = 'soak/run.ts';

/** Window tests that run only at night, because a faster test proves nearly the same: docs/testing.md says which. */
const onlyAtNight: readonly string[] = [
  'openWorkspace',
  'bigAccount',
  'diagnostics',
  'fileGestures',
  'logs',
  'variables',
  'versions',
  'walkthrough',
];

/**
 * Returns the suite that runs the tests of a changed file that otherwise run only at night: those that are defined as
 * such, integration tests that depend little on the version of VS Code, in the oldest one, and soak tests.
 */
export function suiteAtNight(file: string, source: string): string | undefined {
  if (file.startsWith('test/soak/')) return 'soak';
  const [, folder = '', path = ''] = /^test\/(unit|integration|e2e)\/(.+\.test\.ts)$/.exec(file) ?? [];
  if (folder === '') return undefined;
  if (folder === 'integration') {
    return [...newestOnly, ...engineDependent].includes(nameOf(path)) ? undefined : 'integration:minimum';
  }
  const isWhole = folder === 'e2e' && onlyAtNight.includes(nameOf(path));
  return isWhole || /^import .*host\/nightly'/m.test(source) ? folder : undefined;
}

function windowJobs(atNight = isNightly()): Job[] {
  return jobsOf('e2e', 'e2e', {
    isWanted: (name) => atNight || !onlyAtNight.includes(name),
    sharing: windowTestsTogether,
  });
}

function mainPathJobs(): Job[] {
  assertPresent(mainPaths, testsIn('e2e'));
  return jobsOf('e2e', 'e2e', { isWanted: (name) => mainPaths.includes(name), sharing: windowTestsTogether });
}

function assertPresent(listed: readonly string[], present: readonly string[]): void {
  const names = present.map(nameOf);
  const unclear = listed.filter((name) => names.filter((other) => other === name).length !== 1);
  if (unclear.length > 0) throw new Error(`test/suites.ts must name exactly one file each: ${unclear.join(', ')}.`);
}

/** In the oldest VS Code, few files run before each change, so these share one window. */
const oneWindow = { all: Object.values(sharedWindows).flat() };

/** Returns the suites that run a file, by its path below `test`: an integration test in each VS Code that it can run in. */
export function suitesOf(file: string): readonly string[] {
  const [folder = ''] = file.split('/');
  return folder === 'integration' && !newestOnly.includes(nameOf(file)) ? [folder, 'integration:minimum'] : [folder];
}

/** Whether a changed file of a suite can share a window with others. */
export function sharesWindow(suite: string, file: string): boolean {
  return suite === 'integration:minimum' && oneWindow.all.includes(nameOf(file));
}

/** @param prefix the suite, because durations differ between VS Code versions */
function windows(
  prefix: string,
  isWanted: (name: string) => boolean = () => true,
  sharing: Readonly<Record<string, readonly string[]>> = sharedWindows,
): Job[] {
  assertPresent([...newestOnly, ...engineDependent], testsIn('integration'));
  return jobsOf(prefix, 'integration', { isWanted, sharing });
}

interface Composition {
  readonly isWanted: (name: string) => boolean;
  readonly sharing: Readonly<Record<string, readonly string[]>>;
}

/** Returns a job for each window: those that files share, in the order of the table, and those of the other files. */
function jobsOf(prefix: string, folder: string, { isWanted, sharing }: Composition): Job[] {
  const present = testsIn(folder);
  assertPresent(Object.values(sharing).flat(), present);
  const all = present.filter((file) => isWanted(nameOf(file)));
  const shared = Object.entries(sharing).map(([name, names]) => ({
    name: `${prefix}/shared/${name}`,
    files: names.flatMap((one) => all.filter((file) => nameOf(file) === one)),
  }));
  const isShared = (file: string): boolean => shared.some(({ files }) => files.includes(file));
  const alone = all
    .filter((file) => !isShared(file))
    .map((file) => ({ name: `${prefix}/${pathIn(join(__dirname, folder), file)}`, files: [file] }));
  return [...shared.filter(({ files }) => files.length > 0), ...alone];
}

/** The tests of a file share a window, so what follows a failure says little and takes long. */
const windowTests = {
  needs: ['build', 'browser', 'newest', 'minimum'],
  script: 'test:e2e',
  stage: 'windows',
  runner: ({ grep, alone }) => new TestProcess({ name: 'e2e', grep, timeout: 150_000, bail: alone !== true, show }),
} as const satisfies Omit<Suite, 'jobs'>;

export const suites: Readonly<Record<string, Suite>> = {
  unit: {
    needs: [],
    script: 'test:unit',
    stage: 'unit',
    jobs: filesIn('unit'),
    runner: ({ grep }) => new TestProcess({ name: 'unit', grep, timeout: 30_000, show }),
  },
  integration: {
    needs: ['build', 'browser', 'newest'],
    script: 'test:integration',
    stage: 'windows',
    jobs: () => windows('integration'),
    runner: ({ grep }) => new WindowRunner('newest', grep),
  },
  'integration:minimum': {
    needs: ['build', 'browser', 'minimum'],
    script: 'test:integration:minimum',
    stage: 'windows',
    jobs: () => windows('minimum', (name) => !newestOnly.includes(name)),
    runner: ({ grep }) => new WindowRunner('minimum', grep),
  },
  'integration:engine': {
    needs: ['build', 'browser', 'minimum'],
    script: 'test:integration:minimum',
    stage: 'windows',
    jobs: () => windows('engine', (name) => engineDependent.includes(name), oneWindow),
    runner: ({ grep }) => new WindowRunner('minimum', grep),
  },
  e2e: { ...windowTests, jobs: () => windowJobs() },
  'e2e:main': { ...windowTests, jobs: mainPathJobs },
  desktop: {
    needs: ['build'],
    script: 'test:desktop',
    stage: 'desktop',
    jobs: () => [{ name: 'desktop', files: testsIn('integration') }],
    runner: ({ grep }) => ({ run: ({ files }) => desktop(files, grep), end: () => Promise.resolve(emptyResult) }),
  },
};

/** Returns the jobs of all suites, with those that run only at night. */
export function everyJob(): readonly Job[] {
  return [...Object.values(suites).flatMap(({ jobs }) => jobs()), ...windowJobs(true)];
}

/** The suites that changed files with nightly tests may need before the night. */
export const suitesAtNight: Readonly<Record<string, Suite>> = {
  ...suites,
  soak: {
    needs: ['build', 'browser', 'newest'],
    script: 'soak',
    stage: 'windows',
    jobs: () => [{ name: soakFile, files: [join(__dirname, soakFile)] }],
    runner: () => ({ run: soakForAShortTime, end: () => Promise.resolve(emptyResult) }),
  },
};

/** Checks at the end of each run in a window that apply to the whole run. */
const ofEveryRun = join(__dirname, 'integration', 'support', 'everyRun.ts');

/** Runs each job in a new window. */
class WindowRunner implements Runner {
  private readonly host: WindowHost;

  constructor(
    private readonly version: VsCodeVersion,
    private readonly grep: string | undefined,
  ) {
    this.host = new WindowHost(version);
  }

  async run({ name, files }: Job): Promise<RunResult> {
    // Many tests do something while the question before a redeploy is open.
    const settings = { ...plainEditors, 'gantry.redeploy.confirm': 'always' };
    const setUp = { extension: { folder: projectFolder }, settings };
    const options = { ...setUp, name: `${this.version}-${name}`, grep: this.grep, show };
    return await runInWindows({
      files,
      check: ofEveryRun,
      run: (some) => runInWindow(this.host, { ...options, files: some }),
    });
  }

  async end(): Promise<RunResult> {
    await this.host.dispose();
    return emptyResult;
  }
}

function desktop(files: readonly string[], grep: string | undefined): Promise<RunResult> {
  const command = findCodeCommand();
  const executable = command === undefined ? undefined : programBehind(command);
  return runInWindows({
    files,
    check: ofEveryRun,
    run: (some) => runOnDesktop({ files: some, grep, executable, show }),
  });
}

async function soakForAShortTime({ files: [file = ''] }: Job): Promise<RunResult> {
  const counts = [
    '--saves',
    '100',
    '--sequences',
    '20',
    '--answers',
    '500',
    '--kills',
    '10',
    '--races',
    '3',
    '--full-disks',
    '100',
    '--redeploys',
    '10',
  ];
  const tests = runToEnd(process.execPath, ['--import', 'tsx', file, ...counts], { cwd: projectFolder });
  return await tests.then(
    () => ({ byFile: new Map([[file, { passed: 1, failed: 0, skipped: 0 }]]), failures: [] }),
    (error: unknown) => failedFile({ file, cause: 'error', problem: String(error) }),
  );
}
