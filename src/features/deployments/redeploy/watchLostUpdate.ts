import { setTimeout as pause } from 'node:timers/promises';

/** What can be observed of a deployment at one moment. */
export interface NodeCheck {
  /** The project's own log, if GetProject returns one. */
  readonly projectLog: string | undefined;
  /** The length of each node's log file, 0 if it has none; `undefined` if it can't be listed. */
  readonly logLengths: readonly (number | undefined)[];
  /** The same for the log of hooks. It grows also before and after the deployment itself, so growth means only that something is still running. */
  readonly hookLogLengths?: readonly (number | undefined)[];
  /** Each node's commit, empty if it has none; `undefined` if it can't be read. */
  readonly commits: readonly (string | undefined)[];
}

export interface PollInterval {
  /** The pauses before each check, in milliseconds. The last one repeats. */
  readonly pauses: readonly number[];
  /** Milliseconds after which to give up. */
  readonly limit: number;
  /** Equal checks in a row after which a change counts as finished: with a log that shows the end, and without. */
  readonly stableChecks: { readonly withLog: number; readonly withoutLog: number };
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** Polls slowly, because the platform is busy and a log may pause between two steps. */
export const defaultPollInterval: PollInterval = {
  pauses: [1_000, 2_000, 4_000, 8_000, 15_000],
  limit: 10 * 60_000,
  stableChecks: { withLog: 3, withoutLog: 6 },
  now: Date.now,
  wait: async (milliseconds, signal) => {
    // An abort just ends the pause early.
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  },
};

/** The state before the request. Values that couldn't be read are taken from the first check that has them. */
type Baseline = Partial<NodeCheck> & Pick<NodeCheck, 'commits'>;

/**
 * Watches a deployment whose response was lost until its log is complete. Returns whether the end was seen: `false`
 * after giving up, or if only the commits changed and no log shows the steps after that.
 */
export async function watchLostUpdate(
  look: () => Promise<NodeCheck | undefined>,
  before: Baseline,
  pace: PollInterval,
  signal: AbortSignal,
): Promise<boolean> {
  const until = pace.now() + pace.limit;
  let baseline = before;
  let last: NodeCheck | undefined;
  let agreeing = 1;
  for (let turn = 0; pace.now() < until; turn++) {
    await pace.wait(pace.pauses[Math.min(turn, pace.pauses.length - 1)] ?? 0, signal);
    if (signal.aborted) {
      return false;
    }
    const seen = await look();
    if (seen === undefined) {
      continue;
    }
    const logLengths = seen.logLengths.map((length, node) => baseline.logLengths?.[node] ?? length);
    const commits = seen.commits.map((commit, node) => baseline.commits[node] ?? commit);
    baseline = { ...seen, ...baseline, logLengths, commits };
    agreeing = last !== undefined && same(last, seen) ? agreeing + 1 : 1;
    last = seen;
    if (logMoved(baseline, seen) && agreeing >= pace.stableChecks.withLog) {
      return true;
    }
    if (commitsMoved(baseline, seen) && agreeing >= pace.stableChecks.withoutLog) {
      return false;
    }
  }
  return false;
}

function logMoved(before: Baseline, { projectLog, logLengths }: NodeCheck): boolean {
  const projectLogMoved = projectLog !== undefined && projectLog !== '' && projectLog !== before.projectLog;
  const earlier = before.logLengths ?? [];
  const nodeLogsMoved =
    logLengths.length > 0 &&
    logLengths.every((length, node) => length !== undefined && length !== (earlier[node] ?? length));
  return projectLogMoved || nodeLogsMoved;
}

function commitsMoved(before: Baseline, { commits }: NodeCheck): boolean {
  return commits.length > 0 && commits.every((commit = '', node) => commit !== '' && commit !== before.commits[node]);
}

function same(one: NodeCheck, other: NodeCheck): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
