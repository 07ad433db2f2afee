import { l10n, window } from 'vscode';
import { type OperationTotals, type RequestStatistics, sumOf } from './trafficLog';
import type { ShownTexts } from './shownTexts';
import { formatExactTime } from './relativeTime';
import { sizeText } from './sizeText';
import { textTable } from './textTable';

export interface LogCommandsDeps {
  readonly statistics: RequestStatistics;
  readonly texts: ShownTexts;
}

export function logCommands({ statistics, texts }: LogCommandsDeps) {
  return {
    async 'gantry.log.showStatistics'() {
      const uri = texts.add(l10n.t('Gantry requests.txt'), statisticsText(statistics));
      await window.showTextDocument(uri);
    },
  };
}

function statisticsText({ since, totals }: RequestStatistics): string {
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
    ...[operation, String(requests), String(failures), sizeText(bytesSent), sizeText(bytesReceived)],
    ...[milliseconds, milliseconds / requests, slowest].map((duration) => `${Math.round(duration)} ms`),
  ];
}
