import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { isNightly } from '../../host/nightly';
import { fullDisks } from '../../soak/fullDisks';
import { assertSeeds } from '../../soak/runSeeds';

const count = isNightly() ? 300 : 50;

describe('windows whose disk gets full', () => {
  it(`save to the container, keep what they report as kept, and say it once (${count} seeds)`, async () => {
    await assertSeeds(fullDisks, { first: 1, count });
  }).timeout(limit(120_000));
});
