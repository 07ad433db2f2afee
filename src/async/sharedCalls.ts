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
    const isCurrent = () => this.calls.get(key) === shared;
    const forget = () => {
      if (isCurrent()) {
        this.calls.delete(key);
      }
    };
    const shared: Promise<T> = call(isCurrent).then(
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
