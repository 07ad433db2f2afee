import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { isNightly } from '../../host/nightly';
import { killedSaves } from '../../soak/killedSaves';
import { assertSeeds } from '../../soak/runSeeds';

const count = isNightly() ? 40 : 8;

describe('windows that are killed', () => {
  it(`leave each file as it was, saved, or restored, or keep and offer its texts once (${count} seeds)`, async () => {
    await assertSeeds(killedSaves, { first: 1, count });
  }).timeout(limit(120_000));
});
