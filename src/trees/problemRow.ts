import { type Command, l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { CommandId } from '../manifest';
import { isPlatformError } from '../platform/errors';
import { operationLabel } from '../ui/operationLabels';

import { failureReason, failureText } from '../ui/failureMessages';
import { row } from './row';
import { commandFor } from './signedOutRow';

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
export function problemRow(problem: Problem, retry: CommandId): TreeItem {
  const { id, error, what, account } = problem;
  const again = { command: retry, title: l10n.t('Retry'), arguments: [problem] };
  const command = (account === undefined ? undefined : commandFor(error, account)) ?? again;
  return failureRow(id, error, { what, command });
}

interface FailureLook {
  readonly what?: string | undefined;
  /** What a click on it does. */
  readonly command?: Command;
}

/** In a narrow side bar what went wrong is to be seen before what was being done. */
export function failureRow(id: string, error: unknown, { what, command }: FailureLook = {}): TreeItem {
  const deed = isPlatformError(error) && error.target !== undefined ? operationLabel(error.operation) : undefined;
  const reason = isPlatformError(error) && deed !== undefined ? failureReason(error) : failureText(error);
  const sentence = failureText(error);
  const whole = what === undefined ? sentence : `${what}: ${sentence}`;
  const begins = `${reason.slice(0, 1).toLocaleUpperCase()}${reason.slice(1)}`;
  return row(id, what === undefined ? begins : `${what}: ${reason}`, TreeItemCollapsibleState.None, {
    iconPath: new ThemeIcon('warning'),
    ...(deed === undefined ? {} : { description: deed }),
    tooltip: whole,
    contextValue: 'problem',
    ...(command === undefined ? {} : { command }),
    accessibilityInformation: { label: command === undefined ? whole : l10n.t('{0} Retry.', whole) },
  });
}
