import { Canceled } from '../errors';
import { type CallSubject, failureOfExchange } from '../failure';
import { type ReadyRequest, sendOnce, timeLimit } from './request';
import type { Sender, TrafficEntry, TrafficLog } from './sender';

/** A response as it arrived. It may contain anything: show no value of it. */
export interface RawReply {
  readonly status: number;
  /** The parsed JSON, or undefined if the body isn't JSON. */
  readonly json: unknown;
  readonly date: string | undefined;
}

interface RawCall {
  readonly subject: CallSubject;
  readonly request: ReadyRequest;
  readonly send: Sender;
  readonly log: TrafficLog | undefined;
}

/** Sends a request once. Rejects only if there is no response. */
export async function readRaw(
  { subject, request, send, log }: RawCall,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal | undefined },
): Promise<RawReply> {
  const limit = timeLimit(milliseconds, signal);
  const began = performance.now();
  const note = (outcome: Pick<TrafficEntry, 'outcome' | 'status'>, bytesReceived: number): void =>
    log?.({
      ...outcome,
      operation: subject.operation,
      target: subject.target,
      attempt: 1,
      bytesSent: Buffer.byteLength(request.body),
      bytesReceived,
      milliseconds: Math.round(performance.now() - began),
    });
  try {
    const exchanged = await sendOnce(send, request, limit);
    if (exchanged.kind !== 'reply') {
      const error = failureOfExchange(subject, exchanged, limit);
      note({ outcome: error instanceof Canceled ? 'cancelled' : error.kind }, 0);
      throw error;
    }
    const { reply } = exchanged;
    const { status } = reply;
    if (reply.received === 'tooMuch') {
      note({ outcome: 'tooLarge', status }, 0);
      return { status, json: undefined, date: undefined };
    }
    // Whatever the response says, the request itself succeeded.
    note({ outcome: 'success', status }, reply.body.byteLength);
    return { status, json: parsed(reply.body), date: reply.date };
  } finally {
    limit.release();
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Not JSON. Drop the parser's message, because it quotes the text.
    return undefined;
  }
}
