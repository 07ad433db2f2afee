import { randomBytes } from 'node:crypto';
import type { PlatformAddress } from './address';
import { operations } from './contract';
import type { Cancelled, PlatformError } from './errors';
import type { CallSubject } from './failure';
import { failureOfExchange, failureOfReply } from './failure';
import { exchange, startTimeLimit } from './http';
import { interpret } from './interpret';
import type { Transport } from './request';
import { composeRequest } from './request';
import type { IncomingReply, Sender } from './sender';

export interface ProbeSettings {
  readonly address: PlatformAddress;
  readonly send: Sender;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for all questions together. */
  readonly deadline?: number | undefined;
}

const operation = operations.GetTokenTemplates;
const invalidParameter = 3;

/** What the platform said to one question; `code` only where it was the platform that spoke. */
interface Said {
  readonly code: number | undefined;
  readonly reply: IncomingReply;
}

/**
 * Finds out how a platform takes parameters, by asking the same in both ways with an invented session: a secret is
 * sent only once this is known. The answers are compared with each other, since the code for a missing parameter
 * is also that for a mistyped one; where both carry it, a third question with no session at all tells them apart.
 */
export async function probeTransport(settings: ProbeSettings): Promise<Transport> {
  const invented = randomBytes(18).toString('hex');
  const limit = startTimeLimit(settings.deadline ?? 30_000, settings.signal);
  const subject: CallSubject = {
    operation: 'GetTokenTemplates',
    target: '',
    address: settings.address.baseUrl,
    writes: false,
    confidential: { secrets: [invented], texts: [] },
  };

  const ask = async (transport: Transport, session: string | undefined): Promise<Said> => {
    const pairs: [string, string][] = session === undefined ? [] : [['session', session]];
    const composed = composeRequest(operation, pairs, { address: settings.address, transport });
    if ('error' in composed) throw composed.error(subject);
    const came = await exchange(settings.send, { ...composed.ok, maximumBytes: 1024 * 1024 }, limit);
    if (came.came !== 'reply') throw failureOfExchange(subject, came, limit);
    const meant = await interpret(came.reply, { success: 'zero', answer: operation.answer, parameters: {} });
    const code = meant.means === 'refusal' ? meant.refusal.result : undefined;
    return { code: meant.means === 'value' ? 0 : code, reply: came.reply };
  };

  const notThePlatform = async ({ reply }: Said): Promise<PlatformError | Cancelled> => {
    const meant = await interpret(reply, { success: 'zero', answer: operation.answer, parameters: {} });
    if (meant.means === 'value') throw new Error('An answer that was understood is no failure.');
    return failureOfReply(subject, meant, reply.status);
  };

  try {
    const form = await ask('form', invented);
    const query = await ask('query', invented);
    if (form.code === undefined && query.code === undefined) throw await notThePlatform(form);
    if (query.code === undefined) return 'form';
    if (form.code === undefined) return 'query';
    if (form.code !== invalidParameter) return 'form';
    if (query.code !== invalidParameter) return 'query';
    const without = await ask('form', undefined);
    return sameBody(form, without) && !sameBody(query, without) ? 'query' : 'form';
  } finally {
    limit.release();
  }
}

/** The words of two answers are compared, never understood; `debug` holds times, which always differ. */
function sameBody(one: Said, other: Said): boolean {
  return wordsOf(one) === wordsOf(other);
}

function wordsOf({ reply }: Said): string {
  if (reply.received !== 'answer') return '';
  const text = new TextDecoder().decode(reply.body);
  return /"error"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '';
}
