/** Calls by key: whoever asks while one is under way shares its promise. A failure is never kept. */
export class SharedCalls<T> {
  private readonly calls = new Map<string, Promise<T>>();

  /** @param keep how long a call that succeeded answers: until it has settled, or until it is forgotten */
  constructor(private readonly keep: 'untilSettled' | 'untilForgotten' = 'untilSettled') {}

  /** @param call can ask whether its result still counts, which it doesn't once it was forgotten or started again */
  share(key: string, call: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    return this.calls.get(key) ?? this.start(key, call);
  }

  /** Calls again, and shares this call from now on. */
  start(key: string, call: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    const begun: { shared?: Promise<T> } = {};
    // Before there is a promise to share, the call has only begun.
    const isCurrent = () => begun.shared === undefined || this.calls.get(key) === begun.shared;
    const forget = () => {
      if (isCurrent()) {
        this.calls.delete(key);
      }
    };
    // A call that throws rejects.
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

  /** Whoever waits for the call still gets its result, but nobody else does. */
  forget(key: string): void {
    this.calls.delete(key);
  }

  forgetAll(): void {
    this.calls.clear();
  }
}
