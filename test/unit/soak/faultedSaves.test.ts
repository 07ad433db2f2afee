import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { faultedSaves } from '../../soak/faultedSaves';
import { assertSeeds } from '../../soak/runSeeds';

const count = 500;

describe('saves that hit faults', () => {
  it(`leave exactly the text on the nodes, or base version and text on disk (${count} seeds)`, async () => {
    await assertSeeds(faultedSaves, { first: 1, count });
  }).timeout(limit(120_000));
});
