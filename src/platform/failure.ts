import { englishFailureText } from './failureTexts';
import { Canceled, type FailedObject, type NodeOutcome, PlatformError, type PlatformFailure } from './errors';
import type { Exchange, TimeLimit, Unsendable } from './sending/request';
import { mayGoOn, type ReadReply } from './readReply';
import { type Confidential, excerpt, redact } from './redact';

/** The details of a call that an error may contain. */
export interface CallSubject {
  readonly operation: string;
  /** The operation's name in a token's list of methods. */
  readonly method?: string | undefined;
  readonly target: string;
  readonly object?: FailedObject | undefined;
  readonly address: string;
  readonly writes: boolean;
  readonly isExtra?: boolean | undefined;
  readonly confidential: Confidential;
}

/** The error for a call that is not sent at all. */
export function failureToSend(subject: CallSubject, { kind, problem }: Unsendable): PlatformError {
  return failure(subject, { kind, detail: problem });
}

/** The error for a request without a response. */
export function failureOfExchange(
  subject: CallSubject,
  gone: Exclude<Exchange, { kind: 'reply' }>,
  limit: TimeLimit,
): PlatformError | Canceled {
  switch (gone.kind) {
    case 'cancelled':
      return new Canceled(subject.operation, { isOutcomeUnknown: subject.writes && gone.sent });
    case 'deadline': {
      const isOutcomeUnknown = subject.writes && gone.sent;
      if (gone.bytes > 0) {
        const detail = `the first ${gone.bytes} bytes arrived`;
        return failure(subject, { kind: 'timeout', detail, isOutcomeUnknown, obstacle: 'slowResponse' });
      }
      const detail = `waited ${Math.round(limit.allowed() / 1000)} s`;
      return failure(subject, { kind: 'timeout', detail, isOutcomeUnknown });
    }
    case 'nothing': {
      const { kind, detail, isUnconnected, obstacle } = gone.lost;
      const cause = cleanCause(gone.error, subject.confidential);
      const isOutcomeUnknown = subject.writes && !isUnconnected;
      return failure(subject, { kind, detail, isOutcomeUnknown, isUnconnected, obstacle, cause });
    }
  }
}

/** The error for an unsuccessful response. */
export function failureOfReply(
  subject: CallSubject,
  reply: Exclude<ReadReply<unknown>, { means: 'value' }>,
  status: number,
): PlatformError {
  const http = status === 200 ? undefined : status;
  if (reply.means === 'refusal') return failureOfRefusal(subject, reply, http);
  if (status === 404 && subject.isExtra === true) {
    return failure(subject, { kind: 'tokenLacksMethod', detail: reply.detail, status, obstacle: 'notOffered' });
  }
  const { kind, detail, content, obstacle } = reply;
  const quotation = content === undefined ? '' : ` (“${excerpt(content, subject.confidential)}”)`;
  const isOutcomeUnknown = subject.writes && !reply.certain;
  return failure(subject, { kind, detail: detail + quotation, isOutcomeUnknown, status: http, obstacle });
}

/** The error for a failure that the platform itself reports. */
function failureOfRefusal(
  subject: CallSubject,
  { kind, refusal }: Extract<ReadReply<unknown>, { means: 'refusal' }>,
  status: number | undefined,
): PlatformError {
  const { confidential } = subject;
  // The platform's message about a sign-in quotes the session, masked in its own way that isn't recognized here.
  const quotes = kind === 'unauthenticated' || refusal.words === undefined;
  const words = quotes ? undefined : excerpt(refusal.words, confidential);
  return failure(subject, {
    kind,
    detail: words,
    words,
    result: refusal.result,
    reason: refusal.reason,
    source: refusal.source === undefined ? undefined : excerpt(refusal.source, confidential),
    log: refusal.log === undefined ? undefined : redact(refusal.log, confidential),
    nodes: refusal.nodes.map((node) => cleanNode(node, confidential)),
    isOutcomeUnknown: subject.writes && mayGoOn(refusal),
    status,
    obstacle: refusal.obstacle,
  });
}

type Known = Omit<PlatformFailure, 'operation' | 'target' | 'object' | 'message' | 'address'>;

function failure(subject: CallSubject, known: Known): PlatformError {
  const { operation, method, target, object, address } = subject;
  const failed = { ...known, operation, method, target, object, address };
  return new PlatformError({ ...failed, message: englishFailureText(failed) });
}

function cleanNode(node: NodeOutcome, confidential: Confidential): NodeOutcome {
  const clean = (words: string | undefined) => (words === undefined ? undefined : excerpt(words, confidential));
  return { ...node, name: clean(node.name), error: clean(node.error) };
}

/** Keeps only the name, code and redacted message of a sender's error, because it may contain the URL or more. */
function cleanCause(error: unknown, confidential: Confidential): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  const cause = cleanCause(error.cause, confidential);
  const clean = new Error(code + excerpt(error.message, confidential), cause === undefined ? {} : { cause });
  clean.name = error.name;
  clean.stack = `${clean.name}: ${clean.message}`;
  return clean;
}
