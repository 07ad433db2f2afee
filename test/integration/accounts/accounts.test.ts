import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { authentication, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { fileUri, gantry, signedIn } from '../support/gantry';

describe('two accounts on two platforms', () => {
  const platforms: LocalPlatform[] = [];
  const accounts: Account[] = [];

  before(async () => {
    for (let n = 0; n < 2; n++) {
      const platform = await startPlatform({ withoutProject: true });
      platforms.push(platform);
      accounts.push(await signedIn(platform));
    }
  });

  after(async () => {
    const parts = await gantry();
    for (const account of accounts) await parts.accounts.remove(account.slug);
    for (const platform of platforms) await platform.dispose();
  });

  it('are shown next to each other in the view', async () => {
    const { environmentsView } = await gantry();
    const rows = await environmentsView.getChildren();
    assert.deepEqual(
      rows.map((row) => (row.kind === 'account' ? row.account.slug : row.kind)),
      accounts.map(({ slug }) => slug),
    );
    for (const row of rows) {
      assert.ok((await environmentsView.getChildren(row)).length > 0);
    }
  });

  it('are never confused with each other', async () => {
    for (const [n, account] of accounts.entries()) {
      const other = platforms[1 - n];
      assert.ok(other);
      const before = other.journal.arrivals.length;
      const uri = fileUri(account, 'shop', 'cp', `/tmp/of-${n}`);
      await workspace.fs.writeFile(uri, new TextEncoder().encode(`of ${n}`));
      assert.equal(new TextDecoder().decode(await workspace.fs.readFile(uri)), `of ${n}`);
      assert.equal(other.journal.arrivals.length, before);
    }
  });

  it("are in VS Code's Accounts menu, under IDs that give no access", async () => {
    const listed = await authentication.getAccounts('gantry');
    assert.deepEqual(listed.map(({ id }) => id).sort(), accounts.map(({ slug }) => slug).sort());
    const { authentication: provider } = await gantry();
    const sessions = await provider.getSessions();
    assert.deepEqual(
      sessions.map(({ accessToken }) => accessToken),
      accounts.map(({ slug }) => slug),
    );
    const [first] = listed;
    assert.ok(first);
    assert.equal((await provider.getSessions([], { account: first })).length, 1);
  });

  it("show no icon in VS Code's lists of accounts if their names look like one", async () => {
    const parts = await gantry();
    const [platform] = platforms;
    assert.ok(platform);
    const token = await platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
    const address = platform.origin;
    await parts.accounts.add({ slug: 'icon', label: '$(trash) tea', address, transport: 'form', token });
    try {
      const listed = await authentication.getAccounts('gantry');
      const shown = listed.find(({ id }) => id === 'icon')?.label;
      assert.equal(shown, `$\u2060(trash) tea (${new URL(address).host})`);
    } finally {
      await parts.accounts.remove('icon');
    }
  });
});
