import {
  Canceled,
  isCanceled,
  isPlatformError,
  type Obstacle,
  type PlatformError,
  type PlatformErrorKind,
} from './errors';
import { notConnected } from './sending/sender';

interface LostReply {
  readonly kind: Extract<PlatformErrorKind, 'unreachable' | 'protocol'>;
  readonly detail: string;
  /** No connection could be opened, so nothing was sent. */
  readonly isUnconnected: boolean;
  /** It may be temporary, so a read is worth retrying. */
  readonly isTransient: boolean;
  readonly obstacle?: Obstacle | undefined;
}

const details: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_ABORTED: 'the proxy lets nothing through',
  UND_ERR_PRX_TLS: "the proxy's certificate is not valid",
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'the connection went silent',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CLOSED: 'the connection was closed',
  UND_ERR_DESTROYED: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer ended early',
};
/** These occur only before a connection is open. Other codes, such as EHOSTUNREACH, can also come later. */
const beforeSending = new Set([
  notConnected,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_TLS',
]);
const callsBeforeSending = new Set(['connect', 'getaddrinfo']);
/** We closed the pool ourselves, and retrying would open another one. */
const closedHere = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const obstacles: Readonly<Record<string, Obstacle>> = {
  ECONNREFUSED: 'refusedConnection',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
};
/** Certificates are checked before anything is sent. */
const certificate = /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$)/;
const encryption = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;
const transientBeforeSending = new Set(['EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Classifies a sender's error by its code. An unknown code counts as sent and lost, to be safe. */
export function explainLostReply(error: unknown): LostReply {
  const { code, isUnconnected } = traceOf(error);
  if (certificate.test(code)) {
    const detail = `its certificate is not trusted (${code})`;
    return { kind: 'unreachable', detail, isUnconnected: true, isTransient: false, obstacle: 'certificate' };
  }
  const unreadable = code.startsWith('HPE_') ? 'it is no HTTP' : 'it cannot be unpacked';
  if (code.startsWith('HPE_') || code.startsWith('Z_')) {
    return { kind: 'protocol', detail: `${unreadable} (${code})`, isUnconnected: false, isTransient: false };
  }
  const failed = encryption.test(code) ? 'the encrypted connection failed' : 'the connection failed';
  const detail = details[code] ?? `${failed}${code === '' ? '' : ` (${code})`}`;
  return isUnconnected
    ? {
        kind: 'unreachable',
        detail,
        isUnconnected,
        isTransient: transientBeforeSending.has(code),
        obstacle: obstacles[code],
      }
    : { kind: 'unreachable', detail, isUnconnected, isTransient: !closedHere.has(code) };
}

interface Trace<Code = string> {
  readonly code: Code;
  readonly isUnconnected: boolean;
}

/** Unwraps nested errors. The innermost code is the cause, and a code at any level can prove that nothing was sent. */
function traceOf(error: unknown): Trace {
  const levels: Trace<string | undefined>[] = [];
  for (let current = error; current instanceof Error && levels.length < 5; current = current.cause) {
    levels.push(traceAt(current));
  }
  return {
    code: levels.findLast(({ code }) => code !== undefined)?.code ?? '',
    isUnconnected: levels.some((level) => level.isUnconnected),
  };
}

/** Returns what one level shows, without its cause. */
function traceAt(error: Error): Trace<string | undefined> {
  const code = codeOf(error);
  // If all of the host's addresses were tried.
  const tried = error instanceof AggregateError ? error.errors.map(traceOf) : [];
  return {
    code: tried[0]?.code ?? (code === notConnected ? undefined : code),
    isUnconnected:
      (code !== undefined && (beforeSending.has(code) || certificate.test(code))) ||
      (tried.length > 0 && tried.every((one) => one.isUnconnected)) ||
      ('syscall' in error && callsBeforeSending.has(String(error.syscall))),
  };
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? 'HPE_UNKNOWN' : undefined;
}

/**
 * Sends a change only once. If the response is lost, `hasHappened` checks whether the change was made. If the check
 * fails or finds nothing, the change fails with the original error.
 */
export async function changeOnce(send: () => Promise<unknown>, hasHappened: () => Promise<boolean>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isPlatformError(error) || !error.isOutcomeUnknown || !(await isSeen(error, hasHappened))) throw error;
  }
}

/** Whether a change that failed or was canceled may still have been made, now or later. */
export function mayHaveHappened(error: unknown): boolean {
  return (isPlatformError(error) || isCanceled(error)) && error.isOutcomeUnknown;
}

/** Whether a change that failed or was canceled was never made, and won't be. */
export function hasNotHappened(error: unknown): boolean {
  return (isPlatformError(error) || isCanceled(error)) && !error.isOutcomeUnknown;
}

async function isSeen({ operation }: PlatformError, hasHappened: () => Promise<boolean>): Promise<boolean> {
  try {
    return await hasHappened();
  } catch (error) {
    // The user stopped waiting. The change is uncertain, not the check.
    if (isCanceled(error)) throw new Canceled(operation, { isOutcomeUnknown: true });
    // The lost response matters more than the error of the check.
    if (isPlatformError(error)) return false;
    throw error;
  }
}
