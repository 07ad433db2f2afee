/** Spreads requests over time, so that a long search leaves a production server free to serve users. */
export class RequestPace {
  /** When the next request may be sent, in milliseconds. */
  private next = 0;

  /**
   * @param perSecond the most requests in a second
   * @param atOnce how many may be sent at once after a pause
   */
  constructor(
    private readonly perSecond: number,
    private readonly atOnce: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Waits for the next request's turn. Ends at once if the signal is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    const interval = 1_000 / this.perSecond;
    const now = this.now();
    const at = Math.max(this.next, now - this.atOnce * interval);
    this.next = at + interval;
    const wait = Math.ceil(at - now);
    if (wait > 0 && !signal.aborted) {
      await pause(wait, signal);
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
