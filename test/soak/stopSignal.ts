import { askedToEnd } from '../host/leftovers';

/** Stops the run: the cases in progress finish, and no further case starts. */
export interface StopSignal {
  readonly isStopped: () => boolean;
  /** Settles when the run is stopped. */
  readonly stopped: Promise<void>;
}

/** Ctrl+C often arrives twice within this time: from the terminal and from npm. */
const repeatedSignalLimit = 1_000;
const longestTimer = 2 ** 31 - 1;

/** Stops the run at Ctrl+C or when its time is up. A second Ctrl+C quits immediately. */
export function listenForStop(minutes: number | undefined, show: (line: string) => void): StopSignal {
  const firstSignal: { time: number | undefined } = { time: undefined };
  const signaled = askedToEnd().then(() => {
    firstSignal.time = Date.now();
    show('Finishing the cases in progress. Press Ctrl+C again to quit now.');
  });
  const timeIsUp = new Promise<void>((resolve) => {
    if (minutes !== undefined) {
      setTimeout(resolve, Math.min(minutes * 60_000, longestTimer)).unref();
    }
  });
  process.on('SIGINT', () => {
    if (firstSignal.time !== undefined && Date.now() - firstSignal.time > repeatedSignalLimit) {
      process.exit();
    }
  });
  const stop = { isRequested: false };
  const stopped = Promise.race([signaled, timeIsUp]).then(() => {
    stop.isRequested = true;
  });
  return { stopped, isStopped: () => stop.isRequested };
}
