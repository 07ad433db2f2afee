import { relative } from 'node:path';
import { projectFolder } from '../folders';
import { limit, noteSlowness } from '../limits';
import { silenceWatch } from '../silenceWatch';
import { failedFile, type Failure, recordRun, type RunResult, total } from './runRecord';
import { type TestEvent } from './testEvent';

export interface ObservedResult extends RunResult {
  /** The files with tests that the run didn't get to because it ended before. */
  readonly notRun: readonly string[];
}

export interface ObservedRun {
  /** Processes an event of the run. */
  onEvent(event: TestEvent): void;
  /** Waits until the run ends in any way, and returns a problem with the run itself. Failed tests aren't such a problem. */
  problem(endings: readonly Promise<string>[]): Promise<string | undefined>;
  /** Whether an event has arrived. The files are loaded before the first one. */
  hasBegun(): boolean;
  /**
   * Returns the result of running these files. A problem with the run is a failure of the file that was running, or one
   * failure of all files if none was. A file without a test has failed.
   */
  result(files: readonly string[], problem: string | undefined): ObservedResult;
  stop(): void;
}

export interface ObserveOptions {
  readonly show: (line: string) => void;
  /** How long no event may arrive, in milliseconds, beyond the limit of the test or hook that is running. */
  readonly silence: number;
}

/** What has failed so far, in all runs. */
const failed: Failure[] = [];

/** Returns the failures so far, for a run that ends before its result is known. */
export function failuresSoFar(): readonly Failure[] {
  return failed;
}

/** What each run in progress is doing. */
const inProgress = new Set<() => string | undefined>();

/** Returns the tests and hooks that are running, for a run that ends before they do. */
export function runningTests(): readonly string[] {
  return [...inProgress].flatMap((running) => running() ?? []);
}

/** How long results may still arrive after the process that sent them has ended. */
const stragglers = 1_000;

/** Shows and counts the results of a test run, in whichever process it runs. */
export function observeRun({ show, silence }: ObserveOptions): ObservedRun {
  const record = recordRun(show);
  inProgress.add(record.running);
  const watch = silenceWatch(silence);
  const state: { hasBegun: boolean; files: readonly string[]; empty: readonly string[] } = {
    hasBegun: false,
    files: [],
    empty: [],
  };
  const silent = watch.silent.then((time) => `the tests reported nothing for ${Math.round(time / 1000)} s`);
  const problem = async (endings: readonly Promise<string>[]): Promise<string | undefined> => {
    const reason = await Promise.race([record.end.then(() => ''), silent, ...endings]);
    // The reason for the end may arrive a moment before the last results.
    await Promise.race([record.end, new Promise((resolve) => setTimeout(resolve, limit(stragglers)).unref())]);
    if (record.ended()) return undefined;
    return `${reason} before the end${record.running() === undefined ? '' : `, during: ${record.running()}`}`;
  };
  /** Returns the result with a failure of each of these files: nothing else would tell that none of its tests ran. */
  const withEmpty = (files: readonly string[]): RunResult => {
    const problem = 'no test was found';
    for (const file of files) show(`  ✗ ${relative(projectFolder, file)}: ${problem}`);
    const failures = files.map((file): Failure => ({ file, cause: 'error', problem }));
    failed.push(...failures);
    return total([record.result(), ...failures.map(failedFile)]);
  };
  const ofWholeRun = (files: readonly string[]): ObservedResult => {
    const result = record.result();
    const missing = state.files.filter((file) => !result.byFile.has(file));
    if (result.failures.length === 0) return { ...withEmpty([...state.empty, ...missing]), notRun: [] };
    // Mocha ends the run if a hook of all files fails, and after an error that no test expects.
    const hasReachedNone = missing.length > 0 && missing.length === state.files.length;
    if (hasReachedNone) return { ...ofAll(result, files), notRun: [] };
    return { ...withEmpty(state.empty), notRun: missing };
  };
  return {
    onEvent: (event) => {
      state.hasBegun = true;
      if (event.kind === 'begin') Object.assign(state, { files: event.files, empty: event.empty });
      watch.restart(event.kind === 'started' ? event.longest : 0);
      record.add(event);
      if (event.kind === 'failed') failed.push(...record.result().failures.slice(-1));
      if (event.kind === 'end') noteSlowness(event.slowness);
    },
    problem,
    hasBegun: () => state.hasBegun,
    result: (files, problem) => {
      if (problem === undefined) return ofWholeRun(files);
      const running = Math.max(0, files.indexOf(record.file()));
      const repeat = state.hasBegun ? {} : { repeat: files };
      const crash = failedFile({ file: files[running] ?? '', cause: 'crash', problem, ...repeat });
      failed.push(...crash.failures);
      const isPartial = state.hasBegun && !record.ended();
      const reached = isPartial ? files.slice(0, running + 1) : files;
      const empty = reached.filter((file) => state.empty.includes(file));
      return { ...total([withEmpty(empty), crash]), notRun: files.slice(reached.length) };
    },
    stop: () => {
      watch.stop();
      inProgress.delete(record.running);
    },
  };
}

/** What a hook of the whole run failed for before the first test may be any file's, so all of them are repeated. */
function ofAll({ failures }: RunResult, files: readonly string[]): RunResult {
  const [first = ''] = files;
  const isOfHook = ({ file, title }: Failure): boolean => file === '' && title === undefined;
  return total(failures.map((one) => failedFile(isOfHook(one) ? { ...one, file: first, repeat: files } : one)));
}
