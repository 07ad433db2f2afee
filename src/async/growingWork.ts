/** Work that is found while other work is done, a limited number of pieces at a time, in the order it was added. */
export class GrowingWork {
  private readonly waiting: (() => Promise<void>)[] = [];
  private next = 0;
  private running = 0;
  private failure: { readonly error: unknown } | undefined;
  private readonly watching: (() => void)[] = [];

  /** @param signal starts no more pieces after an abort */
  constructor(
    private readonly limit: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts the piece, or does so when others have ended. The first that rejects is the last that is started. */
  add(piece: () => Promise<void>): void {
    this.waiting.push(piece);
    this.start();
  }

  /** Resolves when nothing runs and nothing waits, or rejects as the first piece that failed. */
  async finished(): Promise<void> {
    if (this.isBusy()) {
      await new Promise<void>((resolve) => this.watching.push(resolve));
    }
    if (this.failure !== undefined) {
      throw this.failure.error;
    }
  }

  private start(): void {
    while (this.running < this.limit && this.hasNext()) {
      const piece = this.waiting[this.next];
      this.next += 1;
      this.running += 1;
      void this.run(piece);
    }
  }

  private async run(piece: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await piece?.();
    } catch (error) {
      this.failure ??= { error };
    }
    this.running -= 1;
    this.start();
    if (!this.isBusy()) {
      this.watching.splice(0).forEach((resolve) => resolve());
    }
  }

  private hasNext(): boolean {
    return this.next < this.waiting.length && this.failure === undefined && !this.signal.aborted;
  }

  private isBusy(): boolean {
    return this.running > 0 || this.hasNext();
  }
}
