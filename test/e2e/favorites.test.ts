import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import {
  answer,
  clickRow,
  editorTab,
  pick,
  pressInNotification,
  quickInput,
  runCommand,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { callPlatform } from './support/callPlatform';
import { closeEverything } from './support/closeEverything';
import { dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu, chooseInSubmenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import { dragRow } from './support/rows';
import {
  onlySection,
  pictureMenus,
  pressInline,
  pressInTitle,
  rowIn,
  section,
  unfoldRow,
  unfoldSection,
} from './support/sections';
import { browseTo } from './support/signIn';

/** The favorites on the platform, by name. */
const known = {
  'conf.d': { nodeGroup: 'bl', path: '/etc/nginx/conf.d', isDir: true },
  'shop.conf': { nodeGroup: 'bl', path: '/etc/nginx/conf.d/shop.conf' },
  'upstream.conf': { nodeGroup: 'bl', path: '/etc/nginx/conf.d/upstream.conf' },
  PHP: { nodeGroup: 'cp', path: '/etc/php.ini' },
  'PHP settings': { nodeGroup: 'cp', path: '/etc/php.ini' },
} as const;

/** The operations for signing in, listing, and favorites. None of them can change a file. */
const harmless = /^(Get\w*|Read|Signin|Signout|CreateToken|AddFavorite|RemoveFavorite)$/;

describe('favorites in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, [
      'Saltmarsh Tea',
      'Load balancer',
      'NGINX 1.26',
      /^etc, folder/,
      /^nginx, folder/,
      /^conf\.d, folder/,
    ]);
  });

  beforeEach(async () => {
    for (const view of ['Environments', 'Favorites']) await unfoldSection(page, view);
    platform.journal.reset();
  });

  afterEach(async () => {
    platform.faults.clear();
    await closeEverything(page);
    assert.deepEqual(harmful(), []);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const harmful = () =>
    platform.journal.arrivals.map(({ operation }) => operation).filter((name) => !harmless.test(name));
  const favorite = (label: string | RegExp) => rowIn(page, 'Favorites', label);
  /** An opened file takes the focus. Until then, keys may go to either. */
  const editorHasFocus = () => page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();

  /** Sets the favorites on the platform and waits until the view shows them. */
  const beginWith = async (...words: readonly (keyof typeof known)[]) => {
    for (const nodeGroup of ['bl', 'cp']) {
      const { favoriteList } = await callPlatform(platform, 'GetFavorites', { envName: 'shop', nodeGroup });
      for (const { path } of favoriteList) {
        await callPlatform(platform, 'RemoveFavorite', { envName: 'shop', nodeGroup, path });
      }
    }
    // A row that is about to be replaced ignores clicks, so each refresh has to change what the view shows.
    const rows = section(page, 'Favorites').locator('.monaco-list-row[aria-level="2"]');
    const shown = rows.filter({ hasNotText: 'No favorites' });
    if ((await shown.count()) > 0) await pressInTitle(page, 'Favorites', 'Refresh Favorites');
    await shown.first().waitFor({ state: 'detached' });
    if (words.length === 0) return favorite(/^No favorites/).waitFor();
    for (const keyword of words) {
      await callPlatform(platform, 'AddFavorite', { envName: 'shop', keyword, ...known[keyword] });
    }
    await pressInTitle(page, 'Favorites', 'Refresh Favorites');
    for (const word of words) await favorite(`${word}, `).waitFor();
  };

  it('start with a row that says how to add one', async () => {
    await beginWith();
    await picture(page, 'favorites-none');
  });

  it('are added from the tree, from a tab, and by a drop', async () => {
    await beginWith();
    await chooseInMenu(page, rowIn(page, 'Environments', /^conf\.d, folder/), 'Add to Favorites');
    await favorite(/^conf\.d, Load balancer/).waitFor();

    await clickRow(rowIn(page, 'Environments', 'shop.conf'));
    const tab = editorTab(page, /shop\.conf/);
    await tab.waitFor();
    await chooseInSubmenu(page, tab, /^Add to Favorites/);
    await favorite(/^shop\.conf, Load balancer/).waitFor();

    const added = favorite(/^upstream\.conf, Load balancer/);
    await dragRow(rowIn(page, 'Environments', 'upstream.conf'), favorite('Saltmarsh Tea'), added);
    await picture(page, 'favorites-added');
  });

  it('are added by a path with the keyboard alone', async () => {
    await beginWith();
    await runCommand(page, 'Gantry: Add Favorite by Path…');
    await pick(page, 'Application servers');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'etc' }).first().waitFor();
    await page.keyboard.type('etc/');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'php.ini' }).first().waitFor();
    await page.keyboard.type('php.i');
    await page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'php-fpm' })
      .first()
      .waitFor({ state: 'detached' });
    await picture(page, 'favorites-by-path');
    await page.keyboard.press('Enter');
    await answer(page, 'Enter a name for the favorite', 'PHP settings');
    await favorite(/^PHP settings, Application servers/).waitFor();
  });

  it('open with Enter, expand, and are renamed with F2', async () => {
    await beginWith('PHP settings', 'conf.d');
    await onlySection(page, 'Favorites');
    await clickRow(favorite(/^PHP settings/));
    await editorTab(page, /php\.ini/).waitFor();
    await editorHasFocus();
    await section(page, 'Favorites').locator('.monaco-list').focus();
    await page.keyboard.press('F2');
    await quickInput(page).waitFor();
    await picture(page, 'favorites-rename');
    await answer(page, 'Enter a name for the favorite', 'PHP');
    await favorite(/^PHP, Application servers/).waitFor();
    await unfoldRow(page, 'Favorites', /^conf\.d/);
    await favorite(/^shop\.conf$/).waitFor();
  });

  itNightly('can be filtered', async () => {
    await beginWith('conf.d');
    await chooseInMenu(page, favorite(/^conf\.d/), 'Edit Filter…');
    await answer(page, 'Regular expression for', 'shop.*');
    await favorite(/^conf\.d, shop\.\*/).waitFor();
    await picture(page, 'favorites-filter');
  });

  it('are revealed in the Environments view', async () => {
    await beginWith('conf.d');
    await pressInline(favorite(/^conf\.d/), 'Reveal in Environments View');
    await section(page, 'Environments')
      .locator('.monaco-list:focus-within .monaco-list-row.focused')
      .filter({ hasText: 'conf.d' })
      .waitFor();
  });

  itIsPictured('in light, dark, and high contrast', async () => {
    await beginWith('conf.d');
    await pictureMenus(favorite(/^conf\.d/), { item: 'Remove from Favorites', name: 'favorites' });
  });

  it('are removed together with the Delete key after a question, and Undo restores one', async () => {
    await beginWith('PHP', 'shop.conf');
    await clickRow(favorite(/^PHP/));
    await editorTab(page, /php\.ini/).waitFor();
    await editorHasFocus();
    await clickRow(favorite(/^shop\.conf, Load/), { modifier: 'ControlOrMeta' });
    await page.keyboard.press('Delete');
    await dialogButton(page, 'Remove').waitFor();
    await picture(page, 'favorites-remove');
    await dialogButton(page, 'Remove').click();
    await favorite(/^PHP/).waitFor({ state: 'detached' });
    await favorite(/^shop\.conf, Load/).waitFor({ state: 'detached' });
    await pressInNotification(page, 'Removed 2 favorites', 'Undo');
    await favorite(/^PHP/).waitFor();
    await favorite(/^shop\.conf, Load/).waitFor();
    await pressInline(favorite(/^PHP/), 'Remove from Favorites');
    await favorite(/^PHP/).waitFor({ state: 'detached' });
  });
});
