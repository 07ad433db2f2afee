import { l10n, type LogOutputChannel } from 'vscode';
import type { TrafficLog } from '../platform/traffic';
import type { RequestStatistics } from './requestStatistics';
import { trafficLine } from './trafficLine';

/** A line for each request: what was asked of what, how it went, how much, how long. Never a secret, never a text. */
export function logTraffic(log: LogOutputChannel, statistics: RequestStatistics): TrafficLog {
  log.info(l10n.t('With the level Debug, set by the gear wheel of this view, each request is written here.'));
  return (entry) => {
    statistics.note(entry);
    log.debug(trafficLine(entry));
  };
}
