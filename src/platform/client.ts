import { randomBytes } from 'node:crypto';
import type { PlatformAddress } from './address';
import {
  type AnswerOf,
  type OperationName,
  operationsByName,
  type ParametersOf,
  type SignedInParametersOf,
  methodOf,
  operations,
} from './contract';
import type { Operation, Pace } from './contract/operation';
import { Canceled, type PlatformError } from './errors';
import { type CallSubject, failureOfExchange, failureOfReply, failureToSend } from './failure';
import { confidentialIn, type DisplayNames, encodeParameters, objectOf, targetOf, type Values } from './parameters';
import { type ReadReply, readReply } from './readReply';
import { withoutSecrets } from './redact';
import { resultCodes } from './resultCodes';
import { callWithRetries } from './sending/callWithRetries';
import {
  type ComposedRequest,
  composeRequest,
  type Pair,
  type ReadyRequest,
  type TimeLimit,
  type Transport,
  sendOnce,
  timeLimit,
  timeToSend,
} from './sending/request';
import type { Sender, TrafficEntry, TrafficLog } from './sending/sender';
import { type UploadedFile, uploadFile, type UploadParameters } from './sending/uploader';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a response until the call times out. Overrides the default of its operation. */
  readonly deadline?: number | undefined;
}

/** A client for one platform. Every failed call rejects with a PlatformError, and a canceled one with Canceled. */
export interface PlatformClient {
  readonly address: PlatformAddress;
  readonly transport: Transport;
  call<N extends OperationName>(operation: N, parameters: ParametersOf<N>, options?: CallOptions): Promise<AnswerOf<N>>;
  /** Like `call`, but adds the session. */
  callAs<N extends OperationName>(
    session: string,
    operation: N,
    parameters: SignedInParametersOf<N>,
    options?: CallOptions,
  ): Promise<AnswerOf<N>>;
  /** Sends one request and returns the response unread, to learn how the platform behaves. Checks no parameters. */
  inspect(operation: OperationName, values: Values, options?: InspectOptions): Promise<RawReply>;
  upload(parameters: UploadParameters, options?: CallOptions): Promise<UploadedFile>;
}

export interface InspectOptions extends CallOptions {
  /** Another transport than the client's. Never use it with a token. */
  readonly transport?: Transport | undefined;
  /** Spells the parameters' names differently. */
  readonly spell?: ((name: string) => string) | undefined;
}

export interface ClientSettings {
  readonly address: PlatformAddress;
  readonly transport: Transport;
  readonly send: Sender;
  readonly log?: TrafficLog | undefined;
  /** More secrets to mask in logs and errors, in addition to those of the call. */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** The user agreed to send passwords in URLs if the platform supports nothing else. */
  readonly passwordsInUrl?: boolean | undefined;
  readonly requestTimeouts?: Readonly<Partial<Record<Pace, number>>> | undefined;
  readonly maximumBytes?: number | undefined;
  /** The minimum pause before the first retry of a failed read, in milliseconds. */
  readonly retryPause?: number | undefined;
  /** For messages. */
  readonly names?: DisplayNames | undefined;
  /** The name of our sessions in the platform's list. */
  readonly userAgent?: string | undefined;
}

export const defaultTimeouts: Readonly<Record<Pace, number>> = { accounts: 30_000, files: 30_000, long: 900_000 };
const usualMaximumBytes = 128 * 1024 * 1024;
const usualRetryPause = 100;

export function createClient(settings: ClientSettings): PlatformClient {
  const { address, transport, send, log } = settings;
  const all: CallSettings = {
    ...settings,
    secrets: settings.secrets ?? (() => []),
    requestTimeouts: { ...defaultTimeouts, ...settings.requestTimeouts },
    maximumBytes: settings.maximumBytes ?? usualMaximumBytes,
    userAgent: settings.userAgent ?? 'Gantry',
  };
  return {
    address,
    transport,
    inspect: (operation, values, options) => inspect(all, operation, values, options),
    call: (operation, parameters, options) => call(all, operation, parameters, options),
    callAs: (session, operation, parameters, options) => {
      const values: Values = parameters;
      return call(all, operation, { ...values, session }, options);
    },
    upload: (parameters, options) => {
      const { secrets, requestTimeouts, maximumBytes, userAgent } = all;
      const settled = { address, send, log, secrets, requestTimeouts, maximumBytes, userAgent };
      return uploadFile(parameters, { ...options, ...settled });
    },
  };
}

