import { l10n, type LogOutputChannel, window } from 'vscode';
import { isCancelled, isPlatformError } from '../platform/errors';
import { sentenceOf } from './sentences';

/** Tells the person of a failure, with the log at hand. Something cancelled by the person is no failure. */
export async function notifyFailure(error: unknown, log: LogOutputChannel): Promise<void> {
  if (isCancelled(error)) {
    return;
  }
  const text = failureText(error);
  log.error(text);
  const showLog = l10n.t('Show Log');
  if ((await window.showErrorMessage(text, showLog)) === showLog) {
    log.show();
  }
}

export function failureText(error: unknown): string {
  if (isPlatformError(error)) {
    return sentenceOf(error);
  }
  return error instanceof Error ? error.message : String(error);
}
