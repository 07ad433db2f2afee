import { pause, steadyTime, type TimeSource } from '../../async/timeSource';

/** Spreads requests over time, so that a long search leaves a production server free to serve users. */
export class RequestPace {
  /** When the next request may be sent, in milliseconds. */
  private next = Number.NEGATIVE_INFINITY;

  /**
   * @param perSecond the most requests in a second
   * @param atOnce how many may be sent at once after a pause
   */
  constructor(
    private readonly perSecond: () => number,
    private readonly atOnce: number,
    private readonly time: TimeSource = steadyTime,
  ) {}

  /** Waits for the next request's turn. Ends at once if the signal is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      return;
    }
    const perSecond = this.perSecond();
    const interval = 1_000 / perSecond;
    const now = this.time.now();
    const at = Math.max(this.next, now - (Math.min(this.atOnce, perSecond) - 1) * interval);
    this.next = at + interval;
    if (at > now) {
      await pause(Math.ceil(at - now), signal, this.time);
    }
  }
}
