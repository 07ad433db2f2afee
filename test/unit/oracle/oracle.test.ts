import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { comparePage } from '../../oracle/page';
import { pageNames, pages } from '../../oracle/pages';

describe('the oracle', function () {
  this.timeout(limit(30_000));

  for (const name of pageNames) {
    it(`has the same ${name} as before`, async () => comparePage(name, await pages[name].now()));
  }
});
