import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createClient } from '../../src/platform/client';
import type { OperationName } from '../../src/platform/contract';
import { isPlatformError } from '../../src/platform/errors';
import { kindOfResult } from '../../src/platform/resultCodes';
import { table } from '../unit/platform/contractTable';
import { corruptedResponse } from '../unit/platform/corruptedResponse';
import { callWithEverything, operationNames, secretValues } from '../unit/platform/sampleCalls';
import { sampleAnswer } from '../unit/platform/samples';
import { addressOf } from '../unit/platform/setUp';
import { fastCheckSeed } from './seededRandom';
import type { SoakTest } from './soakTest';

/** Corrupted responses: each is parsed, or leads to a protocol error or to the error for its result code. */
export const corruptedResponses: SoakTest = {
  name: 'answers',
  concurrency: 1,
  timeLimit: 10_000,
  setUp: () =>
    Promise.resolve({
      runCase: async (seed) => {
        await checkResponse(seed);
      },
      dispose: () => Promise.resolve(),
    }),
};

export type ResponseOutcome = 'parsed' | 'protocol' | 'rejected';

/** Calls an operation that gets a corrupted response, and checks the result or the error. */
export async function checkResponse(seed: number): Promise<ResponseOutcome> {
  const [sample] = fc.sample(seed % 2 === 0 ? responses : fc.noBias(responses), {
    numRuns: 1,
    seed: fastCheckSeed(seed),
  });
  assert.ok(sample);
  const [name, body] = sample;
  try {
    return await outcomeOf(name, body);
  } catch (error) {
    throw new Error(`${name} got the response ${JSON.stringify(Buffer.from(body).toString())}`, { cause: error });
  }
}

/** A text that only responses contain. An error that shows it would also show the content of a file. */
const inFile = 'what only the file says';

const responses = fc
  .constantFrom(...operationNames)
  .chain((name) => fc.tuple(fc.constant(name), corruptedResponse(validResponse(name))));

function validResponse(name: OperationName): unknown {
  const operation = table.operations.find((one) => one.name === name);
  if (operation === undefined) {
    const environment = {
      env: { envName: 'demo', status: 1 },
      nodeGroups: [{ name: 'cp', deployments: [{ context: 'ROOT' }] }],
      nodes: [{ id: 7, name: 'node', nodeGroup: 'cp', ismaster: true }],
    };
    return name === 'GetEnvs' ? { result: 0, infos: [environment] } : { result: 0, ...environment };
  }
  const response = sampleAnswer(operation);
  return name === 'Read' ? { ...response, body: `${inFile}\n${'x'.repeat(50)}` } : response;
}

async function outcomeOf(name: OperationName, body: Uint8Array): Promise<ResponseOutcome> {
  const client = createClient({
    address: addressOf('https://platform.test'),
    transport: 'form',
    send: () => Promise.resolve({ received: 'answer', status: 200, location: undefined, body }),
    requestTimeouts: { accounts: 5_000, files: 5_000, long: 5_000 },
  });
  try {
    await callWithEverything(client, name);
    return 'parsed';
  } catch (error) {
    assert(isPlatformError(error), `${name} threw ${String(error)}`);
    const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    assert(!shown.includes(inFile) && !shown.includes(secretValues.session), shown);
    if (error.result === undefined) assert.equal(error.kind, 'protocol');
    else
      assert([error.result, ...error.nodes.map(({ result }) => result)].map(kindOfResult).includes(error.kind), shown);
    return error.result === undefined ? 'protocol' : 'rejected';
  }
}
