import { FileSystemError, l10n } from 'vscode';
import type { CommandId } from '../manifest';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { failureSentence, failureWhat, isUnconfirmed } from '../platform/failureTexts';
import { resultCodes } from '../platform/resultCodes';
import { ExpectedError } from './expectedError';
import { operationLabel } from './operationLabels';
import { escapeLinks } from './escapeMarkup';

/** Returns a message for the user: what happened, to what, and what to do next. */
export function failureMessage(error: PlatformError): string {
  const { operation, target, isOutcomeUnknown } = error;
  if (target === undefined) {
    return escapeLinks(error.message);
  }
  const object = failedObjectText(error);
  // It isn't known whether it failed, so don't say that it did.
  const subject = isOutcomeUnknown ? unconfirmed(object) : operationLabel(operation, object);
  const reason = error.obstacle === 'unsafeHere' ? error.detail : undefined;
  return escapeLinks(failureSentence(error, { subject, words: wordsOf(error), reason }, l10n));
}

function unconfirmed(object: string | undefined): string {
  return object === undefined
    ? l10n.t("Couldn't confirm the change")
    : l10n.t("Couldn't confirm the change to {0}", object);
}

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

/** For the message of a failed save. VS Code shows links only there. */
export function diagnosticsLink(): string {
  const command: CommandId = 'gantry.diagnostics.copy';
  return `[${l10n.t('Copy Diagnostics')}](command:${command})`;
}

/** Returns only what happened, for use where the operation is obvious. */
export function failureReason(error: PlatformError): string {
  const words = wordsOf(error);
  return words === '' || error.obstacle !== undefined || isUnconfirmed(error) ? failureWhat(error, l10n) : words;
}

/** Returns the reason of any error without a period, to follow a colon: "a.txt: the platform denied permission". */
export function reasonText(error: unknown): string {
  const isOurs = isPlatformError(error) && error.target !== undefined;
  return (isOurs ? escapeLinks(failureReason(error)) : failureText(error)).replace(/(?<![.\s])[.\s]+$/, '');
}

/** Prefers the platform's own words. Other details are in the log's language, so shows few of them. */
function wordsOf({ words, obstacle, status, kind, result, detail }: PlatformError): string {
  // The platform names this state by a constant, and the kind says the same.
  const areRepeated = kind === 'notRunning' && result === resultCodes.wrongState;
  if (words !== undefined && !areRepeated) {
    return words;
  }
  if (obstacle === undefined && status !== undefined) {
    return `HTTP ${status}`;
  }
  return obstacle === undefined && (kind === 'invalid' || kind === 'tooLarge') ? (detail ?? '') : '';
}

/** Whether the user can act on an error's message. Any other error may be a bug, so its message offers the diagnostics. */
export function isExpected(error: unknown): boolean {
  if (isPlatformError(error)) {
    return error.obstacle !== undefined || (error.kind !== 'platform' && error.kind !== 'protocol');
  }
  return error instanceof ExpectedError || (error instanceof FileSystemError && error.code !== 'Unknown');
}

/** Names what a call was about in the words of the tree, such as "php.ini on node 66001"; `undefined` if it has no name. */
function failedObjectText({ operation, object = {}, target = '' }: PlatformError): string | undefined {
  // Some errors of our own have only a path.
  const { path: stated = target.startsWith('/') ? target : undefined, context, environment } = object;
  // The folder of the logs isn't what they are the logs of.
  const path = operation === 'GetLogs' ? undefined : stated;
  const name = nameIn(path) ?? context;
  // A project's name and environment are enough, whatever layer it's on.
  const where = path === undefined && context !== undefined ? environment : containerOf(object);
  if (name === undefined) {
    return where ?? environment;
  }
  return where === undefined ? name : l10n.t('{0} on {1}', name, where);
}

function containerOf({ nodeId, layer, environment }: NonNullable<PlatformError['object']>): string | undefined {
  if (nodeId !== undefined) {
    return l10n.t('node {0}', nodeId);
  }
  if (layer === undefined) {
    return environment;
  }
  return environment === undefined ? l10n.t('layer {0}', layer) : l10n.t('layer {0} of {1}', layer, environment);
}

function nameIn(path: string | undefined): string | undefined {
  return path?.split('/').findLast((part) => part !== '') ?? path;
}
