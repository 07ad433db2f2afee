import type { TrafficEntry } from '../platform/trafficEntry';

/** What the requests for one operation came to. */
export interface OperationTotals {
  readonly operation: string;
  readonly requests: number;
  readonly failures: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly milliseconds: number;
  readonly slowest: number;
}

/** Adds up requests by operation, since the start of the extension. */
export class RequestStatistics {
  private readonly byOperation = new Map<string, OperationTotals>();

  constructor(readonly since: Date) {}

  note({ operation, outcome, bytesSent, bytesReceived, milliseconds }: TrafficEntry): void {
    const before = this.byOperation.get(operation) ?? nothing(operation);
    this.byOperation.set(operation, {
      operation,
      requests: before.requests + 1,
      failures: before.failures + (outcome === 'success' ? 0 : 1),
      bytesSent: before.bytesSent + bytesSent,
      bytesReceived: before.bytesReceived + bytesReceived,
      milliseconds: before.milliseconds + milliseconds,
      slowest: Math.max(before.slowest, milliseconds),
    });
  }

  /** What took the most time comes first. */
  get totals(): readonly OperationTotals[] {
    return [...this.byOperation.values()].sort(
      (one, other) => other.milliseconds - one.milliseconds || one.operation.localeCompare(other.operation),
    );
  }
}

/** All operations together, under the name that is given. */
export function sumOf(operation: string, totals: readonly OperationTotals[]): OperationTotals {
  return totals.reduce(
    (sum, next) => ({
      operation,
      requests: sum.requests + next.requests,
      failures: sum.failures + next.failures,
      bytesSent: sum.bytesSent + next.bytesSent,
      bytesReceived: sum.bytesReceived + next.bytesReceived,
      milliseconds: sum.milliseconds + next.milliseconds,
      slowest: Math.max(sum.slowest, next.slowest),
    }),
    nothing(operation),
  );
}

function nothing(operation: string): OperationTotals {
  return { operation, requests: 0, failures: 0, bytesSent: 0, bytesReceived: 0, milliseconds: 0, slowest: 0 };
}
