import type { l10n } from 'vscode';
import { type FailedObject, type Obstacle, PlatformError, type PlatformErrorKind } from './errors';

/**
 * Messages use VS Code's `l10n`, and the log uses an English one. l10n-dev finds texts only in files that import
 * `l10n`, so this file imports its type.
 */
interface Localizer {
  t(text: string, ...values: readonly (string | number)[]): ReturnType<typeof l10n.t>;
}

/** What happened, as the rest of a sentence that begins with the operation; and what to do next. */
type WhatAndAdvice = readonly [what: string, advice: string];

/** The parts of a failure that its text depends on. */
interface FailureFacts {
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly obstacle?: Obstacle | undefined;
  readonly result?: number | undefined;
  /** Whether the change may have been made although no response arrived. */
  readonly isOutcomeUnknown?: boolean | undefined;
  /** The operation's name in a token's list of methods. */
  readonly method?: string | undefined;
}

const kindTexts = (l10n: Localizer, method: string): Readonly<Record<PlatformErrorKind, WhatAndAdvice>> => ({
  unauthenticated: [l10n.t('the platform rejected the sign-in'), l10n.t('Sign in again.')],
  tokenLacksMethod: [
    l10n.t("the access token doesn't permit this method"),
    l10n.t(
      'Add {0} to the token in the dashboard, then refresh the Environments view. Or sign in with another token.',
      method,
    ),
  ],
  forbidden: [l10n.t('the platform denied permission'), l10n.t('Ask the owner of the environment or file for access.')],
  notFound: [l10n.t("it doesn't exist"), l10n.t('Refresh, and check the name.')],
  exists: [l10n.t('the target already exists'), l10n.t('Choose another name, or remove the target first.')],
  invalid: [l10n.t("the request isn't valid"), l10n.t('Check what you entered.')],
  conflict: [l10n.t('someone else changed it'), l10n.t('Compare both versions.')],
  tooLarge: [l10n.t("it's too large"), l10n.t('Transfer it another way, such as SFTP.')],
  diskFull: [l10n.t("the container's disk is full"), l10n.t('Free up space in the container, then try again.')],
  deployFailed: [l10n.t('the deployment failed'), l10n.t('Check the log.')],
  notRunning: [l10n.t("the environment or node isn't running"), l10n.t('Start it in the dashboard, then try again.')],
  timeout: [l10n.t("the platform didn't respond in time"), l10n.t('Try again.')],
  unreachable: [
    l10n.t("the platform can't be reached"),
    l10n.t('Check your connection and proxy settings, then try again.'),
  ],
  protocol: [
    l10n.t("the server's response isn't from the platform API"),
    l10n.t("Check the platform's address and your proxy settings."),
  ],
  platform: [l10n.t('the platform reported an error'), l10n.t('If it happens again, contact your hosting provider.')],
});

const obstacleTexts = (l10n: Localizer, method: string): Readonly<Record<Obstacle, string>> => ({
  certificate: l10n.t("the server's certificate isn't trusted"),
  unknownHost: l10n.t("the host name can't be found"),
  refusedConnection: l10n.t('the server refused the connection'),
  webPage: l10n.t('the server returned a web page'),
  redirect: l10n.t("the server redirects to another address, which Gantry doesn't follow"),
  plainHttp: l10n.t("your settings don't allow plain HTTP, which others on the network could read"),
  slowResponse: l10n.t("the platform's response arrived too slowly"),
  signedOut: l10n.t('the account is signed out'),
  locked: l10n.t('the Access view is locked again'),
  secondFactor: l10n.t("the account uses two-factor authentication, so a password alone isn't enough"),
  notShared: l10n.t("the account doesn't have access to this environment"),
  tokenGone: l10n.t('the platform no longer lists the token that Gantry uses'),
  intoItself: l10n.t("a folder can't be copied or moved into itself"),
  copyDiffers: l10n.t('the copy differs, so the original was kept'),
  copyUnproven: l10n.t("the copy can't be verified byte for byte, so the original was kept"),
  originalKept: l10n.t("it was copied, but the original couldn't be deleted, so all or part of it still exists"),
  originalUncertain: l10n.t(
    "it was copied, but the platform didn't confirm that the original was deleted, so the original may still exist",
  ),
  changedMeanwhile: l10n.t('someone changed it after Gantry last read it, so it was kept'),
  sameName: l10n.t(
    'something else with this name is in the same transfer, so transfer one after the other, under different names',
  ),
  otherKind: l10n.t("a file can't replace a folder, or a folder a file"),
  linkInTheWay: l10n.t('a symbolic link has this name, and may lead to another folder'),
  sizeDiffers: l10n.t('its size differs from that of the upload'),
  beingDeleted: l10n.t('something that was just deleted in it is still being removed'),
  listMissing: l10n.t("the platform's response has no list of files, so the folder may not be empty"),
  nodesUnknown: l10n.t("Gantry doesn't know all the nodes in this layer, so it can't verify changes"),
  nodesChanged: l10n.t('the layer has other nodes than before the question, so nothing was changed'),
  notOffered: l10n.t("the platform doesn't offer {0}", method),
  unsafeHere: l10n.t("it isn't safe on this platform"),
  wholeLayer: l10n.t('this requires a single node, but a whole layer was specified'),
});

