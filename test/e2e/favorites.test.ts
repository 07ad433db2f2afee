import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { answer, editorTab, notification, pick, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { clickRow } from './support/rows';
import { onlySection, pictureMenus, pressInline, rowIn, section, unfoldRow, unfoldSection } from './support/sections';
import { browseTo } from './support/signIn';

/** Signing in, looking, and keeping favorites: of all operations these cannot change a file. */
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

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const node = () => {
    const [found] = platform.nodes('shop', 'bl');
    assert.ok(found);
    return found;
  };
  const favorite = (label: string | RegExp) => rowIn(page, 'Favorites', label);
  /** A file that is opened takes the keys: until it has them, they may go to either. */
  const editorHasFocus = () => page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();

  it('begin with a row that says how to add one', async () => {
    await unfoldSection(page, 'Favorites');
    await favorite(/^No favorites yet/).waitFor();
    await picture(page, 'favorites-none');
  });

  it('are added from the tree, from a tab, and by a drop', async () => {
    await chooseInMenu(page, rowIn(page, 'Environments', /^conf\.d, folder/), 'Add to Favorites');
    await favorite(/^conf\.d, Load balancer/).waitFor();

    await clickRow(rowIn(page, 'Environments', 'shop.conf'));
    const tab = editorTab(page, /shop\.conf/);
    await tab.waitFor();
    await chooseInMenu(page, tab, 'Add to Favorites');
    await favorite(/^shop\.conf, Load balancer/).waitFor();

    await rowIn(page, 'Environments', 'upstream.conf').dragTo(favorite('Saltmarsh Tea'));
    await favorite(/^upstream\.conf, Load balancer/).waitFor();
    await picture(page, 'favorites-added');
  });

  it('are added by a path, with the keyboard alone', async () => {
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
    await answer(page, 'be called among the favorites', 'PHP settings');
    await favorite(/^PHP settings, Application servers/).waitFor();
  });

  it('open by Enter, unfold, and are renamed by F2', async () => {
    await onlySection(page, 'Favorites');
    await clickRow(favorite(/^PHP settings/));
    await editorTab(page, /php\.ini/).waitFor();
    await editorHasFocus();
    await section(page, 'Favorites').locator('.monaco-list').focus();
    await page.keyboard.press('F2');
    await quickInput(page).waitFor();
    await picture(page, 'favorites-rename');
    await answer(page, 'is called among the favorites', 'PHP');
    await favorite(/^PHP, Application servers/).waitFor();
    await unfoldRow(page, 'Favorites', /^conf\.d/);
    await favorite(/^shop\.conf$/).waitFor();
  });

  it('get a filter', async () => {
    await chooseInMenu(page, favorite(/^conf\.d/), 'Edit Filter…');
    await answer(page, 'A regular expression', 'shop.*');
    await favorite(/^conf\.d, shop\.\*/).waitFor();
    await picture(page, 'favorites-filter');
  });

  it('lead to their place in the tree', async () => {
    await pressInline(favorite(/^conf\.d/), 'Reveal in Environments');
    await section(page, 'Environments').locator('.monaco-list-row.focused').filter({ hasText: 'conf.d' }).waitFor();
    await onlySection(page, 'Favorites');
  });

  it('say that their file is gone', async () => {
    const onDisk = join(platform.nodeFolder(node().id), 'etc/nginx/conf.d/upstream.conf');
    await rename(onDisk, `${onDisk}.away`);
    await page.locator('.pane-header').filter({ hasText: 'Favorites' }).hover();
    await runCommand(page, 'Gantry: Refresh Favorites');
    await clickRow(favorite(/^upstream\.conf/));
    await notification(page, /upstream\.conf.*is gone/).waitFor();
    await favorite(/^upstream\.conf, gone/).waitFor();
    await picture(page, 'favorites-gone');
    await rename(`${onDisk}.away`, onDisk);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('are legible in light, dark and high contrast', async () => {
    await pictureMenus(favorite(/^conf\.d/), { item: 'Remove from Favorites', name: 'favorites' });
  });

  it('are removed several at once, by key, after a question; and one comes back by Undo', async () => {
    await clickRow(favorite(/^PHP/));
    await editorTab(page, /php\.ini/).waitFor();
    await editorHasFocus();
    await clickRow(favorite(/^shop\.conf, Load/), { modifier: 'Control' });
    await page.keyboard.press('Delete');
    await dialogButton(page, 'Remove').waitFor();
    await picture(page, 'favorites-remove');
    await dialogButton(page, 'Remove').click();
    await favorite(/^PHP/).waitFor({ state: 'detached' });
    await favorite(/^shop\.conf, Load/).waitFor({ state: 'detached' });
    await notification(page, '2 favorites were removed').getByRole('button', { name: 'Undo' }).click();
    await favorite(/^PHP/).waitFor();
    await favorite(/^shop\.conf, Load/).waitFor();
    await pressInline(favorite(/^PHP/), 'Remove from Favorites');
    await favorite(/^PHP/).waitFor({ state: 'detached' });
  });

  it('show a problem with its reason, which Retry mends', async () => {
    const failing = platform.faults.add({
      operation: 'GetFavorites',
      times: 'always',
      fault: { kind: 'refuse', result: 99, error: 'the storage of favorites is being moved' },
    });
    await runCommand(page, 'Gantry: Refresh Favorites');
    await favorite(/the storage of favorites is being moved/).waitFor();
    await picture(page, 'favorites-problem');
    failing.remove();
    await pressInline(favorite(/the storage of favorites is being moved/), 'Retry');
    await favorite(/^conf\.d/).waitFor();
  });

  it('have written nothing to any file', () => {
    const others = platform.journal.arrivals.map(({ operation }) => operation).filter((name) => !harmless.test(name));
    assert.deepEqual(others, []);
    assert.ok(platform.journal.count(({ operation }) => operation === 'RemoveFavorite') > 0);
  });
});
