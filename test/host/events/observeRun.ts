import { silenceWatch } from '../silenceWatch';
import { listenForEvents } from './eventServer';
import { type Counts, recordRun } from './runRecord';

export interface ObservedRun {
  /** For the process that runs the tests, so that it finds us. */
  readonly env: Readonly<Record<string, string>>;
  /** Waits until the run has ended in whatever way, and answers what was wrong with the run itself; not which tests failed. */
  problem(endings: readonly Promise<string>[]): Promise<string | undefined>;
  readonly counts: () => Counts;
  close(): Promise<void>;
}

export interface ObserveOptions {
  readonly show: (line: string) => void;
  /** How long nothing may be heard of the tests, in milliseconds. */
  readonly silence: number;
  /** Only some tests were asked for, and perhaps none of them is in this run. */
  readonly mayBeEmpty: boolean;
}

/** How long results may still be on their way when the process that sent them has ended. */
const stragglers = 1_000;

/** Shows and counts what a run of tests tells, wherever it runs. */
export async function observeRun({ show, silence, mayBeEmpty }: ObserveOptions): Promise<ObservedRun> {
  const record = recordRun(show);
  const watch = silenceWatch(silence);
  const events = await listenForEvents((event) => {
    watch.heard();
    record.hear(event);
  });
  const disconnected = events.disconnected.then(() => 'the tests went away');
  const silent = watch.silent.then(() => `nothing was heard of the tests for ${Math.round(silence / 1000)} s`);

  const nothingFound = (): string | undefined => {
    const { passed, failed, skipped } = record.counts();
    return passed + failed + skipped === 0 && !mayBeEmpty ? 'no test was found' : undefined;
  };
  const problem = async (endings: readonly Promise<string>[]): Promise<string | undefined> => {
    const first = await Promise.race([disconnected, silent, ...endings]);
    // What ended it is known a moment before or after its last results have come.
    const moment = new Promise((resolve) => setTimeout(resolve, stragglers).unref());
    await Promise.race([disconnected, silent, moment]);
    if (record.ended()) return nothingFound();
    const how = await Promise.race([...endings, moment.then(() => first)]);
    return `${how} before the end${record.running() === undefined ? '' : `, during: ${record.running()}`}`;
  };
  const close = async (): Promise<void> => {
    watch.stop();
    await events.close();
  };
  return { env: events.env, problem, counts: record.counts, close };
}

/** A run that went wrong as a whole is one more failure, beside those of its tests. */
export function withProblem(counts: Counts, problem: string | undefined): Counts {
  return problem === undefined ? counts : { ...counts, failed: counts.failed + 1 };
}
