/** The kinds of errors that callers can handle. Decisions never depend on a message's text. */
export type PlatformErrorKind =
  /** The login, session or token isn't valid, or no longer. */
  | 'unauthenticated'
  /** The token is valid but doesn't allow this method, or the platform doesn't have it. */
  | 'tokenLacksMethod'
  | 'forbidden'
  | 'notFound'
  | 'exists'
  /** The request itself was rejected, by the platform or before it was sent. */
  | 'invalid'
  | 'conflict'
  | 'tooLarge'
  | 'diskFull'
  | 'deployFailed'
  /** The environment or node sleeps, or is stopped. */
  | 'notRunning'
  | 'timeout'
  /** No response: there was no connection, or it broke. */
  | 'unreachable'
  /** The response isn't from this service. */
  | 'protocol'
  /** The platform returned an unspecific error code. */
  | 'platform';

/** The specific cause, if it affects what to do next. */
export type Obstacle =
  /** Connection problems. */
  | 'certificate'
  | 'unknownHost'
  | 'refusedConnection'
  | 'webPage'
  | 'redirect'
  | 'plainHttp'
  /** Only a part of the response arrived in time. */
  | 'slowResponse'
  /** Account problems. */
  | 'signedOut'
  | 'locked'
  | 'secondFactor'
  | 'notShared'
  | 'tokenGone'
  /** Operation problems. */
  | 'intoItself'
  | 'copyDiffers'
  | 'copyUnproven'
  | 'originalKept'
  | 'originalUncertain'
  | 'listMissing'
  | 'wholeLayer'
  | 'changedMeanwhile'
  /** Transfer problems. */
  | 'sameName'
  | 'otherKind'
  | 'linkInTheWay'
  | 'sizeDiffers'
  /** Something in the folder is still being deleted. */
  | 'beingDeleted'
  | 'nodesUnknown'
  | 'nodesChanged'
  /** The platform doesn't have the operation. */
  | 'notOffered'
  /** The compatibility check found that the platform doesn't do this safely. */
  | 'unsafeHere';

/** A node's result. A failure has a code other than 0. */
export interface NodeOutcome {
  readonly nodeId?: number | undefined;
  readonly name?: string | undefined;
  readonly result: number;
  readonly exitStatus?: number | undefined;
  readonly error?: string | undefined;
}

/** What a call was about, in the parts that users know. */
export interface FailedObject {
  /** Its display name if it's known. */
  readonly environment?: string | undefined;
  readonly layer?: string | undefined;
  readonly nodeId?: number | undefined;
  readonly context?: string | undefined;
  readonly path?: string | undefined;
}

export interface PlatformFailure {
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  /** The operation's name in a token's list of methods. */
  readonly method?: string | undefined;
  readonly message: string;
  /** What the failed call was about. Without it, the message is shown to the user as is. */
  readonly target?: string | undefined;
  readonly object?: FailedObject | undefined;
  /** Details beyond the kind, in English. */
  readonly detail?: string | undefined;
  readonly result?: number | undefined;
  readonly reason?: number | undefined;
  readonly source?: string | undefined;
  /** The HTTP status, if it wasn't 200. */
  readonly status?: number | undefined;
  /** The platform's message, without secrets and texts. */
  readonly words?: string | undefined;
  readonly log?: string | undefined;
  readonly nodes?: readonly NodeOutcome[] | undefined;
  readonly address?: string | undefined;
  readonly isOutcomeUnknown?: boolean | undefined;
  readonly isUnconnected?: boolean | undefined;
  readonly obstacle?: Obstacle | undefined;
  readonly cause?: Error | undefined;
}

/** Every failed call rejects with this unless it's canceled. Contains no secrets and no file content. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly object: FailedObject | undefined;
  readonly detail: string | undefined;
  readonly result: number | undefined;
  readonly reason: number | undefined;
  readonly source: string | undefined;
  readonly status: number | undefined;
  readonly words: string | undefined;
  /** A failed deployment's log, without secrets. */
  readonly log: string | undefined;
  readonly nodes: readonly NodeOutcome[];
  readonly address: string | undefined;
  /** A write may have happened anyway: check before repeating it. */
  readonly isOutcomeUnknown: boolean;
  /** No connection could be opened, so nothing was sent. Another network stack may open one. */
  readonly isUnconnected: boolean;
  readonly obstacle: Obstacle | undefined;

  constructor(failure: PlatformFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.kind = failure.kind;
    this.operation = failure.operation;
    this.method = failure.method;
    this.target = failure.target;
    this.object = failure.object;
    this.detail = failure.detail;
    this.result = failure.result;
    this.reason = failure.reason;
    this.source = failure.source;
    this.status = failure.status;
    this.words = failure.words;
    this.log = failure.log;
    this.nodes = failure.nodes ?? [];
    this.address = failure.address;
    this.isOutcomeUnknown = failure.isOutcomeUnknown ?? false;
    this.isUnconnected = failure.isUnconnected ?? false;
    this.obstacle = failure.obstacle;
  }
}

export function isPlatformError(error: unknown): error is PlatformError {
  return error instanceof PlatformError;
}

/** For `catch`: handles errors from the platform, or only those of one kind. Any other error is thrown again. */
export function onPlatformError<T>(
  handle: (error: PlatformError) => T,
  kind?: PlatformErrorKind,
): (error: unknown) => T {
  return (error) => {
    if (isPlatformError(error) && (kind === undefined || error.kind === kind)) {
      return handle(error);
    }
    throw error;
  };
}

/** Resolves to undefined if the call fails in this way. */
export function undefinedIf<T>(kind: PlatformErrorKind | 'any', call: Promise<T>): Promise<T | undefined> {
  return call.catch(onPlatformError(() => undefined, kind === 'any' ? undefined : kind));
}

/** The caller canceled, which is said only if a write was already sent and may have happened. */
export class Canceled extends Error {
  override readonly name = 'AbortError';
  readonly operation: string;
  readonly isOutcomeUnknown: boolean;

  constructor(operation: string, { isOutcomeUnknown }: { readonly isOutcomeUnknown: boolean }) {
    super(`${operation} was cancelled.`);
    this.operation = operation;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

export function isCanceled(error: unknown): error is Canceled {
  return error instanceof Canceled;
}
