import assert from 'node:assert/strict';
import { type AnswerOf, type OperationName, operationsByName } from '../../../src/platform/contract';

/** Reads a response as the client does. */
export async function readAnswer<N extends OperationName>(
  name: N,
  body: Record<string, unknown>,
): Promise<AnswerOf<N>> {
  const reading = await operationsByName[name].answer.read(body, {});
  assert('ok' in reading, JSON.stringify(reading));
  return reading.ok;
}

/** Checks that a response is rejected. */
export async function assertRefused(name: OperationName, body: Record<string, unknown>): Promise<void> {
  const reading = await operationsByName[name].answer.read(body, {});
  assert('malformed' in reading, JSON.stringify(reading));
}
