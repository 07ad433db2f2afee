import { channel } from 'node:diagnostics_channel';
import type { PlatformAddress } from '../address';
import type { Area, Operation } from '../contract/operation';
import { explainLostReply } from '../lostReply';
import type { IncomingReply, OutgoingRequest, Sender } from './sender';

// One request: composed, limited in time, and sent once.

export const areas: Readonly<Record<Area, string>> = {
  authentication: '1.0/users/authentication/rest',
  vcs: '1.0/environment/vcs/rest',
  file: '1.0/environment/file/rest',
  control: '1.0/environment/control/rest',
  account: '1.0/users/account/rest',
  tracking: '1.0/environment/tracking/rest',
};

/** Where to put parameters: in the request's body or its URL. */
export type Transport = 'form' | 'query';

export interface ComposedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface Destination {
  readonly address: PlatformAddress;
  readonly transport: Transport;
  readonly passwordsInUrl?: boolean | undefined;
}

export interface Unsendable {
  readonly kind: 'invalid' | 'tooLarge';
  readonly problem: string;
}

/** The longest URL that the platform accepts. */
export const longestUrl = 2048;

export function composeRequest(
  { area, path, parameters = {} }: Pick<Operation, 'area' | 'path'> & Partial<Pick<Operation, 'parameters'>>,
  pairs: readonly Pair[],
  { address, transport, passwordsInUrl = false }: Destination,
): { readonly ok: ComposedRequest } | Unsendable {
  const endpoint = `${address.baseUrl}/${areas[area]}/${path}`;
  if (transport === 'form') {
    const type = 'application/x-www-form-urlencoded;charset=UTF-8';
    return {
      ok: { url: endpoint, headers: { accept: 'application/json', 'content-type': type }, body: encodeForm(pairs) },
    };
  }
  const isSecret = ([name]: Pair) => name === 'password' || parameters[name]?.carries === 'variables';
  if (!passwordsInUrl && pairs.some(isSecret)) {
    const problem = 'this platform takes secrets only in a URL, where servers on the way may log them';
    return { kind: 'invalid', problem };
  }
  const url = `${endpoint}?${encodeQuery(pairs)}`;
  if (url.length > longestUrl) {
    const problem = `as a URL it has ${url.length} characters, and the platform takes ${longestUrl}`;
    return { kind: 'tooLarge', problem };
  }
  return { ok: { url, headers: { accept: 'application/json' }, body: '' } };
}

export type Pair = readonly [name: string, value: string];

const code = (character: string): number => character.charCodeAt(0);
const hexDigits = Buffer.from('0123456789ABCDEF');
const percent = code('%');
const space = code(' ');
const plus = code('+');

/** 1 for each byte that a form doesn't encode. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w*.-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/**
 * Encodes form fields. Works on bytes, because with URLSearchParams a text of 10 MB blocks the process for a second.
 */
function encodeForm(pairs: readonly Pair[]): Uint8Array {
  const parts = pairs.flatMap(([name, value], index) => [
    Buffer.from(index === 0 ? '' : '&'),
    encodeBytes(Buffer.from(name)),
    Buffer.from('='),
    encodeBytes(Buffer.from(value)),
  ]);
  return Buffer.concat(parts);
}

/** Encodes the same pairs as a URL query. */
export function encodeQuery(pairs: readonly Pair[]): string {
  return Buffer.from(encodeForm(pairs)).toString('latin1');
}

export function encodedLength(codePoint: number): number {
  if (codePoint === space || plain[codePoint] === 1) return 1;
  const bytes = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  return bytes * '%00'.length;
}

function encodeBytes(bytes: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(bytes.length * 3);
  let length = 0;
  for (const byte of bytes) {
    if (plain[byte] === 1) encoded[length++] = byte;
    else if (byte === space) encoded[length++] = plus;
    else {
      encoded[length++] = percent;
      encoded[length++] = hexDigits[byte >> 4] ?? 0;
      encoded[length++] = hexDigits[byte & 15] ?? 0;
    }
  }
  return encoded.subarray(0, length);
}

export type Exchange =
  | { readonly kind: 'reply'; readonly reply: IncomingReply }
  | { readonly kind: 'nothing'; readonly lost: ReturnType<typeof explainLostReply>; readonly error: unknown }
  | {
      readonly kind: 'deadline' | 'cancelled';
      readonly sent: boolean;
      /** How much of the response had arrived. */
      readonly bytes: number;
    };

/** A call's timeout, combined with the caller's abort signal. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The timeout for the response. */
  readonly milliseconds: number;
  /** Starts the clock if it isn't running, and gives time to send the request, also if it's sent again. */
  begin(): void;
  /** Restarts the clock when a part of the request was sent or a response begins: for this time or less. */
  restart(most?: number): void;
  /** Gives a response time for the rest according to the bytes that arrived, but never more than the timeout. */
  extend(bytes: number): void;
  /** How long the clock was set for, in milliseconds. */
  allowed(): number;
  expired(): boolean;
  release(): void;
}

