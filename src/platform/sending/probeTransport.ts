import { randomBytes } from 'node:crypto';
import type { PlatformAddress } from '../address';
import { authentication } from '../contract/authentication';
import type { PlatformError } from '../errors';
import { type CallSubject, failureOfExchange, failureOfReply, failureToSend } from '../failure';
import { resultCodes } from '../resultCodes';
import { type ReadReply, readReply } from '../readReply';
import { composeRequest, sendOnce, type TimeLimit, timeLimit, type Transport } from './request';
import type { Sender } from './sender';

interface ProbeSettings {
  readonly address: PlatformAddress;
  readonly send: Sender;
  readonly signal?: AbortSignal | undefined;
  /** The timeout for all requests together, in milliseconds. */
  readonly deadline?: number | undefined;
}

const operation = authentication.GetTokenTemplates;

interface ProbeAnswer {
  readonly reply: ReadReply<unknown>;
  readonly status: number;
}

/**
 * Determines how a platform takes parameters, by sending the same request in both ways with a made-up session. No
 * secret is sent before that's known. Compares the responses, because a missing and a mistyped parameter have the same
 * code. If both have it, a third request without a session shows which one arrived.
 */
export async function probeTransport(settings: ProbeSettings): Promise<Transport> {
  const invented = randomBytes(18).toString('hex');
  const limit = timeLimit(settings.deadline ?? 30_000, settings.signal);
  const ask = (transport: Transport, session?: string): Promise<ProbeAnswer> =>
    question(settings, limit, transport, session);
  try {
    const form = await ask('form', invented);
    const query = await ask('query', invented);
    const [inForm, inQuery] = [codeOf(form), codeOf(query)];
    if (inForm === undefined && inQuery === undefined) throw notThePlatform(settings, form);
    if (inForm === undefined) return 'query';
    if (inQuery === undefined || inForm !== resultCodes.invalidParameter) return 'form';
    if (inQuery !== resultCodes.invalidParameter) return 'query';
    const without = await ask('form');
    return wordsOf(form) === wordsOf(without) && wordsOf(query) !== wordsOf(without) ? 'query' : 'form';
  } finally {
    limit.release();
  }
}

async function question(
  { address, send }: ProbeSettings,
  limit: TimeLimit,
  transport: Transport,
  session: string | undefined,
): Promise<ProbeAnswer> {
  const composed = composeRequest(operation, session === undefined ? [] : [['session', session]], {
    address,
    transport,
  });
  if ('problem' in composed) throw failureToSend(subjectAt(address), composed);
  const exchange = await sendOnce(send, { ...composed.ok, kind: 'read', maximumBytes: 1024 * 1024 }, limit);
  if (exchange.kind !== 'reply') throw failureOfExchange(subjectAt(address), exchange, limit);
  const expected = { success: 'zero', answer: operation.answer, parameters: {} } as const;
  return { reply: await readReply(exchange.reply, expected), status: exchange.reply.status };
}

function subjectAt(address: PlatformAddress): CallSubject {
  const confidential = { secrets: [], texts: [] };
  return { operation: 'GetTokenTemplates', target: '', address: address.baseUrl, writes: false, confidential };
}

/** Returns the platform's code, or undefined if the response isn't from the platform. */
function codeOf({ reply }: ProbeAnswer): number | undefined {
  if (reply.means === 'noAnswer') return undefined;
  return reply.means === 'value' ? 0 : reply.refusal.result;
}

/** Returns the platform's message. It's only compared, never interpreted. */
function wordsOf({ reply }: ProbeAnswer): string | undefined {
  return reply.means === 'refusal' ? reply.refusal.words : undefined;
}

function notThePlatform({ address }: ProbeSettings, { reply, status }: ProbeAnswer): PlatformError {
  if (reply.means === 'value') throw new Error('An answer that was understood is no failure.');
  return failureOfReply(subjectAt(address), reply, status);
}
