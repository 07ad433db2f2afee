import type { Account } from '../accounts/accounts';
import type { FilePlace } from '../containers/place';
import { openEnvelope } from '../platform/envelope';
import { isPlatformError, onPlatformError } from '../platform/errors';
import type { RawReply } from '../platform/sending/rawReply';
import { isJsonObject, type JsonObject } from '../platform/wire/scalars';
import type { Observation } from './checkSchema';
import type { Facts } from './facts';
import { shapeOf } from './shape';

export interface Probed {
  readonly facts: Facts;
  readonly observations: readonly Observation[];
}

export interface ProbeDeps {
  readonly account: Pick<
    Account,
    'call' | 'inspect' | 'inspectWithoutToken' | 'uploadWithoutToken' | 'transport' | 'pieces'
  >;
  readonly signal: AbortSignal;
}

/** A response, parsed as far as possible. */
export interface Seen {
  readonly code: number | undefined;
  readonly words: string | undefined;
  readonly body: JsonObject | undefined;
  readonly date: string | undefined;
}

/** The code for a method that the token doesn't permit. */
export const lacksMethod = 8202;

/** Records what each request of a check got. */
export class Recorder {
  readonly observations: Observation[] = [];

  /** Returns undefined if there was no response. Canceling and anything unexpected is thrown. */
  async look(step: string, send: () => Promise<RawReply>): Promise<Seen | undefined> {
    try {
      const { status, json, date } = await send();
      const opened = json === undefined ? undefined : openEnvelope(json, 'boolean');
      const code = opened?.said === 'failure' ? opened.result : opened?.said === 'success' ? 0 : undefined;
      const words = opened?.said === 'failure' ? opened.words : undefined;
      this.observations.push({ step, code, status, shape: json === undefined ? 'not JSON' : shapeOf(json) });
      return { code, words, body: isJsonObject(json) ? json : undefined, date };
    } catch (error) {
      this.noteFailure(step, error);
      return undefined;
    }
  }

  /** Does something with the platform. Returns whether it succeeded, or undefined if that isn't known. */
  async attempt(step: string, work: () => Promise<unknown>): Promise<boolean | undefined> {
    try {
      await work();
      this.observations.push({ step, code: 0 });
      return true;
    } catch (error) {
      this.noteFailure(step, error);
      return isPlatformError(error) && error.result !== undefined ? false : undefined;
    }
  }

  private readonly noteFailure = (step: string, error: unknown): void =>
    onPlatformError(({ kind, result, status }) => {
      this.observations.push({ step, code: result, status, failure: result === undefined ? kind : undefined });
    })(error);
}

/** The container to look at. */
export interface ProbedContainer {
  /** The root folder of one node. */
  readonly node: FilePlace;
  /** The same on every node of its layer. */
  readonly nodes: readonly FilePlace[];
}

const longestDifference = 5 * 60 * 1000;

export function clockFact(there: Date | undefined, here: number): 'same' | 'differs' | undefined {
  if (there === undefined || Number.isNaN(there.getTime())) {
    return undefined;
  }
  return Math.abs(there.getTime() - here) > longestDifference ? 'differs' : 'same';
}
