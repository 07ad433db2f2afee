import { channel } from 'node:diagnostics_channel';
import type { PlatformAddress } from '../address';
import type { Area, Operation } from '../contract/operation';
import { explainLostReply, type LostReply } from '../lostReply';
import type { IncomingReply, OutgoingRequest, Sender } from './sender';

// One request: composed, limited in time, and sent once.

/** Where each area's operations are. */
export const areas: Readonly<Record<Area, string>> = {
  authentication: '1.0/users/authentication/rest',
  vcs: '1.0/environment/vcs/rest',
  file: '1.0/environment/file/rest',
  control: '1.0/environment/control/rest',
};

/** Where parameters stand: in the body of the request, or in its URL. */
export type Transport = 'form' | 'query';

export interface ComposedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface Destination {
  readonly address: PlatformAddress;
  readonly transport: Transport;
  readonly passwordsInUrl?: boolean | undefined;
}

/** Why a request cannot be sent as it is. */
export interface Unsendable {
  readonly kind: 'invalid' | 'tooLarge';
  readonly problem: string;
}

/** The longest URL that the platform takes. */
export const longestUrl = 2048;

export function composeRequest(
  { area, path }: Pick<Operation, 'area' | 'path'>,
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
  if (!passwordsInUrl && pairs.some(([name]) => name === 'password')) {
    const problem = 'this platform takes a password only in a URL, where servers on the way may log it';
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

/** 1 for each byte that a form carries as it is. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w*.-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/**
 * Pairs as a form has them. Byte by byte, because a text of ten megabytes holds up the whole process for a second
 * in URLSearchParams.
 */
export function encodeForm(pairs: readonly Pair[]): Uint8Array {
  const parts = pairs.flatMap(([name, value], index) => [
    Buffer.from(index === 0 ? '' : '&'),
    encodeBytes(Buffer.from(name)),
    Buffer.from('='),
    encodeBytes(Buffer.from(value)),
  ]);
  return Buffer.concat(parts);
}

/** The same pairs, as the part of a URL that follows the question mark. */
export function encodeQuery(pairs: readonly Pair[]): string {
  return Buffer.from(encodeForm(pairs)).toString('latin1');
}

/** How many characters a character takes there. */
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

function whenAborted(signal: AbortSignal): { aborted: Promise<undefined>; forget: () => void } {
  const state: { listener: () => void } = { listener: () => undefined };
  const aborted = new Promise<undefined>((resolve) => {
    state.listener = () => resolve(undefined);
    signal.addEventListener('abort', state.listener, { once: true });
  });
  return { aborted, forget: () => signal.removeEventListener('abort', state.listener) };
}
