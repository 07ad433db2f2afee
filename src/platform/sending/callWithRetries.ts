import { setTimeout as pause } from 'node:timers/promises';
import { Canceled, type PlatformError } from '../errors';
import { type CallSubject, failureOfExchange, failureOfReply } from '../failure';
import { type ReadyRequest, sendOnce, type TimeLimit, timeLimit } from './request';
import { type Expectation, readReply } from '../readReply';
import type { Sender, TrafficEntry, TrafficLog } from './sender';

/** A call that can be sent several times. */
interface ReadyCall<T> {
  readonly subject: CallSubject;
  readonly request: ReadyRequest;
  readonly expected: Expectation<T>;
  readonly send: Sender;
  readonly log: TrafficLog | undefined;
  /** The timeout for the response. */
  readonly milliseconds: number;
  /** How much longer it may take while it's sent, in milliseconds. */
  readonly toSend: number;
  /** The minimum pause before the first retry of a read, in milliseconds. */
  readonly firstPause: number;
  readonly signal: AbortSignal | undefined;
}

type Trip<T> =
  | { readonly value: T }
  | {
      readonly error: PlatformError | Canceled;
      /** It may be temporary. */ readonly isTransient: boolean;
      /** The operation didn't start. */ readonly refused?: boolean;
    };

/** Sends a call until it's answered or times out. Retries reads, and writes only if rejected unread. */
export async function callWithRetries<T>(call: ReadyCall<T>): Promise<T> {
  const limit = timeLimit(call.milliseconds, call.signal, call.toSend);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const trip = await roundTrip(call, limit, attempt);
      if ('value' in trip) return trip.value;
      const mayRepeat = trip.isTransient && (!call.subject.writes || trip.refused === true);
      if (!mayRepeat || (await pauseBeforeRetry(attempt, call.firstPause, limit)) === 'enough') throw trip.error;
    }
  } finally {
    limit.release();
  }
}

async function roundTrip<T>(call: ReadyCall<T>, limit: TimeLimit, attempt: number): Promise<Trip<T>> {
  const { subject, request, expected, send, log } = call;
  const began = performance.now();
  const note = (outcome: Pick<TrafficEntry, 'outcome' | 'result' | 'status'>, bytesReceived: number): void =>
    log?.({
      ...outcome,
      operation: subject.operation,
      target: subject.target,
      attempt,
      bytesSent: Buffer.byteLength(request.body),
      bytesReceived,
      milliseconds: Math.round(performance.now() - began),
    });
  const exchanged = await sendOnce(send, request, limit);
  if (exchanged.kind !== 'reply') {
    const error = failureOfExchange(subject, exchanged, limit);
    note({ outcome: error instanceof Canceled ? 'cancelled' : error.kind }, 0);
    return { error, isTransient: exchanged.kind === 'nothing' && exchanged.lost.isTransient };
  }
  const { reply } = exchanged;
  const { status } = reply;
  const bytes = reply.received === 'answer' ? reply.body.byteLength : 0;
  const answer = await readReply(reply, expected);
  if (answer.means === 'value') {
    note({ outcome: 'success', result: 0, status }, bytes);
    return { value: answer.value };
  }
  const error = failureOfReply(subject, answer, status);
  note({ outcome: error.kind, result: error.result, status }, bytes);
  const isTransient = answer.means === 'noAnswer' && answer.isTransient;
  return { error, isTransient, refused: isTransient && answer.certain };
}

const maxAttempts = 3;

/** Waits a random time before the next attempt, if any, so that many callers don't retry at once. */
async function pauseBeforeRetry(attempt: number, firstPause: number, limit: TimeLimit): Promise<'again' | 'enough'> {
  if (attempt >= maxAttempts) return 'enough';
  const longest = firstPause * 3 ** attempt;
  const milliseconds = firstPause + Math.random() * (longest - firstPause);
  // Only an abort ends the pause early, and the next attempt reports it.
  await pause(milliseconds, undefined, { signal: limit.signal }).catch(() => undefined);
  return 'again';
}
