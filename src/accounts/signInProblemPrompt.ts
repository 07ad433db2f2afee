import { env, l10n, Uri } from 'vscode';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { resultCodes } from '../platform/resultCodes';
import { failureMessage } from '../ui/failureMessages';
import { showWarningMessage } from '../ui/notifications';
import { asksSecondFactor } from './signIn';

/** What went wrong during sign-in, and the question to ask again. */
export interface SignInProblem {
  readonly key: 'address' | 'login' | 'password' | 'token';
  readonly problem: string;
}

/** Returns `undefined` if no other answer would help. */
export function signInProblem(error: unknown, way: 'password' | 'token', host: string): SignInProblem | undefined {
  if (!isPlatformError(error)) {
    return undefined;
  }
  if (error.kind === 'unauthenticated' || error.result === resultCodes.invalidParameter) {
    return way === 'token'
      ? {
          key: 'token',
          problem: l10n.t(
            '{0} does not accept this token. Copy it again, whole; or make a new one in the dashboard, if it was deleted or has ended.',
            host,
          ),
        }
      : { key: 'password', problem: wrongPassword(host) };
  }
  return { key: 'address', problem: error.isOutcomeUnknown ? uncertain(error, host) : addressProblem(error, host) };
}

export function wrongPassword(host: string): string {
  return l10n.t('{0} does not know this password for this email address. Type it again.', host);
}

/** The platform didn't confirm that it created the token, so there may be one whose value is lost. */
function uncertain(error: PlatformError, host: string): string {
  const reason = addressProblem(error, host);
  return error.operation === 'CreateToken'
    ? l10n.t(
        '{0} If the dashboard now lists a token “Gantry, VS Code on …” that you did not have before, delete it there.',
        reason,
      )
    : reason;
}

function addressProblem(error: PlatformError, host: string): string {
  switch (error.obstacle) {
    case 'certificate':
      return l10n.t(
        'The certificate of {0} is not trusted, so nothing was sent. Check the address, or have your administrator add the certificate.',
        host,
      );
    case 'unknownHost':
      return l10n.t('There is no host {0}. Check the spelling, and your connection.', host);
    case 'refusedConnection':
      return l10n.t('{0} accepts no connection. Check the address and the port, and your proxy settings.', host);
    case 'webPage':
      return l10n.t(
        "{0} answers with a web page, so it is not the platform's API. Use the address of the dashboard, such as https://app.hoster.com.",
        host,
      );
    case 'redirect':
      return l10n.t(
        '{0} leads to another address, which Gantry does not follow with a password. Enter that one.',
        host,
      );
    default:
      return error.kind === 'timeout' || error.kind === 'unreachable'
        ? l10n.t('{0} does not answer. Check the address and your connection, and try again.', host)
        : failureMessage(error);
  }
}

/** Explains how to sign in if a password isn't enough. Returns `undefined` if the user cancels. */
export async function explainTokens(error: PlatformError, dashboard: string): Promise<'token' | undefined> {
  const message = asksSecondFactor(error)
    ? l10n.t("This account uses two-factor authentication, so you can't sign in with a password alone.")
    : l10n.t("The platform doesn't let this account create access tokens outside the dashboard.");
  const detail = l10n.t(
    '1. Sign in to the dashboard in your browser.\n2. Open Settings › Access Tokens and choose Generate.\n3. Choose the template “IDE Plugins” and an expiry date.\n4. Copy the token and enter it here.\n\nIf the dashboard offers no access tokens, ask the hoster or the owner of the account for one.',
  );
  const enter = l10n.t('Enter Token');
  const open = l10n.t('Open Dashboard');
  const chosen = await showWarningMessage(message, { modal: true, detail }, enter, open);
  if (chosen === open) {
    await env.openExternal(Uri.parse(dashboard));
  }
  return chosen === undefined ? undefined : 'token';
}

/** Every server on the way logs URLs, so never do this without asking. */
export async function agreesToPasswordsInUrl(host: string): Promise<boolean> {
  return (await askAboutUrl(host, [sending()])) === sending();
}

/** Asks the same during sign-in, where using a token instead is the default. */
export async function passwordOrToken(host: string): Promise<'password' | 'token' | undefined> {
  const token = l10n.t('Use an Access Token');
  switch (await askAboutUrl(host, [token, sending()])) {
    case token:
      return 'token';
    case sending():
      return 'password';
    default:
      return undefined;
  }
}

const sending = () => l10n.t('Send Password in the URL');

function askAboutUrl(host: string, choices: readonly string[]): Thenable<string | undefined> {
  const detail = l10n.t(
    'This platform does not read the body of a request. Servers and proxies on the way commonly write URLs into their logs, and the password with them. An access token, made in the dashboard, can be deleted at any time and is the safer choice.',
  );
  const question = l10n.t('{0} takes passwords only in URLs. Send yours that way?', host);
  return showWarningMessage(question, { modal: true, detail }, ...choices);
}
