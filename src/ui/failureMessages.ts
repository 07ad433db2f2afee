import { FileSystemError, l10n } from 'vscode';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { failureSentence, failureWhat, isUnconfirmed, obstacleText } from '../platform/failureTexts';
import { operationLabel } from './operationLabels';
import { escapeLinks } from './escapeLinks';

/** What happened, to what, and what to do next, for a person. */
export function failureMessage(error: PlatformError): string {
  const { operation, target } = error;
  if (target === undefined) {
    return escapeLinks(error.message);
  }
  const subject = target === '' ? operationLabel(operation) : `${operationLabel(operation)} (${target})`;
  return escapeLinks(failureSentence(error, { subject, particulars: particularsOf(error) }, l10n));
}

/** The message for any error. */
export function failureText(error: unknown): string {
  if (isPlatformError(error)) {
    return failureMessage(error);
  }
  if (error instanceof FileSystemError && error.code === 'Unavailable') {
    // Its links are ours: they offer what can be done about a save. The other codes hold the bare name of a file.
    return error.message;
  }
  return escapeLinks(error instanceof Error ? error.message : String(error));
}

/** What happened alone, for where it is plain what was being done. */
export function failureReason(error: PlatformError): string {
  const particulars = particularsOf(error);
  return particulars === '' || isUnconfirmed(error) ? failureWhat(error, l10n) : particulars;
}

/** The platform's own words where it has some; what else is known beyond the kind, in the log's language, is a detail of the request. */
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
