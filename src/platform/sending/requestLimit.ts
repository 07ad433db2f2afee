import type { RequestKind } from './sender';

export const usualMaxConnections = 32;
/** The initial number of concurrent requests to a platform. */
const initial = 10;
/** The minimum number of concurrent requests, even to an overloaded platform. */
const fewest = 2;
/** How much longer than twice the fastest response for the same path a fast response may take, in milliseconds. */
const tolerance = 100;
/** Longer requests say more about the upload than about the platform. */
const longestMeasured = 16 * 1024;
const busyStatuses = new Set([429, 503]);

export interface SentRequest {
  readonly kind: RequestKind;
  readonly path: string;
  readonly bytes: number;
}

/** How a request ended. `broken` covers connections that failed: they say nothing about the platform's load. */
export type RequestEnd =
  | { readonly kind: 'answer'; readonly status: number; readonly milliseconds: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'broken' };

type Waits = Exclude<RequestKind, 'long'>;
const kinds = ['read', 'write'] as const satisfies readonly Waits[];

interface Turn {
  /** How many requests were under way, with this one. */
  readonly rank: number;
  readonly reductions: number;
}

interface Waiting {
  readonly number: number;
  readonly start: () => void;
}

/**
 * Limits the concurrent requests to one platform: raises the limit while responses are fast, lowers it when the platform is busy.
 * Only reads try a higher limit first, since they can be repeated; writes follow once reads have succeeded at that limit.
 */
export class RequestLimit {
  private limit = initial;
  private proven = initial;
  /** Up to this limit, each fast response raises it by one; above it, the limit grows more slowly. */
  private threshold = Number.POSITIVE_INFINITY;
  private underway = 0;
  private arrivals = 0;
  private readonly waiting = { read: new Set<Waiting>(), write: new Set<Waiting>() };
  private readonly quickest = new Map<string, number>();
  private reductions = 0;

  /** @param most the user's own limit, read each time */
  constructor(private readonly most: () => number) {}

  /** Runs the request when its turn has come. Rejects with the signal's reason if it is aborted before. */
  async run<T>(
    request: SentRequest,
    signal: AbortSignal,
    send: (ended: (end: RequestEnd) => void) => Promise<T>,
  ): Promise<T> {
    if (request.kind === 'long') {
      // It may take minutes, and nothing else should wait for it.
      return send(() => undefined);
    }
    const sent = { ...request, ...(await this.turn(request.kind, signal)) };
    try {
      return await send((end) => this.learn(sent, end));
    } finally {
      this.underway -= 1;
      this.startNext();
    }
  }

  private turn(kind: Waits, signal: AbortSignal): Turn | Promise<Turn> {
    const queue = this.waiting[kind];
    if (queue.size === 0 && this.mayStart(kind)) {
      return this.take();
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        queue.delete(waiting);
        reject(signal.reason instanceof Error ? signal.reason : new Error('The request was canceled.'));
      };
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        queue.delete(waiting);
        resolve(this.take());
      };
      this.arrivals += 1;
      const waiting: Waiting = { number: this.arrivals, start };
      queue.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) {
        giveUp();
      }
    });
  }

  private take(): Turn {
    this.underway += 1;
    return { rank: this.underway, reductions: this.reductions };
  }

  private mayStart(kind: Waits): boolean {
    const limit = kind === 'write' ? Math.min(this.limit, this.proven) : this.limit;
    return this.underway < Math.max(1, Math.min(Math.floor(limit), this.most()));
  }

  /** In order of arrival, except that writes never try a higher limit first. */
  private startNext(): void {
    for (;;) {
      const next = kinds.flatMap((kind) => {
        const [first] = this.waiting[kind];
        return first !== undefined && this.mayStart(kind) ? [first] : [];
      });
      const [one, other = one] = next;
      if (one === undefined || other === undefined) {
        return;
      }
      (one.number < other.number ? one : other).start();
    }
  }

  private learn(sent: SentRequest & Turn, end: RequestEnd): void {
    if (end.kind === 'broken') {
      return;
    }
    if (end.kind === 'timeout' || busyStatuses.has(end.status)) {
      // Concurrent requests that fail for the same reason reduce the limit only once.
      if (sent.reductions === this.reductions) {
        this.reduce();
      }
      return;
    }
    if (sent.bytes > longestMeasured) {
      return;
    }
    const quickest = Math.min(this.quickest.get(sent.path) ?? end.milliseconds, end.milliseconds);
    this.quickest.set(sent.path, quickest);
    if (end.milliseconds <= 2 * quickest + tolerance) {
      this.proven = Math.max(this.proven, sent.rank);
      this.grow();
    } else if (this.limit > initial) {
      this.limit -= 1;
    }
  }

  /** The limit grows only if it was fully used. */
  private grow(): void {
    if (this.limit < this.most() && 2 * this.underway >= this.limit) {
      this.limit += this.limit < this.threshold ? 1 : 1 / this.limit;
    }
  }

  private reduce(): void {
    this.reductions += 1;
    this.limit = Math.max(fewest, Math.floor(this.limit / 2));
    this.threshold = this.limit;
    this.proven = Math.min(this.proven, this.limit);
  }
}
