import type { RequestKind } from './sender';

/** The initial number of concurrent requests to a platform. */
const initial = 10;
/** The minimum number of concurrent requests, even to an overloaded platform. */
const fewest = 2;
/** A response is fast if it takes at most twice the path's fastest recent one plus this many milliseconds. */
const tolerance = 100;
/** Longer requests measure the upload rather than the platform. */
const longestMeasured = 16 * 1024;
/** After this many responses, the fastest of the earlier ones is dropped. */
const measuredAtOnce = 40;
const busyStatuses = new Set([429, 503]);

interface SentRequest {
  readonly kind: RequestKind;
  readonly path: string;
  readonly bytes: number;
}

/** How a request ended. `broken` means that the connection failed, which says nothing about the platform's load. */
export type RequestEnd =
  | { readonly kind: 'answer'; readonly status: number; readonly milliseconds: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'broken' };

type Waits = Exclude<RequestKind, 'long'>;

interface Turn {
  /** How many requests were running, including this one. */
  readonly rank: number;
  readonly reductions: number;
}

interface Waiting {
  readonly start: () => void;
  /** How many reads have started while this write was next in line. */
  overtaken: number;
}

/** The fastest recent response for a path, in milliseconds. */
interface Fastest {
  readonly before: number;
  readonly now: number;
  readonly count: number;
}

/**
 * Limits the concurrent requests to one platform: raises the limit while responses are fast, lowers it when the
 * platform is busy. Only reads try a higher limit first, since they can be repeated; writes follow once reads have
 * succeeded.
 */
export class RequestLimit {
  private limit = initial;
  private proven = initial;
  /** Up to this limit, each fast response raises it by one; above it, the limit grows more slowly. */
  private threshold = Number.POSITIVE_INFINITY;
  private underway = 0;
  private latest: Waits = 'read';
  private readonly waiting = { read: new Set<Waiting>(), write: new Set<Waiting>() };
  private readonly fastest = new Map<string, Fastest>();
  private reductions = 0;

  /** @param most the user's own limit, read on each use */
  constructor(private readonly most: () => number) {}

  /** Runs the request when it's its turn. Rejects with the signal's reason if aborted before that. */
  async run<T>(
    request: SentRequest,
    signal: AbortSignal,
    send: (ended: (end: RequestEnd) => void) => Promise<T>,
  ): Promise<T> {
    if (request.kind === 'long') {
      // It can take minutes, and nothing else should wait for it.
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
    if (this.waiting.read.size + this.waiting.write.size === 0 && this.mayStart(kind)) {
      return this.take(kind);
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        queue.delete(waiting);
        reject(signal.reason instanceof Error ? signal.reason : new Error('The request was canceled.'));
      };
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        queue.delete(waiting);
        resolve(this.take(kind));
      };
      const waiting: Waiting = { start, overtaken: 0 };
      queue.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) {
        giveUp();
      }
      this.startNext();
    });
  }

  private take(kind: Waits): Turn {
    this.underway += 1;
    this.latest = kind;
    return { rank: this.underway, reductions: this.reductions };
  }

  private mayStart(kind: Waits): boolean {
    const limit = kind === 'write' ? Math.min(this.limit, this.proven) : this.limit;
    return this.underway < Math.max(1, Math.min(Math.floor(limit), this.most()));
  }

  private startNext(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      next.start();
    }
  }

  /**
   * Alternates reads and writes, so that a save doesn't wait for a download. While no write can start, reads try a
   * higher limit, but only a few times: otherwise, if they are slow, a slot for the write might never become free.
   */
  private next(): Waiting | undefined {
    const [read] = this.waiting.read;
    const [write] = this.waiting.write;
    if (write === undefined || read === undefined) {
      const kind = write === undefined ? 'read' : 'write';
      return this.mayStart(kind) ? (write ?? read) : undefined;
    }
    if (this.mayStart('write')) {
      return this.latest === 'write' ? read : write;
    }
    if (!this.mayStart('read') || write.overtaken >= this.limit) {
      return undefined;
    }
    write.overtaken += 1;
    return read;
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
    const speed = this.measure(sent, end.milliseconds);
    if (sent.reductions !== this.reductions) {
      // It was sent before the limit was reduced, so it says nothing about the new limit.
      return;
    }
    // Below the initial limit, a slow network is the more likely reason for slow responses.
    if (speed === 'fast' || this.limit < initial) {
      this.proven = Math.max(this.proven, sent.rank);
      this.grow();
    } else if (speed === 'slow' && this.limit > initial) {
      this.limit -= 1;
    }
  }

  /** Compares a response with recent ones for its path. */
  private measure({ path, bytes, rank }: SentRequest & Turn, milliseconds: number): 'fast' | 'slow' | 'unknown' {
    if (bytes > longestMeasured) {
      return 'unknown';
    }
    const last = this.fastest.get(path) ?? { before: milliseconds, now: milliseconds, count: 0 };
    const now = Math.min(last.now, milliseconds);
    // More concurrent requests than usual may slow down responses, so don't let these become the norm.
    const count = rank <= initial ? last.count + 1 : last.count;
    const isOver = count >= measuredAtOnce;
    this.fastest.set(path, isOver ? { before: now, now: Number.POSITIVE_INFINITY, count: 0 } : { ...last, now, count });
    return milliseconds <= 2 * Math.min(last.before, now) + tolerance ? 'fast' : 'slow';
  }

  /** Raises the limit only if it was reached. */
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
