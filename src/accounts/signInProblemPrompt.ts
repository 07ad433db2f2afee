import { l10n } from 'vscode';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { failureMessage } from '../ui/failureMessages';

/** What went wrong while signing in, and the question whose answer would mend it. */
export interface SignInProblem {
  readonly key: 'address' | 'login' | 'password' | 'token';
  readonly problem: string;
}

/** The code for a parameter that is missing or ill-formed; a mistyped token gets it too. */
const invalidParameter = 3;

/** `undefined` where no other answer would help. */
export function signInProblem(error: unknown, way: 'password' | 'token', host: string): SignInProblem | undefined {
  if (!isPlatformError(error)) {
    return undefined;
  }
  if (error.kind === 'unauthenticated' || error.result === invalidParameter) {
    return way === 'token'
      ? {
          key: 'token',
          problem: l10n.t(
            '{0} does not accept this token. Copy it again, whole; or make a new one in the dashboard, if it was deleted or has ended.',
            host,
          ),
        }
      : {
          key: 'password',
          problem: l10n.t('{0} does not know this password for this e-mail address. Type it again.', host),
        };
  }
  return { key: 'address', problem: error.fateUnknown ? uncertain(error, host) : addressProblem(error, host) };
}

/** No answer came to the making of a token: there may be one now that nobody knows the value of. */
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
