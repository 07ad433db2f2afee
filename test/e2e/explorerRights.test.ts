import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/storedAccount';
import { methodsForTask } from '../../src/accounts/tokens';
import { answer, clickRow, openContainer, pick } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { callPlatform } from './support/callPlatform';
import { closePrompts } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { openSubmenu } from './support/menus';
import { pressInTitle, rowIn, unfoldSection } from './support/sections';
import { chooseAddress, signInButton, waitForStoredSignIn } from './support/signIn';

const listing = 'users.authentication.GetTokens';
const description = 'For looking around';

describe("the Explorer's menus in a folder whose token may only read", () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    const token = await platform.createToken({ description, apiList: [...methodsForTask('read', []), listing] });
    // Only then does the Explorer ask whether each folder is read-only.
    gantry = await openGantry({ settings: { 'explorer.autoReveal': false, 'explorer.sortOrder': 'modified' } });
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await signInButton(page).click();
    await chooseAddress(page, platform.origin);
    await pick(page, /Access token/);
    await answer(page, 'Your access token', token);
    await answer(page, 'Name for this account', 'reader');
    await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
    await waitForStoredSignIn(page);
    const account = makeSlug('reader', new URL(platform.origin).host, []);
    const [node] = platform.nodes('shop', 'cp');
    const folder = `gantry://${account}/shop/cp~${node?.id}/var/www/webroot`;
    await page.goto(`${gantry.vscode.origin}/?folder=${encodeURIComponent(folder)}`);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const inExplorer = (name: RegExp) => page.locator('.explorer-folders-view').getByRole('treeitem', { name }).first();
  /** The labels in Gantry's submenu of a file or folder. */
  const offered = async (name: RegExp) => {
    await clickRow(inExplorer(name), { button: 'right' });
    await openSubmenu(page, /^Gantry$/);
    const items = page.locator('.monaco-submenu .action-item:not(.disabled) .action-label');
    await items.first().waitFor();
    const labels = await items.allInnerTexts();
    await closePrompts(page);
    return labels.map((label) => label.trim()).filter((label) => label !== '');
  };

  it('leave out what it lacks, and have it once the token may do it', async () => {
    await inExplorer(/^ROOT/).waitFor();
    await clickRow(inExplorer(/^ROOT/));
    await inExplorer(/^index\.php/).waitFor();
    const onFolder = await offered(/^ROOT/);
    const onFile = await offered(/^index\.php/);
    assert.ok(onFile.includes('Compare'), onFile.join());
    // VS Code's own menu has the last ones.
    for (const missing of ['Upload', 'Favorites', 'Replace', 'Cut', 'Rename', 'Delete']) {
      const isOffered = [...onFolder, ...onFile].some((label) => new RegExp(`${missing}\\b`).test(label));
      assert.ok(!isOffered, [...onFolder, ...onFile].join());
    }

    const { tokens } = await callPlatform(platform, 'GetTokens', {});
    const id = tokens.find((token) => token.description === description)?.id ?? 0;
    const apiList = [...methodsForTask('edit', []), listing].join();
    const { password } = platform.sample;
    await callPlatform(platform, 'EditToken', { id, tokenTemplate: 'Custom', apiList, password });
    await openContainer(page, 'Gantry');
    await unfoldSection(page, 'Access');
    await pressInTitle(page, 'Access', 'Refresh Access View');
    await openContainer(page, 'Explorer');
    // The Explorer reads its folders again in its own time, and only a menu shows that it has.
    while (!(await offered(/^ROOT/)).some((label) => label.startsWith('Upload Files')));
    const file = await offered(/^index\.php/);
    assert.ok(
      file.some((label) => label.includes('Favorite')),
      file.join(),
    );
  });
});
