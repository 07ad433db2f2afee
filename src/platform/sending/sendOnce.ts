import { channel } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingReply, OutgoingRequest, Sender } from './sender';
import type { LostReply } from '../lostReply';
import { explainLostReply } from '../lostReply';

/** What became of one request. */
export type Exchange =
  | { readonly came: 'reply'; readonly reply: IncomingReply }
  | { readonly came: 'nothing'; readonly lost: LostReply; readonly error: unknown }
  | { readonly came: 'deadline' | 'cancelled'; readonly sent: boolean };

/** A call's timeout, combined with the caller's abort signal. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly milliseconds: number;
  /** Starts the clock, unless it runs already. */
  begin(): void;
  /** Restarts the clock when part of the response has arrived. */
  extend(): void;
  expired(): boolean;
  release(): void;
}

/** Limits how long a call may go without a response, not counting time in the queue. Must be released when the call ends. */
export function timeLimit(milliseconds: number, caller: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const state: { expired: boolean; timer?: NodeJS.Timeout } = { expired: false };
  const cancel = (): void => controller.abort();
  const expire = (): void => {
    state.expired = true;
    controller.abort(new DOMException('The call timed out.', 'TimeoutError'));
  };
  if (caller?.aborted === true) cancel();
  caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    milliseconds,
    begin: () => {
      state.timer ??= setTimeout(expire, milliseconds);
    },
    extend: () => state.timer?.refresh(),
    expired: () => state.expired && caller?.aborted !== true,
    release: () => {
      clearTimeout(state.timer);
      caller?.removeEventListener('abort', cancel);
    },
  };
}

/**
 * Announces each request in the async context of its caller. undici's own channel can't tell who caused a request that
 * waited for a connection: it announces that one in the context in which the connection was opened.
 */
export const requestChannel = channel('gantry:request');

export type ReadyRequest = Omit<OutgoingRequest, 'signal' | 'onStart' | 'onProgress'>;

/** Sends one request: the only place that does. Never throws. */
export async function sendOnce(send: Sender, request: ReadyRequest, limit: TimeLimit): Promise<Exchange> {
  const state = { sent: false };
  const ended = (): Exchange => ({ came: limit.expired() ? 'deadline' : 'cancelled', sent: state.sent });
  if (isOver(limit)) return ended();
  const onStart = (): void => {
    state.sent = true;
    limit.begin();
  };
  const { aborted, forget } = whenAborted(limit.signal);
  try {
    requestChannel.publish({ path: new URL(request.url).pathname });
    // Raced, because not every sender gives up at once when it is told to.
    const reply = await Promise.race([
      send({ ...request, signal: limit.signal, onStart, onProgress: () => limit.extend() }),
      aborted,
    ]);
    return reply === undefined ? ended() : { came: 'reply', reply };
  } catch (error) {
    return isOver(limit) ? ended() : { came: 'nothing', lost: explainLostReply(error), error };
  } finally {
    forget();
  }
}

function isOver({ signal }: TimeLimit): boolean {
  return signal.aborted;
}

const mostAttempts = 3;

/** Whether there is another attempt after this one, and its pause. Spread at random, so that many callers do not come back at once. */
export async function pauseBeforeRetry(
  attempt: number,
  firstPause: number,
  limit: TimeLimit,
): Promise<'again' | 'enough'> {
  if (attempt >= mostAttempts) return 'enough';
  const longest = firstPause * 3 ** attempt;
  try {
    await pause(firstPause + Math.random() * (longest - firstPause), undefined, { signal: limit.signal });
    return 'again';
  } catch {
    // Only an abort ends the pause early; the next attempt reports it for what it is.
    return 'again';
  }
}

function whenAborted(signal: AbortSignal): { aborted: Promise<undefined>; forget: () => void } {
  const state: { listener: () => void } = { listener: () => undefined };
  const aborted = new Promise<undefined>((resolve) => {
    state.listener = () => resolve(undefined);
    signal.addEventListener('abort', state.listener, { once: true });
  });
  return { aborted, forget: () => signal.removeEventListener('abort', state.listener) };
}
