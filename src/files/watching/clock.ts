export interface Clock {
  now(): number;
  /** Returns a function that cancels the timer. */
  after(milliseconds: number, run: () => void): () => void;
}

export const realClock: Clock = {
  now: Date.now,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