/** What to do about an obstacle for which the advice of its kind doesn't help. */
const obstacleAdvice = (l10n: Localizer): Readonly<Partial<Record<Obstacle, string>>> => ({
  plainHttp: l10n.t('Use an https address, or allow plain HTTP in the settings.'),
  locked: l10n.t('Unlock it again.'),
  secondFactor: l10n.t('Sign in with an access token.'),
  tokenGone: l10n.t('Sign in again.'),
  intoItself: l10n.t('Choose another folder.'),
  copyDiffers: l10n.t('Compare both.'),
  copyUnproven: l10n.t('Compare both, then delete the original.'),
  originalKept: l10n.t('Compare both, then delete the original.'),
  originalUncertain: l10n.t('Check both before you try again.'),
  changedMeanwhile: l10n.t('Check it, then try again.'),
  otherKind: l10n.t('Choose another name, or remove the target first.'),
  linkInTheWay: l10n.t('Choose another folder.'),
  sizeDiffers: l10n.t('Check it, then try again.'),
  beingDeleted: l10n.t('Try again in a few seconds.'),
  listMissing: l10n.t(
    'Try again. If this platform leaves out the list of every empty folder, use its dashboard or SFTP.',
  ),
  nodesUnknown: l10n.t('Enter the node IDs in the Environments view, then change the file on each node.'),
  nodesChanged: l10n.t('Try again to change the nodes that it has now.'),
  notOffered: l10n.t('Use the dashboard instead.'),
  unsafeHere: l10n.t('After a platform update, run Check Platform Compatibility again.'),
  wholeLayer: l10n.t('Select a node.'),
});

function whatAndAdvice(failure: FailureFacts, l10n: Localizer): WhatAndAdvice {
  const { kind, obstacle, method = failure.operation } = failure;
  const [what, advice] = kindTexts(l10n, method)[kind];
  const check = l10n.t('Before you try again, check whether the change was made.');
  const isSpecific = obstacle === 'originalUncertain';
  if (!isSpecific && isUnconfirmed(failure)) {
    return [l10n.t('the connection was lost before the platform responded'), check];
  }
  if (!isSpecific && failure.isOutcomeUnknown === true) {
    return [obstacle === 'slowResponse' ? obstacleTexts(l10n, method)[obstacle] : what, check];
  }
  // The obstacle says the same as the kind, and more exactly.
  return obstacle === undefined
    ? [what, advice]
    : [obstacleTexts(l10n, method)[obstacle], obstacleAdvice(l10n)[obstacle] ?? advice];
}

/** Returns what happened, without advice. */
export function failureWhat(failure: FailureFacts, l10n: Localizer): string {
  return whatAndAdvice(failure, l10n)[0];
}

/** Whether the response to a change was lost, so that trying again could repeat the change. */
export function isUnconfirmed({ isOutcomeUnknown = false, kind, result }: FailureFacts): boolean {
  return isOutcomeUnknown && result === undefined && kind !== 'timeout';
}

/**
 * Returns a message: what happened, to what, and what to do next.
 * @param subject what failed, such as "Couldn't read php.ini on node 66001"
 * @param words the platform's own words
 * @param reason whole sentences that explain an obstacle
 */
export function failureSentence(
  failure: FailureFacts,
  {
    subject,
    words,
    reason,
  }: { readonly subject: string; readonly words: string; readonly reason?: string | undefined },
  l10n: Localizer,
): string {
  const [what, advice] = whatAndAdvice(failure, l10n);
  const code = failure.result === undefined ? '' : l10n.t('code {0}', failure.result);
  const more = [withoutEnd(words), code].filter((part) => part !== '').join(', ');
  const explained = reason === undefined ? advice : `${reason} ${advice}`;
  return `${subject}: ${what}${more === '' ? '' : ` (${more})`}. ${explained}`;
}

function withoutEnd(words: string): string {
  return words.replace(/(?<![.\s])[.\s]+$/, '');
}

const english: Localizer = {
  t: (text, ...values) => text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

interface FailureSubject extends FailureFacts {
  readonly target: string;
  readonly object?: FailedObject | undefined;
  /** Details beyond the kind, already redacted. */
  readonly detail?: string | undefined;
}

/** The message for the log, which calls operations by their names. */
export function englishFailureText(failure: FailureSubject): string {
  const { operation, target, detail = '', result } = failure;
  const [what, advice] = whatAndAdvice(failure, english);
  const subject = target === '' ? operation : `${operation} (${target})`;
  const code = result === undefined ? '' : ` [code ${result}]`;
  const more = detail === '' ? '' : `: ${withoutEnd(detail)}`;
  return `${subject}: ${what}${code}${more}. ${advice}`;
}

/** Creates the error for a problem that Gantry detected itself, before sending or after receiving. */
export function failed(failure: FailureSubject & { readonly cause?: Error }): PlatformError {
  return new PlatformError({ ...failure, message: englishFailureText(failure) });
}
