import { l10n } from 'vscode';
import type { PlatformError } from '../platform/errors';

/** What happened and what to do next, for a person; the error's own message says to what. */
export function sentenceOf(error: PlatformError): string {
  const next = nextStep(error);
  return next === undefined ? error.message : `${error.message} ${next}`;
}

function nextStep(error: PlatformError): string | undefined {
  switch (error.kind) {
    case 'unauthenticated':
      return l10n.t('Sign in again.');
    case 'tokenLacksMethod':
      return l10n.t('Create a token that permits {0} in the dashboard, and sign in with it.', error.operation);
    case 'forbidden':
      return l10n.t("The container's user has no right to this.");
    case 'diskFull':
      return l10n.t('Free some space in the container and try again.');
    case 'timeout':
    case 'unreachable':
      return l10n.t('Check the connection and try again.');
    case 'protocol':
      return l10n.t("Check the platform's address; the log says what it answered.");
    case 'notFound':
    case 'exists':
    case 'invalid':
    case 'conflict':
    case 'tooLarge':
    case 'deployFailed':
    case 'platform':
      return undefined;
  }
}
