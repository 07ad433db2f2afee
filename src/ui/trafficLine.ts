import type { TrafficEntry } from '../platform/traffic';
import { sizeText } from './sizeText';

/** What was asked of what, how it went, how much, how long. */
export function trafficLine(entry: TrafficEntry): string {
  const { operation, target, outcome, result, status, attempt, bytesSent, bytesReceived, milliseconds } = entry;
  const asked = [operation, target].filter((part) => part !== '').join(' ');
  const code = result === undefined ? [] : [`result ${result}`];
  const page = status === undefined || status === 200 ? [] : [`HTTP ${status}`];
  const again = attempt === 1 ? [] : [`attempt ${attempt}`];
  const amounts = [`sent ${sizeText(bytesSent)}`, `received ${sizeText(bytesReceived)}`, `${milliseconds} ms`];
  return `${asked}: ${[outcome, ...code, ...page, ...again, ...amounts].join(', ')}`;
}
