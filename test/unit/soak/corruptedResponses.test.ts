import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { corruptedResponses, checkResponse } from '../../soak/corruptedResponses';
import { assertSeeds } from '../../soak/runSeeds';
import type { SoakTest } from '../../soak/soakTest';

const count = 2_000;

describe('corrupted responses', () => {
  it(`are parsed, or lead to a protocol error or to the error for their result code (${count} seeds)`, async () => {
    const outcomes = { parsed: 0, protocol: 0, rejected: 0 };
    const countingTest: SoakTest = {
      ...corruptedResponses,
      setUp: async () => ({
        ...(await corruptedResponses.setUp()),
        runCase: async (seed) => {
          outcomes[await checkResponse(seed)] += 1;
        },
      }),
    };
    await assertSeeds(countingTest, { first: 1, count });
    console.log(`      ${JSON.stringify(outcomes)}`);
    assert(outcomes.parsed > count / 20, 'too few corrupted responses were parsed: the mutations are too coarse');
    assert(
      outcomes.protocol > count / 20,
      'too few corrupted responses caused a protocol error: the mutations are too fine',
    );
  }).timeout(limit(30_000));
});
