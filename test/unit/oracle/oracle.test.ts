import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { skipOn } from '../../host/skipOn';
import { comparePage } from '../../oracle/page';
import { pageNames, pages } from '../../oracle/pages';

describe('the oracle', function () {
  this.timeout(limit(30_000));

  for (const name of pageNames) {
    it(`has the same ${name} as before`, async function () {
      // Some tests are only on some systems, and the page has those of Linux.
      if (name === 'claims') skipOn(this, 'win32', 'darwin');
      comparePage(name, await pages[name].now());
    });
  }
});
