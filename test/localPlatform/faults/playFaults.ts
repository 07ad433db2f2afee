import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../operation';
import { gatewayReply, jsonReply, type Reply, type Sending } from '../server/reply';
import type { DiskConditions } from './diskConditions';
import type { Fault } from './fault';
import type { Play } from './faults';

/** The connection is cut without a response. */
export const cut = Symbol('cut');

const nested = (fault: Extract<Fault, { kind: 'nestedFailure' }>): Answer => {
  const failure = { result: fault.result, error: fault.error };
  if (fault.shape === 'response') return { result: 0, response: failure };
  return { result: 0, responses: [{ ...failure, nodeid: fault.nodeId }] };
};

const playOne = async ({ fault, released }: Play, signal: AbortSignal): Promise<Reply | typeof cut | undefined> => {
  switch (fault.kind) {
    case 'delay':
      await pause(fault.milliseconds, undefined, { signal });
      return undefined;
    case 'hang':
      await Promise.race([released, new Promise((end) => signal.addEventListener('abort', end, { once: true }))]);
      return undefined;
    case 'swallow':
      await Promise.race([released, new Promise((end) => signal.addEventListener('abort', end, { once: true }))]);
      return cut;
    case 'reset':
      return cut;
    case 'gatewayError':
      return gatewayReply(fault.status);
    case 'refuse':
      return jsonReply({ result: fault.result, error: fault.error, source: 'JEL' });
    case 'nestedFailure':
      return jsonReply(nested(fault));
    case 'answer':
      return { status: fault.status, contentType: fault.contentType, body: Buffer.from(fault.body) };
    default:
      return undefined;
  }
};

/** Applies the faults before or after the operation. A returned answer replaces that of the operation. */
export const playFaults = async (
  plays: readonly Play[],
  when: 'before' | 'during' | 'after',
  signal: AbortSignal,
): Promise<Reply | typeof cut | undefined> => {
  for (const play of plays) {
    if (!('when' in play.fault) || play.fault.when !== when) continue;
    const instead = await playOne(play, signal);
    if (instead !== undefined) return instead;
  }
  return undefined;
};

const ofKind = <Kind extends Fault['kind']>(
  plays: readonly Play[],
  kind: Kind,
): readonly Extract<Fault, { kind: Kind }>[] => plays.flatMap(({ fault }) => (isKind(fault, kind) ? [fault] : []));

const isKind = <Kind extends Fault['kind']>(fault: Fault, kind: Kind): fault is Extract<Fault, { kind: Kind }> =>
  fault.kind === kind;

/** Returns when an operation ends whose response the gateway doesn't wait for. */
export const endOfLongWork = (plays: readonly Play[], signal: AbortSignal): Promise<unknown> | undefined => {
  const long = plays.find(({ fault }) => fault.kind === 'gatewayError' && fault.when === 'during');
  return (
    long && Promise.race([long.released, new Promise((end) => signal.addEventListener('abort', end, { once: true }))])
  );
};

export const endsSession = (plays: readonly Play[]): boolean => ofKind(plays, 'expireSession').length > 0;

export const diskConditions = (plays: readonly Play[]): DiskConditions => {
  const [full] = ofKind(plays, 'diskFull');
  return {
    ...(full === undefined ? {} : { full: full.leaves }),
    failing: new Map(ofKind(plays, 'failNode').map(({ nodeId, result, error }) => [nodeId, { result, error }])),
  };
};

/** Returns the parameters with the text to store instead. */
export const storedValues = (
  plays: readonly Play[],
  values: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  ofKind(plays, 'wrongText').reduce((changed, { text }) => new Map(changed).set('body', text), values);

export const playOnAnswer = (plays: readonly Play[], answer: Answer): Answer =>
  ofKind(plays, 'textResult').length === 0 ? answer : { ...answer, result: String(answer['result']) };

interface Taken {
  /** When the request was received, by `performance.now()`. */
  readonly since: number;
  readonly requestBytes: number;
}

/** Returns how to send the response, depending on the size of the request. */
export const sendingOf = async (plays: readonly Play[], taken: Taken, signal: AbortSignal): Promise<Sending> => {
  const { since, requestBytes } = taken;
  const [slow] = ofKind(plays, 'bandwidth');
  for (const { milliseconds } of ofKind(plays, 'distance')) {
    await pause(Math.max(0, milliseconds - (performance.now() - since)), undefined, { signal });
  }
  const [truncated] = ofKind(plays, 'truncate');
  const [dripping] = ofKind(plays, 'drip');
  if (slow !== undefined) await pause((requestBytes * 1000) / slow.bytesPerSecond, undefined, { signal });
  return {
    signal,
    ...(slow === undefined ? {} : { bytesPerSecond: slow.bytesPerSecond }),
    ...(dripping === undefined ? {} : { pauseAfterByte: dripping.milliseconds }),
    ...(truncated === undefined ? {} : { cutAfter: truncated.bytes }),
  };
};
