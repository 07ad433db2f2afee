import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { killedSaves } from '../../soak/killedSaves';
import { assertSeeds } from '../../soak/runSeeds';

const count = 10;

describe('windows that are killed while they save', () => {
  it(`leave each file unchanged or saved, or keep and offer its new text (${count} seeds)`, async () => {
    await assertSeeds(killedSaves, { first: 1, count });
  }).timeout(limit(60_000));
});
