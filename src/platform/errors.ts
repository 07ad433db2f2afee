/** What a caller may decide by. Nothing is ever decided by the text of a message. */
export type PlatformErrorKind =
  /** The login, session or token is not accepted, or no longer. */
  | 'unauthenticated'
  /** The token is good and does not permit this method. */
  | 'tokenLacksMethod'
  | 'forbidden'
  | 'notFound'
  | 'exists'
  /** The request itself was refused, by the platform or before anything was sent. */
  | 'invalid'
  | 'conflict'
  | 'tooLarge'
  | 'diskFull'
  | 'deployFailed'
  | 'timeout'
  /** No answer: no connection, or it broke. */
  | 'unreachable'
  /** What came back is no answer of this service. */
  | 'protocol'
  /** The platform failed with a code that says nothing narrower. */
  | 'platform';

/** What a call ran into, where it matters for what to do next. */
export type Obstacle =
  /** On the way to the platform. */
  | 'certificate'
  | 'unknownHost'
  | 'refusedConnection'
  | 'webPage'
  | 'redirect'
  | 'plainHttp'
  /** The account. */
  | 'signedOut'
  | 'locked'
  | 'secondFactor'
  | 'notShared'
  | 'tokenGone'
  /** What was to be done. */
  | 'intoItself'
  | 'copyDiffers'
  | 'copyUnproven'
  | 'wholeLayer'
  | 'nodesUnknown';

/** How one node of a layer fared; a failure has a result that is not 0. */
export interface NodeOutcome {
  readonly nodeId?: number | undefined;
  readonly name?: string | undefined;
  readonly result: number;
  readonly exitStatus?: number | undefined;
  readonly error?: string | undefined;
}

export interface PlatformFailure {
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly message: string;
  /** What the failed call was about. Without it, the message is for the person as it stands. */
  readonly target?: string | undefined;
  /** What is known beyond the kind, in English. */
  readonly detail?: string | undefined;
  /** The platform's code, where it gave one. */
  readonly result?: number | undefined;
  readonly reason?: number | undefined;
  readonly source?: string | undefined;
  /** The HTTP status, where it was not 200. */
  readonly status?: number | undefined;
  /** The platform's own words, without secrets and texts. */
  readonly words?: string | undefined;
  readonly log?: string | undefined;
  readonly nodes?: readonly NodeOutcome[] | undefined;
  readonly address?: string | undefined;
  readonly fateUnknown?: boolean | undefined;
  readonly obstacle?: Obstacle | undefined;
  readonly cause?: Error | undefined;
}

/** Every failed call ends in one of these, except a cancelled one. Message, cause and stack hold no secret and no text of a file. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly target: string | undefined;
  readonly detail: string | undefined;
  readonly result: number | undefined;
  readonly reason: number | undefined;
  readonly source: string | undefined;
  readonly status: number | undefined;
  readonly words: string | undefined;
  /** What a failed deployment says of itself, without secrets. */
  readonly log: string | undefined;
  readonly nodes: readonly NodeOutcome[];
  readonly address: string | undefined;
  /** A write that may have happened all the same: look it up before repeating it. */
  readonly fateUnknown: boolean;
  readonly obstacle: Obstacle | undefined;

  constructor(failure: PlatformFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.kind = failure.kind;
    this.operation = failure.operation;
    this.target = failure.target;
    this.detail = failure.detail;
    this.result = failure.result;
    this.reason = failure.reason;
    this.source = failure.source;
    this.status = failure.status;
    this.words = failure.words;
    this.log = failure.log;
    this.nodes = failure.nodes ?? [];
    this.address = failure.address;
    this.fateUnknown = failure.fateUnknown ?? false;
    this.obstacle = failure.obstacle;
  }
}

export function isPlatformError(error: unknown): error is PlatformError {
  return error instanceof PlatformError;
}

/** The caller gave up. Not a failure, and shown to nobody; a write that was on its way may have happened. */
export class Cancelled extends Error {
  override readonly name = 'AbortError';
  readonly operation: string;
  readonly fateUnknown: boolean;

  constructor(operation: string, { fateUnknown }: { readonly fateUnknown: boolean }) {
    super(`${operation} was cancelled.`);
    this.operation = operation;
    this.fateUnknown = fateUnknown;
  }
}

export function isCancelled(error: unknown): error is Cancelled {
  return error instanceof Cancelled;
}

/** For `catch`: handles what the platform said or didn't say. Any other error goes on. */
export function onPlatformError<T>(handle: (error: PlatformError) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof PlatformError) {
      return handle(error);
    }
    throw error;
  };
}

/** The same, for only one kind of error: what doesn't exist. */
export function onNotFound<T>(handle: (error: PlatformError) => T): (error: unknown) => T {
  return onPlatformError((error) => {
    if (error.kind === 'notFound') {
      return handle(error);
    }
    throw error;
  });
}
