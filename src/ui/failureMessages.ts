import { FileSystemError, l10n } from 'vscode';
import type { AddressProblem } from '../platform/address';
import { methodNamed } from '../platform/contract/methodName';
import { isPlatformError, type Obstacle, type PlatformError, type PlatformErrorKind } from '../platform/errors';
import { operationLabel } from './operationLabels';
import { escapeLinks } from './escapeLinks';

/** What happened, to what, and what to do next, for a person. */
export function failureMessage(error: PlatformError): string {
  const { kind, operation, target, result } = error;
  if (target === undefined) {
    return escapeLinks(error.message);
  }
  const subject = target === '' ? operationLabel(operation) : `${operationLabel(operation)} (${target})`;
  const code = result === undefined ? '' : ` [${l10n.t('code {0}', result)}]`;
  const particulars = particularsOf(error).replace(/[.\s]+$/, '');
  const sentence = isUnconfirmed(error)
    ? unconfirmed
    : ((error.obstacle && sentencesOfObstacles[error.obstacle]) ?? sentences[kind]);
  return escapeLinks(
    sentence(subject, `${code}${particulars === '' ? '' : `: ${particulars}`}`, methodNamed(operation)),
  );
}

/** The message for any error. */
export function failureText(error: unknown): string {
  if (isPlatformError(error)) {
    return failureMessage(error);
  }
  if (error instanceof FileSystemError && error.code === 'Unavailable') {
    // Its links are ours: they offer what can be done about a save. The other codes hold the bare name of a file.
    return error.message;
  }
  return escapeLinks(error instanceof Error ? error.message : String(error));
}

/** What happened alone, for where it is plain what was being done. */
export function failureReason(error: PlatformError): string {
  const particulars = particularsOf(error);
  if (isUnconfirmed(error)) {
    return l10n.t("the platform didn't confirm it");
  }
  return particulars === '' ? reasons[error.kind]() : particulars;
}

/** The response to a change was lost, so trying again could make the change twice. */
function isUnconfirmed({ fateUnknown, kind, result }: PlatformError): boolean {
  return fateUnknown && result === undefined && kind !== 'timeout';
}

const reasons: Readonly<Record<PlatformErrorKind, () => string>> = {
  unauthenticated: () => l10n.t('the platform does not accept the sign-in'),
  tokenLacksMethod: () => l10n.t('the access token does not permit this'),
  forbidden: () => l10n.t('the platform denies permission'),
  notFound: () => l10n.t('it does not exist'),
  exists: () => l10n.t('it exists already'),
  invalid: () => l10n.t('the request is not valid'),
  conflict: () => l10n.t('it was changed by somebody else'),
  tooLarge: () => l10n.t('it is too large'),
  diskFull: () => l10n.t("the container's disk is full"),
  deployFailed: () => l10n.t('the deployment failed'),
  timeout: () => l10n.t('no answer came in time'),
  unreachable: () => l10n.t('the platform cannot be reached'),
  protocol: () => l10n.t("the answer is none of the platform's"),
  platform: () => l10n.t('the platform could not do it'),
};

type Sentence = (subject: string, more: string, method: string) => string;

const unconfirmed: Sentence = (subject, more) =>
  l10n.t(
    "{0}: the platform didn't confirm it{1}. Check whether the change was made before you try again.",
    subject,
    more,
  );

