/** The time and timers, which a test replaces. */
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
