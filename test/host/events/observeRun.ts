import { silenceWatch } from '../silenceWatch';
import { type Counts, recordRun, type RunResult } from './runRecord';
import { type TestEvent } from './testEvent';

export interface ObservedRun {
  /** Processes an event of the run. */
  onEvent(event: TestEvent): void;
  /** Waits until the run ends in any way, and returns a problem with the run itself. Failed tests aren't such a problem. */
  problem(endings: readonly Promise<string>[]): Promise<string | undefined>;
  /** Returns the result of running these files. A problem with the run counts as one more failure. */
  result(files: readonly string[], problem: string | undefined): RunResult;
  stop(): void;
}

export interface ObserveOptions {
  readonly show: (line: string) => void;
  /** How long no event may arrive, in milliseconds. */
  readonly silence: number;
  /** Only some tests were requested, and this run may contain none of them. */
  readonly mayBeEmpty: boolean;
}

/** How long results may still arrive after the process that sent them has ended. */
const stragglers = 1_000;

/** Shows and counts the results of a test run, in whichever process it runs. */
export function observeRun({ show, silence, mayBeEmpty }: ObserveOptions): ObservedRun {
  const record = recordRun(show);
  const watch = silenceWatch(silence);
  const silent = watch.silent.then(() => `the tests reported nothing for ${Math.round(silence / 1000)} s`);
  const nothingFound = (): string | undefined => {
    const { passed, failed, skipped } = record.counts();
    return passed + failed + skipped === 0 && !mayBeEmpty ? 'no test was found' : undefined;
  };
  const problem = async (endings: readonly Promise<string>[]): Promise<string | undefined> => {
    const reason = await Promise.race([record.end.then(() => ''), silent, ...endings]);
    // The reason for the end may arrive a moment before the last results.
    await Promise.race([record.end, new Promise((resolve) => setTimeout(resolve, stragglers).unref())]);
    if (record.ended()) return nothingFound();
    return `${reason} before the end${record.running() === undefined ? '' : `, during: ${record.running()}`}`;
  };
  return {
    onEvent: (event) => {
      watch.restart();
      record.add(event);
    },
    problem,
    result: (files, problem) => ({
      counts: withProblem(record.counts(), problem),
      failures: [...record.failures, ...(problem === undefined ? [] : files.map((file) => ({ file })))],
    }),
    stop: () => watch.stop(),
  };
}

function withProblem(counts: Counts, problem: string | undefined): Counts {
  return problem === undefined ? counts : { ...counts, failed: counts.failed + 1 };
}
