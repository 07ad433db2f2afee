import type { Obstacle, PlatformErrorKind } from './errors';
import { notConnected } from './sending/sender';

/** Why no answer came back. */
export interface LostReply {
  readonly kind: Extract<PlatformErrorKind, 'unreachable' | 'protocol'>;
  readonly detail: string;
  /** Certainly lost before anything reached the platform. */
  readonly neverSent: boolean;
  /** It may go better at once: worth trying a read again. */
  readonly passing: boolean;
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
/** Only a connection that isn't open yet ends with one of these. Other codes, such as EHOSTUNREACH, can come later too. */
const beforeSending = new Set([
  ...[notConnected, 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS'],
]);
const callsBeforeSending = new Set(['connect', 'getaddrinfo']);
/** We closed it ourselves: its pool is gone, and trying again would open another. */
const closedHere = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const obstacles: Readonly<Record<string, Obstacle>> = {
  ECONNREFUSED: 'refusedConnection',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
};
/** A certificate is checked before anything is sent. */
const certificate = /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$)/;
const encryption = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;
const passingBeforeSending = new Set(['EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Tells by its code what a sender ran into. Whatever is not known counts as lost on the way, the careful guess. */
export function explainLostReply(error: unknown): LostReply {
  const { code, neverSent } = traceOf(error);
  if (certificate.test(code)) {
    const detail = `its certificate is not trusted (${code})`;
    return { kind: 'unreachable', detail, neverSent: true, passing: false, obstacle: 'certificate' };
  }
  const unreadable = code.startsWith('HPE_') ? 'it is no HTTP' : 'it cannot be unpacked';
  if (code.startsWith('HPE_') || code.startsWith('Z_')) {
    return { kind: 'protocol', detail: `${unreadable} (${code})`, neverSent: false, passing: false };
  }
  const failed = encryption.test(code) ? 'the encrypted connection failed' : 'the connection failed';
  const detail = details[code] ?? `${failed}${code === '' ? '' : ` (${code})`}`;
  return neverSent
    ? { kind: 'unreachable', detail, neverSent, passing: passingBeforeSending.has(code), obstacle: obstacles[code] }
    : { kind: 'unreachable', detail, neverSent, passing: !closedHere.has(code) };
}

/** Senders wrap errors in one another: the innermost code says what happened; a code at any level can show that nothing was sent. */
function traceOf(error: unknown): { readonly code: string; readonly neverSent: boolean } {
  let code = '';
  let neverSent = false;
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') {
      neverSent ||= beforeSending.has(current.code) || certificate.test(current.code);
      code = current.code === notConnected ? code : current.code;
    } else if (current.name === 'HTTPParserError') code = 'HPE_UNKNOWN';
    if (current instanceof AggregateError) {
      // Every address of the host was tried.
      const tried = current.errors.map(traceOf);
      neverSent ||= tried.length > 0 && tried.every((one) => one.neverSent);
      code = tried[0]?.code ?? code;
    }
    neverSent ||= 'syscall' in current && callsBeforeSending.has(String(current.syscall));
  }
  return { code, neverSent };
}
