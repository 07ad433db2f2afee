interface Disposable {
  dispose(): Promise<void>;
}

interface Instance<T> {
  readonly ready: Promise<T>;
  users: number;
  isRetired: boolean;
}

export interface Lease<T> {
  readonly setup: T;
  /** After a failure, the next user gets a new setup. The old one is disposed of when its last user releases it. */
  readonly release: (result: 'passed' | 'failed') => Promise<void>;
}

/** Shares one setup among all its users, until one of them fails and may have left it in a bad state. */
export class SharedSetup<T extends Disposable> {
  private current: Instance<T> | undefined;

  constructor(private readonly setUp: () => Promise<T>) {}

  async lease(): Promise<Lease<T>> {
    this.current ??= { ready: this.setUp(), users: 0, isRetired: false };
    const leased = this.current;
    leased.users += 1;
    const setup = await leased.ready;
    return { setup, release: (result) => this.release(leased, result) };
  }

  /** Call this when the setup has no users. */
  async dispose(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    // If the setup failed, `lease` has already thrown the error.
    const setup = await current?.ready.catch(() => undefined);
    await setup?.dispose();
  }

  private async release(leased: Instance<T>, result: 'passed' | 'failed'): Promise<void> {
    leased.users -= 1;
    if (result === 'failed') {
      leased.isRetired = true;
      if (this.current === leased) {
        this.current = undefined;
      }
    }
    if (leased.isRetired && leased.users === 0) {
      await (await leased.ready).dispose();
    }
  }
}
