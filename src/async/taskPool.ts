/** Runs tasks in the order in which they were added, a limited number at a time. A task can add more tasks. */
export class TaskPool {
  private waiting: ((() => Promise<void>) | undefined)[] = [];
  private next = 0;
  private running = 0;
  private failure: { readonly error: unknown } | undefined;
  private readonly watching: (() => void)[] = [];

  /** @param signal keeps tasks that are still waiting from starting */
  constructor(
    private readonly limit: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts the task when fewer than the limit are running, unless another one has failed. */
  add(task: () => Promise<void>): void {
    this.waiting.push(task);
    this.start();
  }

  /** Resolves when all tasks are done, or rejects with the first failure. */
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
      this.running += 1;
      void this.run(this.take());
    }
  }

  /** Releases the task, because what it refers to may be large. */
  private take(): (() => Promise<void>) | undefined {
    const task = this.waiting[this.next];
    this.waiting[this.next] = undefined;
    this.next += 1;
    if (this.next === this.waiting.length) {
      this.waiting = [];
      this.next = 0;
    }
    return task;
  }

  private async run(task: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await task?.();
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

/** Works on all items, a limited number at a time. Starts no more after an abort, or after one that rejects. */
export async function workOnAll<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const all = new TaskPool(limit, signal);
  items.forEach((item) => all.add(() => work(item)));
  await all.finished();
}

interface WalkOptions<N> {
  /** Returns the nodes to enter next. */
  readonly enter: (node: N) => Promise<readonly N[]>;
  readonly atOnce: number;
  /** After an abort, no node is entered, and no failure is reported. */
  readonly signal: AbortSignal;
  /** Gets each node that couldn't be entered. If it throws, the walk ends. */
  readonly onFailure: (node: N, error: unknown) => void;
}

/**
 * Enters nodes and those that they lead to, a limited number at a time, those near the start first. Resolves when no
 * `enter` is running anymore, or rejects as the first `onFailure` that threw.
 */
export async function walk<N>(
  start: readonly N[],
  { enter, atOnce, signal, onFailure }: WalkOptions<N>,
): Promise<void> {
  const work = new TaskPool(atOnce, signal);
  const add = (node: N): void =>
    work.add(async () => {
      try {
        (await enter(node)).forEach(add);
      } catch (error) {
        if (!signal.aborted) {
          onFailure(node, error);
        }
      }
    });
  start.forEach(add);
  await work.finished();
}