/** The settings with what is used for those that aren't there. */
interface CallSettings extends ClientSettings {
  readonly secrets: () => readonly string[];
  readonly requestTimeouts: Readonly<Record<Pace, number>>;
  readonly maximumBytes: number;
  readonly userAgent: string;
}

async function call<N extends OperationName>(
  settings: CallSettings,
  name: N,
  values: Values,
  { signal, deadline }: CallOptions = {},
): Promise<AnswerOf<N>> {
  const { address, send, log, names } = settings;
  const operation = operationsByName[name];
  const own = confidentialIn(operation, values);
  const confidential = { secrets: [...own.secrets, ...settings.secrets()], texts: own.texts };
  const subject: CallSubject = {
    operation: name,
    method: methodOf(name),
    target: withoutSecrets(targetOf(values), confidential.secrets),
    object: objectOf(values, { clean: (words) => withoutSecrets(words, confidential.secrets), names }),
    address: address.baseUrl,
    writes: operation.effect === 'write',
    isExtra: operation.extra,
    confidential,
  };
  const encoded = encodeParameters(operation, values);
  if ('problem' in encoded) throw failureToSend(subject, { kind: 'invalid', problem: encoded.problem });
  const request = composeRequest(operation, encoded.ok, settings);
  if ('problem' in request) throw failureToSend(subject, request);
  return callWithRetries({
    subject,
    request: readyRequest(settings, operation, request.ok),
    expected: { success: operation.success ?? 'zero', answer: operation.answer, parameters: values },
    send,
    log,
    milliseconds: deadline ?? settings.requestTimeouts[operation.pace],
    toSend: deadline === undefined ? timeToSend(request.ok.body.length) : 0,
    firstPause: settings.retryPause ?? usualRetryPause,
    signal,
  });
}

async function inspect(
  settings: CallSettings,
  name: OperationName,
  values: Values,
  { signal, deadline, transport = settings.transport, spell = (parameter) => parameter }: InspectOptions = {},
): Promise<RawReply> {
  const { address, send, log } = settings;
  const operation = operationsByName[name];
  const own = confidentialIn(operation, values);
  const subject: CallSubject = {
    operation: name,
    target: '',
    address: address.baseUrl,
    writes: operation.effect === 'write',
    confidential: { secrets: [...own.secrets, ...settings.secrets()], texts: own.texts },
  };
  const pairs = Object.entries(values).flatMap(([parameter, value]): Pair[] =>
    value === undefined ? [] : [[spell(parameter), String(value)]],
  );
  const request = composeRequest(operation, pairs, { address, transport });
  if ('problem' in request) throw failureToSend(subject, request);
  return readRaw(
    { subject, request: readyRequest(settings, operation, request.ok), send, log },
    { milliseconds: deadline ?? settings.requestTimeouts[operation.pace], signal },
  );
}

function readyRequest(
  { userAgent, maximumBytes }: CallSettings,
  { pace, effect }: Operation,
  composed: ComposedRequest,
): ReadyRequest {
  const headers = { ...composed.headers, 'user-agent': userAgent };
  return { ...composed, headers, kind: pace === 'long' ? 'long' : effect, maximumBytes };
}

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
async function readRaw(
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
    return { status, json: parsedJson(reply.body), date: reply.date };
  } finally {
    limit.release();
  }
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Not JSON. Drop the parser's message, because it quotes the text.
    return undefined;
  }
}

interface ProbeSettings {
  readonly address: PlatformAddress;
  readonly send: Sender;
  readonly signal?: AbortSignal | undefined;
  /** The timeout for all requests together, in milliseconds. */
  readonly deadline?: number | undefined;
}

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
    askPlatform(settings, limit, transport, session);
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

async function askPlatform(
  { address, send }: ProbeSettings,
  limit: TimeLimit,
  transport: Transport,
  session: string | undefined,
): Promise<ProbeAnswer> {
  const pairs: readonly Pair[] = session === undefined ? [] : [['session', session]];
  const composed = composeRequest(operations.GetTokenTemplates, pairs, { address, transport });
  if ('problem' in composed) throw failureToSend(subjectAt(address), composed);
  const exchange = await sendOnce(send, { ...composed.ok, kind: 'read', maximumBytes: 1024 * 1024 }, limit);
  if (exchange.kind !== 'reply') throw failureOfExchange(subjectAt(address), exchange, limit);
  const expected = { success: 'zero', answer: operations.GetTokenTemplates.answer, parameters: {} } as const;
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
