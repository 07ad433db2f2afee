import { FileSystemError, l10n, type LogOutputChannel, window } from 'vscode';
import { isCancelled, isPlatformError } from '../platform/errors';
import { sentenceOf } from './sentences';
import { withoutLinks } from './withoutLinks';

/** Tells the person of a failure, with the log at hand. What the person cancelled is no failure. */
export async function notifyFailure(error: unknown, log: LogOutputChannel): Promise<void> {
  if (isCancelled(error)) {
    if (error.fateUnknown) {
      void window.showInformationMessage(
        l10n.t('{0} was stopped here. The platform may finish it all the same.', error.operation),
      );
    }
    return;
  }
  const text = failureText(error);
  log.error(error instanceof Error ? error.message : text);
  const showLog = l10n.t('Show Log');
  if ((await window.showErrorMessage(text, showLog)) === showLog) {
    log.show();
  }
}

export function failureText(error: unknown): string {
  if (isPlatformError(error)) {
    return sentenceOf(error);
  }
  if (error instanceof FileSystemError) {
    // Its links are ours: they offer what can be done about a save.
    return error.message;
  }
  return withoutLinks(error instanceof Error ? error.message : String(error));
}
