import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { filesPerRace, racingSaves } from '../../soak/racingSaves';
import { assertSeeds } from '../../soak/runSeeds';

const count = 10;

describe('two windows on one computer that save the same files at the same time', () => {
  it(`never both report success (${count} seeds of ${filesPerRace} files)`, async () => {
    await assertSeeds(racingSaves, { first: 1, count });
  }).timeout(limit(120_000));
});
