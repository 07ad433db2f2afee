import type { LogOutputChannel } from 'vscode';
import type { TrafficEntry, TrafficLog } from '../platform/trafficEntry';
import type { RequestStatistics } from './requestStatistics';
import { sizeText } from './sizeText';

/** A line for each request: what was asked of what, how it went, how much, how long. Never a secret, never a text. */
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
