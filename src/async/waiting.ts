interface Turn {
  readonly keys: readonly string[];
  readonly ended: Promise<unknown>;
}

/** Runs work on the same key one at a time, in the order of the calls. */
export class KeyedQueue {
  private readonly under = new Set<Turn>();

  /** @param overlap whether work on one key must wait for work on the other */
  constructor(private readonly overlap: (one: string, other: string) => boolean = (one, other) => one === other) {}

  /** Waits for all earlier work on any of the keys. */
  take<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T> {
    const wanted = typeof keys === 'string' ? [keys] : keys;
    const before = [...this.under].filter((turn) => this.areInTheWay(turn.keys, wanted)).map(({ ended }) => ended);
    const turn = Promise.all(before).then(work);
    // The next work starts even if this fails. The failure goes to the caller.
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    const taken = { keys: wanted, ended };
    this.under.add(taken);
    void ended.then(() => this.under.delete(taken));
    return turn;
  }

  /** Settles when all work that was taken so far is done, however it ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.under].map(({ ended }) => ended));
  }

  private areInTheWay(earlier: readonly string[], wanted: readonly string[]): boolean {
    return earlier.some((one) => wanted.some((other) => this.overlap(one, other)));
  }
}

/** Settles as the work does, or rejects with `reason` as soon as the signal is aborted. The work itself continues. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal, reason: Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

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
