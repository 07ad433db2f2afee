import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { isNightly } from '../../host/nightly';
import { killedSaves } from '../../soak/killedSaves';
import { assertSeeds } from '../../soak/runSeeds';

const count = isNightly() ? 10 : 5;

describe('windows that are killed while they save', () => {
  it(`leave each file unchanged or saved, or keep and offer its new text (${count} seeds)`, async function () {
    this.timeout(limit(60_000));
    await assertSeeds(killedSaves, { first: 1, count });
  });
});
