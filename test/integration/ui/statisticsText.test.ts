import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { statisticsText } from '../../../src/ui/statisticsText';
import { startPlatform } from '../../localPlatform/localPlatform';
import { gantry, signedIn } from '../support/gantry';

describe('request statistics', () => {
  it('are a table in the log, with a row for each operation', async () => {
    const { accounts, statistics } = await gantry();
    const platform = await startPlatform({ environments: [] });
    const { slug } = await signedIn(platform);
    await accounts.remove(slug);
    await platform.dispose();
    const text = statisticsText(statistics);
    assert.ok(statistics.totals.length > 0);
    for (const { operation, requests } of statistics.totals) {
      assert.match(text, new RegExp(`^${operation} +${requests} `, 'm'));
    }
    assert.match(text, /^Total /m);
  });
});
