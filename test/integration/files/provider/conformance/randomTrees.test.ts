import { before, describe, it } from 'mocha';
import { limit } from '../../../../host/limits';
import { assertSeeds } from '../../../../soak/runSeeds';
import { treeSequences } from '../../../../soak/treeSequences';
import { gantry } from '../../../support/gantry';

const count = 20;

describe('random file operations', () => {
  before(async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    // Activate Gantry before the first test, so that writes by the test count as intended.
    await gantry();
  });

  it(`have the same results and lead to the same tree as on a disk (${count} seeds)`, async () => {
    await assertSeeds(treeSequences, { first: 1, count });
  }).timeout(limit(60_000));
});
