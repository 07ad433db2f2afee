import { limit, noteSlowness } from '../limits';
import { silenceWatch } from '../silenceWatch';
import { countsOf, failedFile, type Failure, recordRun, type RunResult, total } from './runRecord';
import { type TestEvent } from './testEvent';

export interface ObservedResult extends RunResult {
  /** The files that the run didn't get to because it ended before. */
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
   * failure of all files if none was.
   */
  result(files: readonly string[], problem: string | undefined): ObservedResult;
  stop(): void;
}

export interface ObserveOptions {
  readonly show: (line: string) => void;
  /** How long no event may arrive, in milliseconds, beyond the limit of the test or hook that is running. */
  readonly silence: number;
  /** Only some tests were requested, and this run may contain none of them. */
  readonly mayBeEmpty: boolean;
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
export function observeRun({ show, silence, mayBeEmpty }: ObserveOptions): ObservedRun {
  const record = recordRun(show);
  inProgress.add(record.running);
  const watch = silenceWatch(silence);
  const state = { hasBegun: false };
  const silent = watch.silent.then((time) => `the tests reported nothing for ${Math.round(time / 1000)} s`);
  const nothingFound = (): string | undefined => {
    const { passed, failed, skipped } = countsOf(record.result());
    return passed + failed + skipped === 0 && !mayBeEmpty ? 'no test was found' : undefined;
  };
  const problem = async (endings: readonly Promise<string>[]): Promise<string | undefined> => {
    const reason = await Promise.race([record.end.then(() => ''), silent, ...endings]);
    // The reason for the end may arrive a moment before the last results.
    await Promise.race([record.end, new Promise((resolve) => setTimeout(resolve, limit(stragglers)).unref())]);
    if (record.ended()) return nothingFound();
    return `${reason} before the end${record.running() === undefined ? '' : `, during: ${record.running()}`}`;
  };
  return {
    onEvent: (event) => {
      state.hasBegun = true;
      watch.restart(event.kind === 'started' ? event.longest : 0);
      record.add(event);
      if (event.kind === 'failed') failed.push(...record.result().failures.slice(-1));
      if (event.kind === 'end') noteSlowness(event.slowness);
    },
    problem,
    hasBegun: () => state.hasBegun,
    result: (files, problem) => {
      if (problem === undefined) return { ...record.result(), notRun: [] };
      const running = Math.max(0, files.indexOf(record.file()));
      const repeat = state.hasBegun ? {} : { repeat: files };
      const crash = failedFile({ file: files[running] ?? '', cause: 'crash', problem, ...repeat });
      failed.push(...crash.failures);
      const isPartial = state.hasBegun && !record.ended();
      return { ...total([record.result(), crash]), notRun: isPartial ? files.slice(running + 1) : [] };
    },
    stop: () => {
      watch.stop();
      inProgress.delete(record.running);
    },
  };
}
