import { type Obstacle, PlatformError, type PlatformErrorKind } from './errors';

/** Puts values into a text, in some language. VS Code's `l10n` is one for people; the log's knows English alone. */
export interface Localizer {
  t(text: string, ...values: readonly (string | number)[]): string;
}

interface FailureText {
  /** What happened: the rest of a sentence that begins with the operation. */
  readonly what: string;
  /** What to do next. */
  readonly advice: string;
}

/** What is known of a failure that decides how it is told. */
export interface ToldFailure {
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly obstacle?: Obstacle | undefined;
  readonly result?: number | undefined;
  /** Whether the change may have been made although no response arrived. */
  readonly fateUnknown?: boolean | undefined;
  /** What the list of a token calls the operation. */
  readonly method?: string | undefined;
}

/** The words for each kind of failure, where nothing narrower is known. */
function textOfKind(kind: PlatformErrorKind, method: string, l10n: Localizer): FailureText {
  switch (kind) {
    case 'unauthenticated':
      return { what: l10n.t('the platform does not accept the sign-in'), advice: l10n.t('Sign in again.') };
    case 'tokenLacksMethod':
      return {
        what: l10n.t('the access token does not permit this method'),
        advice: l10n.t("Add {0} to the token in the hoster's dashboard, or sign in with another one.", method),
      };
    case 'forbidden':
      return {
        what: l10n.t('the platform denies permission'),
        advice: l10n.t('Ask the owner of the environment or the file for the right.'),
      };
    case 'notFound':
      return { what: l10n.t('it does not exist'), advice: l10n.t('Refresh, and check the name.') };
    case 'exists':
      return {
        what: l10n.t('the target already exists'),
        advice: l10n.t('Choose another name, or remove the target first.'),
      };
    case 'invalid':
      return { what: l10n.t('the request is not valid'), advice: l10n.t('Check what was entered.') };
    case 'conflict':
      return { what: l10n.t('someone else changed it'), advice: l10n.t('Compare both versions.') };
    case 'tooLarge':
      return { what: l10n.t('it is too large'), advice: l10n.t('Use another way to transfer it.') };
    case 'diskFull':
      return {
        what: l10n.t("the container's disk is full"),
        advice: l10n.t('Make room in the container, then try again.'),
      };
    case 'deployFailed':
      return { what: l10n.t('the deployment failed'), advice: l10n.t('Look into its log.') };
    case 'timeout':
      return {
        what: l10n.t("the platform didn't respond in time"),
        advice: l10n.t('Check whether the change was made before you try again.'),
      };
    case 'unreachable':
      return {
        what: l10n.t('the platform cannot be reached'),
        advice: l10n.t('Check the connection and the proxy settings, then try again.'),
      };
    case 'protocol':
      return {
        what: l10n.t("the server's response isn't from the platform API"),
        advice: l10n.t('Check the address of the platform and the proxy settings.'),
      };
    case 'platform':
      return {
        what: l10n.t('the platform could not do it'),
        advice: l10n.t("If it happens again, ask the hoster's support."),
      };
  }
}

/** What a call ran into. */
export function obstacleText(obstacle: Obstacle, l10n: Localizer): string {
  switch (obstacle) {
    case 'certificate':
      return l10n.t('its certificate is not trusted');
    case 'unknownHost':
      return l10n.t('the host name is not known');
    case 'refusedConnection':
      return l10n.t('the connection was refused');
    case 'webPage':
      return l10n.t('a web page came');
    case 'redirect':
      return l10n.t('it leads to another address, which is not followed');
    case 'plainHttp':
      return l10n.t('over plain http everyone on the way could read it, and the settings do not allow that');
    case 'signedOut':
      return l10n.t('the account is signed out');
    case 'locked':
      return l10n.t('it is locked again');
    case 'secondFactor':
      return l10n.t("the account uses two-factor authentication, so a password alone isn't enough");
    case 'notShared':
      return l10n.t('the sign-in is good, and this environment is not open to the account');
    case 'tokenGone':
      return l10n.t('the platform no longer lists the token that is used here');
    case 'intoItself':
      return l10n.t('it cannot be put into itself');
    case 'copyDiffers':
      return l10n.t('the copy differs, so the original was kept');
    case 'copyUnproven':
      return l10n.t("the copy can't be verified byte for byte, so the original was kept");
    case 'nodesUnknown':
      return l10n.t("Gantry doesn't know all the nodes in this layer, so it can't verify changes");
    case 'wholeLayer':
      return l10n.t('it is asked of one node, and a whole layer is named');
  }
}

/** What happened and what to do about it. Some obstacles need other advice than their kind. */
export function failureTexts(failure: ToldFailure, l10n: Localizer): FailureText {
  if (isUnconfirmed(failure)) {
    return {
      what: l10n.t("the platform didn't confirm it"),
      advice: l10n.t('Check whether the change was made before you try again.'),
    };
  }
  switch (failure.obstacle) {
    case 'copyDiffers':
      return { what: l10n.t('not finished'), advice: l10n.t('Compare both.') };
    case 'copyUnproven':
      return { what: l10n.t('not finished'), advice: l10n.t('Compare both, then delete the original.') };
    case 'nodesUnknown':
      return {
        what: l10n.t('not done'),
        advice: l10n.t('Enter the node IDs in the Environments view, then change the file on each node.'),
      };
    default:
      return textOfKind(failure.kind, failure.method ?? failure.operation, l10n);
  }
}

/** The response to a change was lost, so trying again could make the change twice. */
export function isUnconfirmed({ fateUnknown = false, kind, result }: ToldFailure): boolean {
  return fateUnknown && result === undefined && kind !== 'timeout';
}

/** A message that says what happened, to what, and what to do next. */
export function failureSentence(
  failure: ToldFailure,
  { subject, particulars }: { readonly subject: string; readonly particulars: string },
  l10n: Localizer,
): string {
  const { what, advice } = failureTexts(failure, l10n);
  const code = failure.result === undefined ? '' : ` [${l10n.t('code {0}', failure.result)}]`;
  const more = particulars === '' ? '' : `: ${particulars.replace(/[.\s]+$/, '')}`;
  return `${subject}: ${what}${code}${more}. ${advice}`;
}

const english: Localizer = {
  t: (text, ...values) => text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

export interface FailureSubject extends ToldFailure {
  readonly target: string;
  /** What is known beyond the kind; already clean. */
  readonly detail?: string | undefined;
}

/** The message for the log, which calls operations by their names. */
export function englishFailureText(failure: FailureSubject): string {
  const { operation, target, obstacle, detail } = failure;
  const subject = target === '' ? operation : `${operation} (${target})`;
  const particulars = detail ?? (obstacle === undefined ? '' : obstacleText(obstacle, english));
  return failureSentence(failure, { subject, particulars }, english);
}

/** A failure that is found on this side, before anything is sent or after all was answered. */
export function failed(failure: FailureSubject & { readonly cause?: Error }): PlatformError {
  return new PlatformError({ ...failure, message: englishFailureText(failure) });
}
