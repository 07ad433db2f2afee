import { l10n } from 'vscode';
import { type Canceled, isCanceled } from '../platform/errors';
import { copyDiagnostics, type OtherButtons, showErrorMessage, showWarningMessage } from './notifications';
import { isExpected, reasonText } from './failureMessages';

interface BatchOutcome<T> {
  readonly item: T;
  readonly failure?: { readonly error: unknown };
}

interface BatchRun<T> {
  readonly outcomes: readonly BatchOutcome<T>[];
  /** The outcomes are then only those of the items before. */
  readonly canceled: Canceled | undefined;
}

/** Runs the work for each item in order. A failure doesn't stop the rest, but canceling does. */
export async function runEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<BatchRun<T>> {
  const outcomes: BatchOutcome<T>[] = [];
  for (const item of items) {
    try {
      await work(item);
      outcomes.push({ item });
    } catch (error) {
      if (isCanceled(error)) {
        return { outcomes, canceled: error };
      }
      outcomes.push({ item, failure: { error } });
    }
  }
  return { outcomes, canceled: undefined };
}

/**
 * Checks each item before the user is asked anything. Returns the items that passed and the outcomes of the others. Throws
 * the first failure if none passed.
 */
export function checkEach<T>(
  items: readonly T[],
  ensure: (item: T) => void,
): { readonly passed: readonly T[]; readonly refused: readonly BatchOutcome<T>[] } {
  const passed: T[] = [];
  const refused: Required<BatchOutcome<T>>[] = [];
  for (const item of items) {
    try {
      ensure(item);
      passed.push(item);
    } catch (error) {
      refused.push({ item, failure: { error } });
    }
  }
  const [first] = refused;
  if (first !== undefined && passed.length === 0) {
    throw first.failure.error;
  }
  return { passed, refused };
}

export function succeeded<T>(outcomes: readonly BatchOutcome<T>[]): T[] {
  return outcomes.flatMap(({ item, failure }) => (failure === undefined ? [item] : []));
}

/**
 * Shows how many items failed, and why on request. If there's only one item, throws its error, which names it.
 * @param headline gets the first error, too
 */
export async function reportFailures<T>(
  outcomes: readonly BatchOutcome<T>[],
  nameOf: (item: T) => string,
  headline: (failed: number, all: number, first: unknown) => string,
): Promise<void> {
  const failures = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [failure.error]));
  const [first] = failures;
  if (failures.length === 0) {
    return;
  }
  if (outcomes.length === 1) {
    throw first;
  }
  const lines = outcomes.map(({ item, failure }) =>
    failure === undefined
      ? l10n.t('✓ {0}', nameOf(item))
      : l10n.t('✗ {0}: {1}', nameOf(item), reasonText(failure.error)),
  );
  const text = headline(failures.length, outcomes.length, first);
  await showBatchReport({ headline: text, errors: failures, details: lines });
}

interface BatchReport {
  /** Counts, in the words of the work. */
  readonly headline: string;
  readonly severity?: 'warning' | 'error';
  readonly errors: readonly unknown[];
  /** The lines of a dialog, or shows them elsewhere if there may be too many. */
  readonly details: readonly string[] | (() => Promise<void>);
  /** What can follow, such as Retry or Undo, by its button. */
  readonly next?: OtherButtons;
}

/** Shows the outcome of work on several items, and the details on request. Then does what the person chose. */
export async function showBatchReport(report: BatchReport): Promise<void> {
  const { headline, severity = 'error', errors, details, next = [] } = report;
  const copy = () => copyDiagnostics(errors);
  const offered = new Map<string, () => unknown>([
    ...next,
    ...(errors.every(isExpected) ? [] : [[l10n.t('Copy Diagnostics'), copy] as const]),
  ]);
  const show = l10n.t('Show Details');
  const showMessage = severity === 'warning' ? showWarningMessage : showErrorMessage;
  let chosen = await showMessage(headline, show, ...offered.keys());
  if (chosen === show) {
    chosen =
      typeof details === 'function'
        ? await details().then(() => undefined)
        : await showErrorMessage(headline, { modal: true, detail: details.join('\n') }, ...offered.keys());
  }
  await offered.get(chosen ?? '')?.();
}
