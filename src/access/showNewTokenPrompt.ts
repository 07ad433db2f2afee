import { env, l10n, window } from 'vscode';
import { showInformationItems } from '../ui/notifications';

/** Shows the value of a token, which the platform tells only now. A dialog leaves nothing behind when it is closed. */
export async function showNewToken(key: string, message: string): Promise<void> {
  const copy = { title: l10n.t('Copy') };
  const close = { title: l10n.t('Close'), isCloseAffordance: true };
  const detail = l10n.t('{0}\n\nIt is shown only now. Keep it like a password.', key);
  if ((await showInformationItems(message, { modal: true, detail }, copy, close)) === copy) {
    await env.clipboard.writeText(key);
    window.setStatusBarMessage(
      l10n.t('$(key) Copied: the clipboard holds the token until you copy something else'),
      5000,
    );
  }
}
