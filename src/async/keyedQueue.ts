interface Turn {
  readonly keys: readonly string[];
  readonly ended: Promise<unknown>;
}

/** Work on the same thing goes one after the other, in the order it came. */
export class KeyedQueue {
  private readonly under = new Set<Turn>();

  /** @param overlap whether work on the one must wait for work on the other */
  constructor(private readonly overlap: (one: string, other: string) => boolean = (one, other) => one === other) {}

  /** Waits for all earlier work on any of the keys. */
  take<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T> {
    const wanted = typeof keys === 'string' ? [keys] : keys;
    const before = [...this.under].filter((turn) => this.areInTheWay(turn.keys, wanted)).map(({ ended }) => ended);
    const turn = Promise.all(before).then(work);
    // The next one's turn comes however this one ended; whoever took this turn learns of its failure.
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
