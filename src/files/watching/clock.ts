export interface Clock {
  now(): number;
  /** Answers the way to call it off. */
  after(milliseconds: number, run: () => void): () => void;
}

export const realClock: Clock = {
  now: Date.now,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
