import { l10n } from 'vscode';
import { showWarningMessage } from '../ui/notifications';

/** A URL is written into the logs of every server on the way, so this is never done without being asked. */
export async function agreesToPasswordsInUrl(host: string): Promise<boolean> {
  return (await ask(host, [sending()])) === sending();
}

/** The same while signing in, where a token can take the password's place: that is the choice by default. */
export async function passwordOrToken(host: string): Promise<'password' | 'token' | undefined> {
  const token = l10n.t('Use an Access Token');
  switch (await ask(host, [token, sending()])) {
    case token:
      return 'token';
    case sending():
      return 'password';
    default:
      return undefined;
  }
}

const sending = () => l10n.t('Send Password in the URL');

function ask(host: string, choices: readonly string[]): Thenable<string | undefined> {
  const detail = l10n.t(
    'This platform does not read the body of a request. Servers and proxies on the way commonly write URLs into their logs, and the password with them. An access token, made in the dashboard, can be deleted at any time and is the safer choice.',
  );
  const question = l10n.t('{0} takes passwords only in URLs. Send yours that way?', host);
  return showWarningMessage(question, { modal: true, detail }, ...choices);
}
