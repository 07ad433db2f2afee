import type { LogOutputChannel } from 'vscode';
import type { TrafficEntry, TrafficLog } from '../platform/sending/sender';
import { sizeText } from './sizeText';

/** A failed request, without its target. */
export interface FailedRequest extends Pick<
  TrafficEntry,
  'operation' | 'outcome' | 'result' | 'status' | 'attempt' | 'milliseconds'
> {
  readonly at: Date;
}

const maxFailures = 20;

/**
 * Logs one line per request: operation, target, result, size and time. Never includes a secret or a text.
 * @param failed gets the requests that failed, and keeps the last ones
 */
export function logTraffic(log: Pick<LogOutputChannel, 'debug'>, failed: FailedRequest[]): TrafficLog {
  return (entry) => {
    const { operation, outcome, result, status, attempt, milliseconds } = entry;
    if (outcome !== 'success' && outcome !== 'cancelled') {
      failed.push({ at: new Date(), operation, outcome, result, status, attempt, milliseconds });
      failed.splice(0, failed.length - maxFailures);
    }
    log.debug(trafficLine(entry));
  };
}

function trafficLine(entry: TrafficEntry): string {
  const { operation, target, outcome, result, status, attempt, bytesSent, bytesReceived, milliseconds } = entry;
  const asked = [operation, target].filter((part) => part !== '').join(' ');
  const code = result === undefined ? [] : [`result ${result}`];
  const page = status === undefined || status === 200 ? [] : [`HTTP ${status}`];
  const again = attempt === 1 ? [] : [`attempt ${attempt}`];
  const amounts = [`sent ${sizeText(bytesSent)}`, `received ${sizeText(bytesReceived)}`, `${milliseconds} ms`];
  return `${asked}: ${[outcome, ...code, ...page, ...again, ...amounts].join(', ')}`;
}
