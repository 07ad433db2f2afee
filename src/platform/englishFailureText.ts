import { methodNamed } from './contract/methodName';
import { type Obstacle, PlatformError, type PlatformErrorKind } from './errors';
import type { Values } from './parameters';

/** What went wrong and what to do about it, for each kind: the rest of a sentence that begins with the operation. `{0}` is its method. */
const sentences: Readonly<Record<PlatformErrorKind, readonly [what: string, advice: string]>> = {
  unauthenticated: ['the platform does not accept the sign-in', 'Sign in again.'],
  tokenLacksMethod: [
    'the access token does not permit this method',
    "Add {0} to the token in the hoster's dashboard, or sign in with another one.",
  ],
  forbidden: ['the platform denies permission', 'Ask the owner of the environment or the file for the right.'],
  notFound: ['it does not exist', 'Refresh, and check the name.'],
  exists: ['the target exists already', 'Choose another name, or remove the target first.'],
  invalid: ['the request is not valid', 'Check what was entered.'],
  conflict: ['it was changed by somebody else', 'Compare both versions.'],
  tooLarge: ['it is too large', 'Use another way to transfer it.'],
  diskFull: ["the container's disk is full", 'Make room in the container, then try again.'],
  deployFailed: ['the deployment failed', 'Look into its log.'],
  timeout: ['no answer came in time', 'Check whether the change was made before you try again.'],
  unreachable: ['the platform cannot be reached', 'Check the connection and the proxy settings, then try again.'],
  protocol: ["the answer is none of the platform's", 'Check the address of the platform and the proxy settings.'],
  platform: ['the platform could not do it', "If it happens again, ask the hoster's support."],
};

export interface FailureSubject {
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly target: string;
  /** What is known beyond the kind; already clean. */
  readonly detail?: string | undefined;
  readonly result?: number | undefined;
  /** Whether the change may have been made although no response arrived. */
  readonly fateUnknown?: boolean | undefined;
}

const unconfirmed = [
  "the platform didn't confirm it",
  'Check whether the change was made before you try again.',
] as const;

/** A message that says what happened, to what, and what to do next. */
export function englishFailureText({
  kind,
  operation,
  target,
  detail,
  result,
  fateUnknown = false,
}: FailureSubject): string {
  const isUnconfirmed = fateUnknown && result === undefined && kind !== 'timeout';
  const [what, advice] = isUnconfirmed ? unconfirmed : sentences[kind];
  const place = target === '' ? '' : ` (${target})`;
  const code = result === undefined ? '' : ` [code ${result}]`;
  const more = detail === undefined || detail === '' ? '' : `: ${detail.replace(/[.\s]+$/, '')}`;
  return `${operation}${place}: ${what}${code}${more}. ${advice.replace('{0}', methodNamed(operation))}`;
}

/** A failure that is found on this side, before anything is sent or after all was answered. */
export function failed(
  happening: FailureSubject & { readonly obstacle?: Obstacle; readonly cause?: Error },
): PlatformError {
  return new PlatformError({ ...happening, message: englishFailureText({ detail: happening.obstacle, ...happening }) });
}

const placeNames = ['envName', 'nodeGroup', 'nodeType', 'nodeid', 'nodeId', 'context', 'oldcontext'] as const;
const pathNames = ['path', 'src', 'oldPath', 'dest', 'newPath', 'destPath'] as const;

/** What a call is about, for messages and the log: environment, layer or node, and path; never a secret or a text. */
export function targetOf(values: Values): string {
  const placed = placeNames.map((name) => values[name]).filter((value) => value !== undefined);
  const paths = pathNames.map((name) => values[name]).filter((value) => value !== undefined);
  return [placed.join('/'), paths.join(' → ')].filter((part) => part !== '').join(' ');
}
