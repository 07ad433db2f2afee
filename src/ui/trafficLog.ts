import type { LogOutputChannel } from 'vscode';
import type { TrafficEntry, TrafficLog } from '../platform/sending/sender';
import { sizeText } from './sizeText';

export interface OperationTotals {
  readonly operation: string;
  readonly requests: number;
  readonly failures: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly milliseconds: number;
  readonly slowest: number;
}

/** A request that failed, without what it was about. */
export interface FailedRequest extends Pick<
  TrafficEntry,
  'operation' | 'outcome' | 'result' | 'status' | 'attempt' | 'milliseconds'
> {
  readonly at: Date;
}

const mostFailures = 20;

/** Adds up requests by operation since the extension started. */
export class RequestStatistics {
  private readonly byOperation = new Map<string, OperationTotals>();
  private readonly failed: FailedRequest[] = [];

  constructor(readonly since: Date) {}

  note(entry: TrafficEntry): void {
    const { operation, outcome, bytesSent, bytesReceived, milliseconds } = entry;
    if (outcome !== 'success' && outcome !== 'cancelled') {
      const { result, status, attempt } = entry;
      this.failed.push({ at: new Date(), operation, outcome, result, status, attempt, milliseconds });
      this.failed.splice(0, this.failed.length - mostFailures);
    }
    const before = this.byOperation.get(operation) ?? nothing(operation);
    const failures = outcome === 'success' ? 0 : 1;
    const one = { operation, requests: 1, failures, bytesSent, bytesReceived, milliseconds, slowest: milliseconds };
    this.byOperation.set(operation, sumOf(operation, [before, one]));
  }

  /** The last failed requests, oldest first. */
  get lastFailures(): readonly FailedRequest[] {
    return this.failed;
  }

  /** The totals, with the longest total time first. */
  get totals(): readonly OperationTotals[] {
    return [...this.byOperation.values()].sort(
      (one, other) => other.milliseconds - one.milliseconds || one.operation.localeCompare(other.operation),
    );
  }
}

/** Sums up all operations under the given name. */
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

/** Logs one line per request: operation, target, result, size and time. Never includes a secret or a text. */
export function logTraffic(log: Pick<LogOutputChannel, 'debug'>, statistics: RequestStatistics): TrafficLog {
  return (entry) => {
    statistics.note(entry);
    log.debug(trafficLine(entry));
  };
}

export function trafficLine(entry: TrafficEntry): string {
  const { operation, target, outcome, result, status, attempt, bytesSent, bytesReceived, milliseconds } = entry;
  const asked = [operation, target].filter((part) => part !== '').join(' ');
  const code = result === undefined ? [] : [`result ${result}`];
  const page = status === undefined || status === 200 ? [] : [`HTTP ${status}`];
  const again = attempt === 1 ? [] : [`attempt ${attempt}`];
  const amounts = [`sent ${sizeText(bytesSent)}`, `received ${sizeText(bytesReceived)}`, `${milliseconds} ms`];
  return `${asked}: ${[outcome, ...code, ...page, ...again, ...amounts].join(', ')}`;
}
