import { describe, it } from 'mocha';
import { limit } from '../../../host/limits';
import { assertSeeds } from '../../../soak/runSeeds';
import { redeploySequences } from '../../../soak/redeploySequences';

const count = 2;

describe('random redeploys, roll backs, and changes of settings', () => {
  it(`leave on every node what Gantry says, and clones that can pull (${count} seeds)`, async () => {
    await assertSeeds(redeploySequences, { first: 1, count });
  }).timeout(limit(60_000));
});