/** What a person can do about each kind stands behind it. */
const sentences: Readonly<Record<PlatformErrorKind, Sentence>> = {
  unauthenticated: (subject, more) =>
    l10n.t('{0}: the platform does not accept the sign-in{1}. Sign in again.', subject, more),
  tokenLacksMethod: (subject, more, method) =>
    l10n.t(
      "{0}: the access token does not permit this method{1}. Add {2} to the token in the hoster's dashboard, or sign in with another one.",
      subject,
      more,
      method,
    ),
  forbidden: (subject, more) =>
    l10n.t(
      '{0}: the platform denies permission{1}. Ask the owner of the environment or the file for the right.',
      subject,
      more,
    ),
  notFound: (subject, more) => l10n.t('{0}: it does not exist{1}. Refresh, and check the name.', subject, more),
  exists: (subject, more) =>
    l10n.t('{0}: the target exists already{1}. Choose another name, or remove the target first.', subject, more),
  invalid: (subject, more) => l10n.t('{0}: the request is not valid{1}. Check what was entered.', subject, more),
  conflict: (subject, more) => l10n.t('{0}: it was changed by somebody else{1}. Compare both versions.', subject, more),
  tooLarge: (subject, more) => l10n.t('{0}: it is too large{1}. Use another way to transfer it.', subject, more),
  diskFull: (subject, more) =>
    l10n.t("{0}: the container's disk is full{1}. Make room in the container, then try again.", subject, more),
  deployFailed: (subject, more) => l10n.t('{0}: the deployment failed{1}. Look into its log.', subject, more),
  timeout: (subject, more) =>
    l10n.t('{0}: no answer came in time{1}. Check whether the change was made before you try again.', subject, more),
  unreachable: (subject, more) =>
    l10n.t(
      '{0}: the platform cannot be reached{1}. Check the connection and the proxy settings, then try again.',
      subject,
      more,
    ),
  protocol: (subject, more) =>
    l10n.t(
      "{0}: the answer is none of the platform's{1}. Check the address of the platform and the proxy settings.",
      subject,
      more,
    ),
  platform: (subject, more) =>
    l10n.t("{0}: the platform could not do it{1}. If it happens again, ask the hoster's support.", subject, more),
};

/** For obstacles where what a kind usually advises would be wrong. */
const sentencesOfObstacles: Partial<Readonly<Record<Obstacle, Sentence>>> = {
  copyDiffers: (subject, more) => l10n.t('{0}: not finished{1}. Compare both.', subject, more),
  nodesUnknown: (subject, more) =>
    l10n.t(
      '{0}: not done{1}. Enter the node IDs in the Environments view, then change the file on each node.',
      subject,
      more,
    ),
  copyUnproven: (subject, more) =>
    l10n.t('{0}: not finished{1}. Compare both, then delete the original.', subject, more),
};

const obstacles: Readonly<Record<Obstacle, () => string>> = {
  certificate: () => l10n.t('its certificate is not trusted'),
  unknownHost: () => l10n.t('the host name is not known'),
  refusedConnection: () => l10n.t('the connection was refused'),
  webPage: () => l10n.t('a web page came'),
  redirect: () => l10n.t('it leads to another address, which is not followed'),
  plainHttp: () => l10n.t('over plain http everyone on the way could read it, and the settings do not allow that'),
  signedOut: () => l10n.t('the account is signed out'),
  locked: () => l10n.t('it is locked again'),
  secondFactor: () => l10n.t("the account uses two-factor authentication, so a password alone isn't enough"),
  notShared: () => l10n.t('the sign-in is good, and this environment is not open to the account'),
  tokenGone: () => l10n.t('the platform no longer lists the token that is used here'),
  intoItself: () => l10n.t('it cannot be put into itself'),
  copyDiffers: () => l10n.t('the copy differs, so the original was kept'),
  copyUnproven: () => l10n.t("the copy can't be verified byte for byte, so the original was kept"),
  nodesUnknown: () => l10n.t("Gantry doesn't know all the nodes in this layer, so it can't verify changes"),
  wholeLayer: () => l10n.t('it is asked of one node, and a whole layer is named'),
};

/** The platform's own words where it has some; what else is known beyond the kind, in the log's language, is a detail of the request. */
function particularsOf({ words, obstacle, status, kind, detail }: PlatformError): string {
  if (words !== undefined) {
    return words;
  }
  if (obstacle !== undefined) {
    return obstacles[obstacle]();
  }
  if (status !== undefined) {
    return `HTTP ${status}`;
  }
  return kind === 'invalid' || kind === 'tooLarge' ? (detail ?? '') : '';
}

/** What is wrong with an address that somebody typed. */
const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of the hoster's dashboard or API, such as app.hoster.example."),
  notAnAddress: () => l10n.t('This is no web address. Enter one such as https://app.hoster.example.'),
  scheme: () => l10n.t('The address must begin with https://.'),
  credentials: () => l10n.t('The address must not hold a login or password. Enter it without them.'),
  plainHttp: () => l10n.t('Plain http would send your password readable by everyone on the way. Use https://.'),
};

export function addressSentence(problem: AddressProblem): string {
  return addressSentences[problem]();
}
