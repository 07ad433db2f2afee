import { l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { CommandId } from '../manifest';
import { failureText } from '../ui/notifications';
import { row } from './row';
import { commandFor } from './signedOut';

/** Stands where something would that could not be fetched. */
export interface Problem {
  readonly kind: 'problem';
  readonly id: string;
  readonly error: unknown;
  /** What could not be fetched, where a view can fetch more than one thing. */
  readonly what?: string;
  /** Whose account it was. */
  readonly account?: string | undefined;
}

/** A row with the reason, which asks again when it is clicked, or signs in again where that would mend it. */
export function problemItem(problem: Problem, retry: CommandId): TreeItem {
  const { id, error, what, account } = problem;
  const reason = failureText(error);
  const text = what === undefined ? reason : `${what}: ${reason}`;
  const again = { command: retry, title: l10n.t('Retry'), arguments: [problem] };
  return row(id, text, TreeItemCollapsibleState.None, {
    iconPath: new ThemeIcon('warning'),
    tooltip: text,
    contextValue: 'problem',
    command: (account === undefined ? undefined : commandFor(error, account)) ?? again,
    accessibilityInformation: { label: l10n.t('{0} Retry.', text) },
  });
}
