import type { LogOutputChannel } from 'vscode';
import type { TrafficLog } from '../platform/traffic';

/** A line for each request: what was asked of what, how it went, how much, how long. Never a secret, never a text. */
export function trafficLogTo(log: LogOutputChannel): TrafficLog {
  return (request) => log.debug(JSON.stringify(request));
}
