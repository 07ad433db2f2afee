import { l10n, window } from 'vscode';

/** A URL is written into the logs of every server on the way, so this is never done without being asked. */
export async function agreesToPasswordsInUrl(host: string): Promise<boolean> {
  const send = l10n.t('Send Password in the URL');
  const detail = l10n.t(
    'This platform does not read the body of a request. Servers and proxies on the way commonly write URLs into their logs, and the password with them. An access token, made in the dashboard, can be deleted at any time and is the safer choice.',
  );
  const question = l10n.t('{0} takes passwords only in URLs. Send yours that way?', host);
  return (await window.showWarningMessage(question, { modal: true, detail }, send)) === send;
}
