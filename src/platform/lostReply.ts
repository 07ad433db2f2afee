import type { Obstacle, PlatformErrorKind } from './errors';

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

const beforeSending: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_ABORTED: 'the proxy lets nothing through',
  UND_ERR_PRX_TLS: "the proxy's certificate is not valid",
};
const onTheWay: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'the connection went silent',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CLOSED: 'the connection was closed',
  UND_ERR_DESTROYED: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer ended early',
};
/** We closed it ourselves: its pool is gone, and trying again would open another. */
const closedHere = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const obstacles: Readonly<Record<string, Obstacle>> = {
  ECONNREFUSED: 'refusedConnection',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
};
const certificate = /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_SSL_|EPROTO$|HOSTNAME_MISMATCH$)/;
const passingBeforeSending = new Set(['EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Tells by its code what a sender ran into. Whatever is not known counts as lost on the way, the careful guess. */
export function explainLostReply(error: unknown): LostReply {
  const code = codeOf(error) ?? '';
  const early = beforeSending[code];
  if (early !== undefined) {
    const obstacle = obstacles[code];
    return { kind: 'unreachable', detail: early, neverSent: true, passing: passingBeforeSending.has(code), obstacle };
  }
  if (certificate.test(code)) {
    const detail = `its certificate is not trusted (${code})`;
    return { kind: 'unreachable', detail, neverSent: true, passing: false, obstacle: 'certificate' };
  }
  const unreadable = code.startsWith('HPE_') ? 'it is no HTTP' : 'it cannot be unpacked';
  if (code.startsWith('HPE_') || code.startsWith('Z_')) {
    return { kind: 'protocol', detail: `${unreadable} (${code})`, neverSent: false, passing: false };
  }
  const detail = onTheWay[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`;
  return { kind: 'unreachable', detail, neverSent: false, passing: !closedHere.has(code) };
}

/** Senders wrap errors in one another; the innermost code says what happened. */
function codeOf(error: unknown): string | undefined {
  let found: string | undefined;
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') found = current.code;
    else if (current.name === 'HTTPParserError') found = 'HPE_UNKNOWN';
    else if (current instanceof AggregateError) found = codeOf(current.errors[0]) ?? found;
  }
  return found;
}
