/** Work on the same thing goes one after the other, in the order it came. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    // The next one's turn comes however this one ended; whoever took this turn learns of its failure.
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, ended);
    void ended.then(() => {
      if (this.last.get(key) === ended) {
        this.last.delete(key);
      }
    });
    return turn;
  }
}
