import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createClient } from '../../../src/platform/client';
import type { OperationName } from '../../../src/platform/contract';
import { isPlatformError } from '../../../src/platform/errors';
import { kindOfResult } from '../../../src/platform/resultCodes';
import { table } from './contractTable';
import { mutatedAnswer } from './mutatedAnswer';
import { sampleAnswer } from './samples';
import { callWithEverything, operationNames, secretValues } from './sampleCalls';
import { addressOf } from './setUp';

const runs = 10_000;
const seed = 20_260;

/** Text that only answers hold: if an error shows it, it shows what a file may have held. */
const inFile = 'what only the file says';

function validAnswer(name: OperationName): unknown {
  const contracted = table.operations.find((operation) => operation.name === name);
  if (contracted === undefined) {
    const environment = {
      env: { envName: 'demo', status: 1 },
      nodeGroups: [{ name: 'cp', deployments: [{ context: 'ROOT' }] }],
      nodes: [{ id: 7, name: 'node', nodeGroup: 'cp', ismaster: true }],
    };
    return name === 'GetEnvs' ? { result: 0, infos: [environment] } : { result: 0, ...environment };
  }
  const answer = sampleAnswer(contracted);
  return name === 'Read' ? { ...answer, body: `${inFile}\n${'x'.repeat(50)}` } : answer;
}

describe('answers that were damaged on the way', () => {
  it(`${runs} of them are read, or end in an error of the kind protocol or of their code`, async function () {
    this.timeout(300_000);
    const outcomes = new Map<string, number>();
    const damaged = fc
      .constantFrom(...operationNames)
      .chain((name) => fc.tuple(fc.constant(name), mutatedAnswer(validAnswer(name))));
    await fc.assert(
      fc.asyncProperty(damaged, async ([name, body]) => {
        const outcome = await endOf(name, body);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
    const sum = [...outcomes.values()].reduce((total, count) => total + count, 0);
    assert.equal(sum, runs);
    console.log(`      ${JSON.stringify(Object.fromEntries(outcomes))}`);
    assert((outcomes.get('read') ?? 0) > runs / 20, 'hardly any answer survived: the mutations are too coarse');
    assert((outcomes.get('protocol') ?? 0) > runs / 20, 'hardly any answer was refused: the mutations are too fine');
  });
});

/** Calls an operation that gets these bytes for an answer, and checks what became of it. */
async function endOf(name: OperationName, body: Uint8Array): Promise<string> {
  const client = createClient({
    address: addressOf('https://platform.test'),
    transport: 'form',
    send: () => Promise.resolve({ received: 'answer', status: 200, location: undefined, body }),
    deadlines: { accounts: 5_000, files: 5_000, long: 5_000 },
  });
  try {
    await callWithEverything(client, name);
    return 'read';
  } catch (error) {
    assert(isPlatformError(error), `${name} threw ${String(error)}`);
    const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    assert(!shown.includes(inFile) && !shown.includes(secretValues.session), shown);
    if (error.result === undefined) assert.equal(error.kind, 'protocol');
    else
      assert([error.result, ...error.nodes.map(({ result }) => result)].map(kindOfResult).includes(error.kind), shown);
    return error.result === undefined ? 'protocol' : 'refused';
  }
}
