/** Shares the promise of a call with everyone who makes the same call, by key. Failures aren't kept. */
export class SharedCalls<T> {
  private readonly calls = new Map<string, Promise<T>>();

  /** @param keep how long the promise of a successful call is shared */
  constructor(private readonly keep: 'untilSettled' | 'untilForgotten' = 'untilSettled') {}

  /** @param call gets a function that says whether its result still counts: not after `forget` or another `start` */
  share(key: string, call: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    return this.calls.get(key) ?? this.start(key, call);
  }

  /** Makes a new call, and shares its promise from now on. */
  start(key: string, call: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    const begun: { shared?: Promise<T> } = {};
    // `begun.shared` is unset while `call` runs synchronously.
    const isCurrent = () => begun.shared === undefined || this.calls.get(key) === begun.shared;
    const forget = () => {
      if (isCurrent()) {
        this.calls.delete(key);
      }
    };
    // If the call throws, the promise rejects.
    const called = (async () => call(isCurrent))();
    const shared = called.then(
      (result) => {
        if (this.keep === 'untilSettled') {
          forget();
        }
        return result;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    begun.shared = shared;
    this.calls.set(key, shared);
    return shared;
  }

  get(key: string): Promise<T> | undefined {
    return this.calls.get(key);
  }

  get keys(): readonly string[] {
    return [...this.calls.keys()];
  }

  /** Stops sharing the call. Those who already wait for it still get its result. */
  forget(key: string): void {
    this.calls.delete(key);
  }

  forgetAll(): void {
    this.calls.clear();
  }
}

/** Pending work by key, as promises that never reject. */
export class PendingWork {
  private readonly all = new Map<string, Set<Promise<void>>>();

  /** Counts the work until it settles, and returns it. */
  add<T>(key: string, work: Promise<T>): Promise<T> {
    const own = this.all.get(key) ?? new Set();
    this.all.set(key, own);
    const end = () => {
      own.delete(ended);
      if (own.size === 0) {
        this.all.delete(key);
      }
    };
    const ended: Promise<void> = work.then(end, end);
    own.add(ended);
    return work;
  }

  in(key: string): readonly Promise<void>[] {
    return [...(this.all.get(key) ?? [])];
  }

  has(key: string): boolean {
    return this.all.has(key);
  }

  get isEmpty(): boolean {
    return this.all.size === 0;
  }
}
