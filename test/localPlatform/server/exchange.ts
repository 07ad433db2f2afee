import type { IncomingMessage, ServerResponse } from 'node:http';
import { cut, endsSession, playFaults, playOnAnswer, sendingOf, storedValues } from '../faults/playFaults';
import type { Play } from '../faults/faults';
import type { Answer } from '../operation';
import type { Platform } from '../platform';
import { journalParameters } from './journalParameters';
import { jsonReply, send, type Reply } from './reply';

/** A request whose operation is known. */
export interface Exchange {
  readonly operation: string;
  /** The parameters as sent, for faults and the journal. */
  readonly values: ReadonlyMap<string, string>;
  readonly inUrl: readonly string[];
  readonly requestBytes: number;
  /** Runs the operation with the parameters that the faults may have changed. */
  readonly act: (values: ReadonlyMap<string, string>, plays: readonly Play[]) => Promise<Answer>;
}

const replyTo = async (platform: Platform, exchange: Exchange, plays: readonly Play[]): Promise<Reply | typeof cut> => {
  const { signal } = platform.periodic;
  const before = await playFaults(plays, 'before', signal);
  if (before !== undefined) return before;
  const secret = exchange.values.get('session');
  if (endsSession(plays) && secret !== undefined) {
    await platform.accounts.expire(secret);
  }
  const acting = exchange.act(storedValues(plays, exchange.values), plays);
  const tooLate = await playFaults(plays, 'during', signal);
  if (tooLate !== undefined) {
    void platform.periodic.awaited(acting);
    return tooLate;
  }
  const answer = await acting;
  return (await playFaults(plays, 'after', signal)) ?? jsonReply(playOnAnswer(plays, answer));
};

/** Passes a request through the journal, the faults, and the operation, and responds to it. */
export const answerExchange = async (
  platform: Platform,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> => {
  const since = performance.now();
  const entry = platform.journal.begin({
    operation: exchange.operation,
    path: (request.url ?? '').replace(/\?.*$/su, ''),
    httpMethod: request.method ?? '',
    parameters: journalParameters(exchange.values),
    inUrl: exchange.inUrl,
    userAgent: request.headers['user-agent'] ?? '',
    requestBytes: exchange.requestBytes,
  });
  const plays = platform.faults.meet(exchange.operation, exchange.values);
  const faults = plays.map(({ fault }) => fault.kind);
  try {
    const reply = await replyTo(platform, exchange, plays);
    if (reply === cut) {
      response.destroy();
      platform.journal.finish(entry, { answerBytes: 0, result: undefined, status: 0, faults });
      return;
    }
    const outcome = { answerBytes: reply.body.length, result: reply.result, status: reply.status, faults };
    const how = await sendingOf(plays, { since, requestBytes: exchange.requestBytes }, platform.periodic.signal);
    // Recorded before the last byte is sent, so that a client with the response finds it in the journal.
    await send(response, reply, { ...how, beforeLast: () => platform.journal.finish(entry, outcome) });
  } catch (error) {
    // Dispose ends pauses. Any other error is a bug in this platform and must be visible.
    if (!platform.periodic.signal.aborted) console.error(`${exchange.operation} could not be answered:`, error);
    response.destroy();
  }
};
