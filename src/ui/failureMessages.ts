import { FileSystemError, l10n } from 'vscode';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { failureSentence, failureWhat, isUnconfirmed, obstacleText } from '../platform/failureTexts';
import { failedObjectText } from './failedObjectText';
import { operationLabel } from './operationLabels';
import { escapeLinks } from './escapeLinks';

/** Returns a message for the user: what happened, to what, and what to do next. */
export function failureMessage(error: PlatformError): string {
  const { operation, target, isOutcomeUnknown } = error;
  if (target === undefined) {
    return escapeLinks(error.message);
  }
  const object = failedObjectText(error);
  // It isn't known whether it failed, so don't say that it did.
  const subject = isOutcomeUnknown ? unconfirmed(object) : operationLabel(operation, object);
  return escapeLinks(failureSentence(error, { subject, particulars: particularsOf(error) }, l10n));
}

function unconfirmed(object: string | undefined): string {
  return object === undefined
    ? l10n.t("Couldn't confirm the change")
    : l10n.t("Couldn't confirm the change to {0}", object);
}

/** Returns the message for any error. */
export function failureText(error: unknown): string {
  if (isPlatformError(error)) {
    return failureMessage(error);
  }
  if (error instanceof FileSystemError && error.code === 'Unavailable') {
    // Keep the links, which are ours and offer actions for a failed save. Other codes only contain a file name.
    return error.message;
  }
  return escapeLinks(error instanceof Error ? error.message : String(error));
}

/** Returns only what happened, for use where the operation is obvious. */
export function failureReason(error: PlatformError): string {
  const particulars = particularsOf(error);
  return particulars === '' || isUnconfirmed(error) ? failureWhat(error, l10n) : particulars;
}

/** Prefers the platform's own words. Other details are in the log's language, so shows few of them. */
function particularsOf({ words, obstacle, status, kind, detail }: PlatformError): string {
  if (words !== undefined) {
    return words;
  }
  if (obstacle !== undefined) {
    return obstacleText(obstacle, l10n);
  }
  if (status !== undefined) {
    return `HTTP ${status}`;
  }
  return kind === 'invalid' || kind === 'tooLarge' ? (detail ?? '') : '';
}
