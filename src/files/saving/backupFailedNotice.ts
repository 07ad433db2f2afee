import { l10n, type LogOutputChannel } from 'vscode';
import { showWarningMessage } from '../../ui/notifications';
import { failureText } from '../../ui/failureMessages';

/**
 * Warns that unsaved text won't survive this window because the disk can't store it. Shown once; every failure is
 * logged.
 */
export function showBackupFailed(log: LogOutputChannel): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    const reason = failureText(error);
    log.warn(`Unsaved text could not be kept on disk: ${reason}`);
    if (isTold) {
      return;
    }
    isTold = true;
    const showLog = l10n.t('Show Log');
    const text = l10n.t(
      'Unsaved text cannot be kept on the disk of this machine ({0}). Until that is mended it lives in its editor alone: save it before you close the window.',
      reason,
    );
    void showWarningMessage(text, showLog).then((chosen) => {
      if (chosen === showLog) {
        log.show();
      }
    });
  };
}
