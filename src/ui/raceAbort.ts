import type { Cancelled } from '../platform/errors';

/** What came of some work, unless it is stopped before: then it goes on by itself, and whatever would have followed does not. */
export function raceAbort<T>(done: Promise<T>, signal: AbortSignal, stopped: Cancelled): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(stopped);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
    done.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
