import { FileSystemError, l10n } from 'vscode';
import { type CallObject, isPlatformError, type PlatformError } from '../platform/errors';
import { failureSentence, failureWhat, isUnconfirmed } from '../platform/failureTexts';
import { operationLabel } from './operationLabels';
import { escapeLinks } from './escapeLinks';

/** Returns a message for the user: what failed, why, and what to do next. */
export function failureMessage(error: PlatformError): string {
  const { operation, target, isOutcomeUnknown } = error;
  if (target === undefined) {
    return escapeLinks(error.message);
  }
  const object = objectText(error.object);
  const subject = isOutcomeUnknown ? unconfirmed(object) : operationLabel(operation, object);
  return escapeLinks(failureSentence(error, { subject, words: wordsOf(error) }, l10n));
}

/** Doesn't say that a change failed, because that isn't known. */
function unconfirmed(object: string): string {
  return object === '' ? l10n.t("Couldn't confirm the change") : l10n.t("Couldn't confirm the change to {0}", object);
}

/** Names what a call was about as the trees do, such as "php.ini on node 66001". */
function objectText({ environment = '', layer, node, context, path }: CallObject): string {
  const name = path === undefined ? (context ?? '') : (/[^/]+(?=\/*$)/.exec(path)?.[0] ?? path);
  if (name !== '' && path !== undefined && node !== undefined) {
    return l10n.t('{0} on node {1}', name, node);
  }
  if (name !== '' && path !== undefined && layer !== undefined) {
    return l10n.t('{0} on layer {1} of {2}', name, layer, environment);
  }
  if (name !== '') {
    return environment === '' ? name : l10n.t('{0} on {1}', name, environment);
  }
  return node === undefined ? environment : l10n.t('node {0}', node);
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
  const words = wordsOf(error);
  return words === '' || error.obstacle !== undefined || isUnconfirmed(error) ? failureWhat(error, l10n) : words;
}

/** Returns the reason of any error without a period, to follow a colon: "a.txt: the platform denied permission". */
export function reasonText(error: unknown): string {
  const isOurs = isPlatformError(error) && error.target !== undefined;
  return (isOurs ? escapeLinks(failureReason(error)) : failureText(error)).replace(/[.\s]+$/, '');
}

/** Prefers the platform's own words. Other details are in the log's language, so shows few of them. */
function wordsOf({ words, obstacle, status, kind, detail }: PlatformError): string {
  if (words !== undefined) {
    return words;
  }
  if (obstacle === undefined && status !== undefined) {
    return `HTTP ${status}`;
  }
  return obstacle === undefined && (kind === 'invalid' || kind === 'tooLarge') ? (detail ?? '') : '';
}
