import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { isNightly } from '../../host/nightly';
import { racingSaves } from '../../soak/racingSaves';
import { assertSeeds } from '../../soak/runSeeds';

const count = isNightly() ? 10 : 5;

describe('windows on one computer that save the same files at the same time', () => {
  it(`report one success for each, and keep the other texts (${count} seeds)`, async () => {
    await assertSeeds(racingSaves, { first: 1, count });
  }).timeout(limit(120_000));
});
