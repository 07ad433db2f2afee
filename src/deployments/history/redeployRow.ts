import { l10n, MarkdownString, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { row, rowCommand } from '../../trees/sharedRows';
import { appendPlain } from '../../ui/plainText';
import { formatDuration, formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import { short } from '../commits';
import { projectKey } from '../projectPlace';
import type { DeployRecord } from '../redeploy/redeployResult';
import { type Severity, severityOf } from '../results';
import { nodesText, redeployResultText } from '../redeploy/redeployResultText';
import type { LocalCommit } from '../repositories/localRepository';

/** A past redeploy, with the commit that it deployed if the repository is open here. */
export interface RedeployElement {
  readonly kind: 'redeploy';
  readonly record: DeployRecord;
  /** How it ended. */
  readonly message: string;
  readonly commit: LocalCommit | undefined;
}

export const severityIcons: Readonly<Record<Severity, ThemeIcon>> = {
  success: new ThemeIcon('pass', new ThemeColor('testing.iconPassed')),
  warning: new ThemeIcon('question', new ThemeColor('list.warningForeground')),
  error: new ThemeIcon('error', new ThemeColor('list.errorForeground')),
};

export function redeployRow(element: RedeployElement): TreeItem {
  const { record, commit } = element;
  const id = `redeploy ${projectKey(record)} ${record.id}`;
  const severity = severityOf(record.verdict);
  const when = formatRelativeTime(record.startedAt);
  return row(id, redeployResultText(record), TreeItemCollapsibleState.None, {
    description: commit === undefined ? when : `${when} · ${commit.subject}`,
    iconPath: severityIcons[severity],
    tooltip: tooltipOf(element),
    contextValue: severity === 'warning' ? 'redeploy unclear' : 'redeploy',
    command: rowCommand('gantry.project.showLog', l10n.t('Show Log'), element),
  });
}

function tooltipOf({ record, message, commit }: RedeployElement): MarkdownString {
  const nodes = record.nodes.length > 1 ? [nodesText(record)] : [];
  const result = [message, ...nodes].filter(Boolean).join(' ');
  return [result, ...timesAndCommit(record, commit)].reduce(
    (tooltip, line) => appendPlain(tooltip, line).appendMarkdown('\n\n'),
    new MarkdownString(),
  );
}

/** When a redeploy started, how long it took, and what it deployed, one line each. */
export function timesAndCommit({ startedAt, milliseconds }: DeployRecord, commit: LocalCommit | undefined): string[] {
  const start = formatExactTime(startedAt);
  return [
    // The duration of a redeploy that never ended isn't known.
    milliseconds === 0
      ? l10n.t('Started: {0}', start)
      : l10n.t('Started: {0} (took {1})', start, formatDuration(milliseconds)),
    ...(commit === undefined ? [] : [l10n.t('Commit: {0} {1}', short(commit.hash), commit.subject)]),
  ];
}
