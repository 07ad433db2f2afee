import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { comparePage } from '../../oracle/page';
import { pageNames, pages } from '../../oracle/pages';

describe('the oracle', function () {
  // The page of claims reads all tests, which takes 6 s alone, and a multiple of that beside others.
  this.timeout(limit(60_000));

  for (const name of pageNames) {
    it(`has the same ${name} as before`, async () => comparePage(name, await pages[name].now()));
  }
});
