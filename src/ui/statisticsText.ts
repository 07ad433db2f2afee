import { env, l10n } from 'vscode';
import { type OperationTotals, type RequestStatistics, sumOf } from './trafficLog';
import { formatExactTime } from './relativeTime';
import { sizeText } from './sizeText';
import { textTable } from './textTable';

/** Formats the requests since Gantry started as a table, for the log. */
export function statisticsText({ since, totals }: RequestStatistics): string {
  const heading = l10n.t('Requests since {0}', formatExactTime(since));
  if (totals.length === 0) {
    return `${heading}\n\n${l10n.t('No requests yet.')}\n`;
  }
  const titles = [
    ...[l10n.t('Operation'), l10n.t('Requests'), l10n.t('Failed'), l10n.t('Sent'), l10n.t('Received')],
    ...[l10n.t('Time'), l10n.t('Average'), l10n.t('Slowest')],
  ];
  const table = textTable([titles, ...totals.map(cells), cells(sumOf(l10n.t('Total'), totals))]);
  return `${heading}\n\n${table}\n`;
}

function cells(totals: OperationTotals): readonly string[] {
  const { operation, requests, failures, bytesSent, bytesReceived, milliseconds, slowest } = totals;
  return [
    ...[
      operation,
      String(requests),
      String(failures),
      sizeText(bytesSent, env.language),
      sizeText(bytesReceived, env.language),
    ],
    ...[milliseconds, milliseconds / requests, slowest].map((duration) => `${Math.round(duration)} ms`),
  ];
}
