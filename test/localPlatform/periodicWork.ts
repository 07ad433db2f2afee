import { setMaxListeners } from 'node:events';

/** Work that repeats until the platform is disposed. A run that takes longer than its interval delays the next one. */
export class PeriodicWork {
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor() {
    // Every hanging request listens for the end.
    setMaxListeners(0, this.#ending.signal);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  every(milliseconds: number, work: (signal: AbortSignal) => Promise<void>): void {
    const schedule = (): void => {
      if (this.#ending.signal.aborted) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        const round = this.#round(work).finally(() => {
          this.#running.delete(round);
          schedule();
        });
        this.#running.add(round);
      }, milliseconds);
      this.#timers.add(timer);
    };
    schedule();
  }

  /** Registers work that dispose waits for. The signal asks it to end. */
  async awaited<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(settled);
    try {
      return await work;
    } finally {
      this.#running.delete(settled);
    }
  }

  async #round(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await work(this.#ending.signal);
    } catch (error) {
      // A failed run must not stop the next one. A run that dispose ended reports nothing.
      if (!this.#ending.signal.aborted) console.error('periodic work failed:', error);
    }
  }

  async dispose(): Promise<void> {
    this.#ending.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }
}
