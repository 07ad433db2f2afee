import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, window } from 'vscode';
import { startPlatform } from '../../localPlatform/localPlatform';
import { gantry, signedIn } from '../support/gantry';

describe('request statistics', () => {
  it('are shown as a table, with a row for each operation', async () => {
    const { accounts, statistics } = await gantry();
    const platform = await startPlatform({ environments: [] });
    const { slug } = await signedIn(platform);
    await accounts.remove(slug);
    await platform.dispose();
    await commands.executeCommand('gantry.log.showStatistics');
    const text = window.activeTextEditor?.document.getText() ?? '';
    assert.ok(statistics.totals.length > 0);
    for (const { operation, requests } of statistics.totals) {
      assert.match(text, new RegExp(`^${operation} +${requests} `, 'm'));
    }
    assert.match(text, /^Total /m);
    await commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
