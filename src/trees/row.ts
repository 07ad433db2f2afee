import { type Command, env, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { CommandId } from '../manifest';
import { isPlatformError } from '../platform/errors';
import { command } from '../ui/commands/command';
import { failureReason, failureText, isExpected } from '../ui/failureMessages';
import { operationLabel } from '../ui/operationLabels';
import type { ProblemElement } from './sharedElement';

/** Sets the accessibility label to label and description, because VS Code would use the tooltip instead. */
export function row(id: string, label: string, state: TreeItemCollapsibleState, rest: Partial<TreeItem>): TreeItem {
  const item = new TreeItem(label, state);
  const spoken = [label, rest.description].filter((part) => typeof part === 'string' && part !== '').join(', ');
  return Object.assign(item, { id, accessibilityInformation: { label: spoken } }, rest);
}

/** What a click on a row does. */
export function rowCommand(command: CommandId, title: string, argument: unknown): Command {
  return { command, title, arguments: [argument] };
}

/** Menus offer a command where the context value has the word for it. */
export function contextWords(...all: readonly (string | false)[]): string {
  return all.filter((word) => word !== false).join(' ');
}

/** Signs in again to an account whose token is no longer accepted. */
export function signInAgain(slug: string): Command {
  return rowCommand('gantry.account.signInAgain', l10n.t('Sign In Again'), slug);
}

/** Shows the error before the operation, because a narrow side bar truncates the row. */
export function problemRow(problem: ProblemElement): TreeItem {
  const { id, error, what, slug } = problem;
  const { label, reason } = wordsFor(error);
  const whole = what === undefined ? failureText(error) : `${what}: ${failureText(error)}`;
  const begins = `${reason.slice(0, 1).toLocaleUpperCase(env.language)}${reason.slice(1)}`;
  const isRefused = isPlatformError(error) && error.kind === 'unauthenticated' && slug !== undefined;
  return row(id, what === undefined ? begins : `${what}: ${reason}`, TreeItemCollapsibleState.None, {
    iconPath: new ThemeIcon('warning'),
    ...(label === undefined ? {} : { description: label }),
    tooltip: whole,
    contextValue: contextWords('problem', !isExpected(error) && 'unexpected'),
    command: isRefused ? signInAgain(slug) : rowCommand('gantry.view.retry', l10n.t('Retry'), problem),
    accessibilityInformation: {
      label: isRefused
        ? l10n.t('{0} Press Enter to sign in again.', whole)
        : l10n.t('{0} Press Enter to retry.', whole),
    },
  });
}

/** Returns the operation and why it failed, or no label if the sentence alone says both. */
function wordsFor(error: unknown): { readonly label: string | undefined; readonly reason: string } {
  return isPlatformError(error) && error.target !== undefined
    ? { label: operationLabel(error.operation), reason: failureReason(error) }
    : { label: undefined, reason: failureText(error) };
}

/** Tries again what failed, from the row that says so. */
export const retryCommand = command(
  'rows',
  ({ object }) => (canRetry(object) ? object : undefined),
  (problem) => problem.retry(),
);

function canRetry(row: object | undefined): row is Pick<ProblemElement, 'retry'> {
  return row !== undefined && 'retry' in row && typeof row.retry === 'function';
}
