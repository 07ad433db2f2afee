/** The clock and timers. Tests replace them. */
export interface TimeSource {
  /** In milliseconds. */
  now(): number;
  /** Returns a function that cancels the timer. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemTime: TimeSource = {
  now: Date.now,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Never jumps, even if the clock is set. */
export const steadyTime: TimeSource = { ...systemTime, now: () => performance.now() };

/** Waits, but not beyond the moment when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal, time: TimeSource): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = time.after(milliseconds, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) {
      end();
    }
  });
}