/** Bytes per second of a slow connection, used to give longer texts more time where a sender can't tell what it sent. */
const slowConnection = 50_000;

/** Milliseconds that sending may take, in addition to the timeout for the response. */
export function timeToSend(bytes: number): number {
  return (bytes * 1000) / slowConnection;
}

/** How long a request may take, in milliseconds, until the next part of it is sent. */
const longestStall = 120_000;
/** Bytes per second that a response must bring on average, so that one that drips ends. */
const leastRate = 250;

/**
 * Limits how long a call may go without a response, or with one that's too slow, not counting the queue. Must be
 * released afterwards.
 * @param toSend how much longer it may take in all while it's sent, in milliseconds
 */
export function timeLimit(milliseconds: number, caller: AbortSignal | undefined, toSend = 0): TimeLimit {
  const controller = new AbortController();
  const state: { expired: boolean; end: number; allowed: number; timer?: NodeJS.Timeout } = {
    expired: false,
    end: 0,
    allowed: milliseconds,
  };
  const cancel = (): void => controller.abort();
  const expire = (): void => {
    const left = state.end - performance.now();
    // A timer may fire a millisecond early.
    if (left >= 1) {
      state.timer = setTimeout(expire, left);
      return;
    }
    state.expired = true;
    controller.abort(new DOMException('The call timed out.', 'TimeoutError'));
  };
  if (caller?.aborted === true) cancel();
  caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    milliseconds,
    begin: () => {
      if (state.timer !== undefined) {
        state.allowed += toSend;
        state.end += toSend;
        return;
      }
      state.allowed = milliseconds + toSend;
      state.end = performance.now() + state.allowed;
      state.timer = setTimeout(expire, state.allowed);
    },
    restart: (most = milliseconds) => {
      state.allowed = Math.min(milliseconds + toSend, most);
      const end = performance.now() + state.allowed;
      // The timer waits until the end that it was started for.
      if (end < state.end && state.timer !== undefined) {
        clearTimeout(state.timer);
        state.timer = setTimeout(expire, end - performance.now());
      }
      state.end = end;
    },
    extend: (bytes) => {
      state.end = Math.min(performance.now() + milliseconds, state.end + (bytes * 1000) / leastRate);
    },
    allowed: () => state.allowed,
    expired: () => state.expired && caller?.aborted !== true,
    release: () => {
      clearTimeout(state.timer);
      caller?.removeEventListener('abort', cancel);
    },
  };
}

/**
 * Announces each request in its caller's async context. undici's own channel uses the context in which the connection
 * was opened, so it can't identify the caller of a request that waited for a connection.
 */
const requestChannel = channel('gantry:request');

export type ReadyRequest = Omit<OutgoingRequest, 'signal' | 'onStart' | 'onSent' | 'onProgress'>;

/** Sends one request; nothing else does. Never throws. */
export async function sendOnce(send: Sender, request: ReadyRequest, limit: TimeLimit): Promise<Exchange> {
  const state = { sent: false, bytes: 0 };
  const ended = (): Exchange => ({ kind: limit.expired() ? 'deadline' : 'cancelled', ...state });
  if (isOver(limit)) return ended();
  const onStart = (): void => {
    state.sent = true;
    limit.begin();
  };
  const onSent = (isWhole: boolean): void => {
    // Buffers of the system may still hold the last parts.
    if (state.bytes === 0) limit.restart(isWhole ? limit.milliseconds + longestStall : longestStall);
  };
  const onProgress = (bytes: number): void => {
    if (state.bytes === 0) limit.restart();
    else limit.extend(bytes);
    state.bytes += bytes;
  };
  const { aborted, forget } = whenAborted(limit.signal);
  try {
    requestChannel.publish({ path: new URL(request.url).pathname });
    // Race, because not every sender reacts to an abort right away.
    const reply = await Promise.race([
      send({ ...request, signal: limit.signal, onStart, onSent, onProgress }),
      aborted,
    ]);
    return reply === undefined ? ended() : { kind: 'reply', reply };
  } catch (error) {
    return isOver(limit) ? ended() : { kind: 'nothing', lost: explainLostReply(error), error };
  } finally {
    forget();
  }
}

function isOver({ signal }: TimeLimit): boolean {
  return signal.aborted;
}

function whenAborted(signal: AbortSignal): { aborted: Promise<undefined>; forget: () => void } {
  const state: { listener: () => void } = { listener: () => undefined };
  const aborted = new Promise<undefined>((resolve) => {
    state.listener = () => resolve(undefined);
    signal.addEventListener('abort', state.listener, { once: true });
  });
  return { aborted, forget: () => signal.removeEventListener('abort', state.listener) };
}
