import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { answer, clickRow, editor, notificationShown, openContainer, pick } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { sampleRepository } from '../localPlatform/vcs/sampleRepositories';
import { closeEverything } from './support/closeEverything';
import { dialogButton } from './support/dialogs';
import { Film, itIsFilmed } from './support/film';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, pressInline, rowIn, section, unfoldPath, unfoldSection } from './support/sections';
import { chooseAddress, signInButton } from './support/signIn';

/** The steps of a user who knows only the README. */
describe('the first ten minutes', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    gantry = await openGantry({
      settings: { 'gantry.platforms': [platform.origin] },
    });
    page = gantry.page;
    // Small enough to be readable in the README.
    await page.setViewportSize({ width: 1120, height: 720 });
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  it('start with a welcome view that leads to the sign-in', async () => {
    await openContainer(page, 'Gantry');
    await signInButton(page).waitFor();
    await picture(page, 'welcome');
  });

  it('signs in with the platform offered, email and password', async () => {
    await signInButton(page).click();
    await chooseAddress(page, platform.origin);
    // With Enter only, as a user does who accepts the first suggestion.
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: 'Email and password' })
      .waitFor();
    await page.keyboard.press('Enter');
    await answer(page, 'Your email address', platform.sample.email);
    await answer(page, 'Your password', platform.sample.password);
    await picture(page, 'sign-in-lifetime');
    await pick(page, '90 days');
    await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
    await page.locator('.monaco-list:focus[aria-label="Environments"]').waitFor();
    await picture(page, 'environments');
  });

  it('expand the tree down to a configuration file and open it', async () => {
    await unfoldPath(page, 'Environments', ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'etc', 'nginx', 'conf.d']);
    await clickRow(rowIn(page, 'Environments', 'shop.conf'));
    await editor(page).locator('.view-line').first().waitFor();
    await picture(page, 'configuration');
  });

  it('save an edit to the disk of the node', async () => {
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type('# edited in the window\n');
    const written = platform.journal.next(({ operation }) => operation === 'Write');
    await page.keyboard.press('ControlOrMeta+S');
    await written;
    await page.locator('.tab.active:not(.dirty)').waitFor();
    await picture(page, 'saved');
    const [node] = platform.nodes('shop', 'bl');
    assert.ok(node);
    const text = await readFile(join(platform.nodeFolder(node.id), 'etc/nginx/conf.d/shop.conf'), 'utf8');
    assert.ok(text.startsWith('# edited in the window\n'), text.slice(0, 60));
  });

  it('add the file to the favorites, where a click opens it', async () => {
    const added = platform.journal.next(({ operation }) => operation === 'AddFavorite');
    await chooseInMenu(page, rowIn(page, 'Environments', /^shop\.conf/), 'Add to Favorites');
    assert.equal((await added).parameters['path'], '/etc/nginx/conf.d/shop.conf');
    await unfoldSection(page, 'Favorites');
    await rowIn(page, 'Favorites', /^shop\.conf/).click();
    await page.locator('.tab.active').filter({ hasText: 'shop.conf' }).waitFor();
    await picture(page, 'favorites');
  });

  it('redeploy the project and show the commit that is deployed on its nodes', async () => {
    const change = { message: 'Ceylon is back', files: { 'news.txt': 'Ceylon is back\n' } };
    const tip = await sampleRepository(platform.dataFolder).commit(change);
    const row = rowIn(page, 'Deployments', /^ROOT/);
    await row.waitFor();
    await pressInline(row, 'Redeploy');
    await notificationShown(page, `deployed ${tip.slice(0, 7)}`);
    await rowIn(page, 'Deployments', new RegExp(`^ROOT.*at ${tip.slice(0, 7)}`)).waitFor();
    await page.locator('.notification-toast').filter({ hasText: 'Redeploying' }).waitFor({ state: 'detached' });
    await picture(page, 'redeployed');
    for (const { id } of platform.nodes('shop', 'cp')) {
      const file = join(platform.nodeFolder(id), 'var/www/webroot/ROOT/news.txt');
      assert.equal(await readFile(file, 'utf8'), 'Ceylon is back\n');
    }
  });

  it("ask where to clone the project's repository", async () => {
    await chooseInMenu(page, rowIn(page, 'Deployments', /^ROOT/), 'Clone Repository…');
    await page
      .locator('.quick-input-widget')
      .getByText(/Choose a folder to clone .*storefront\.git into/)
      .waitFor();
    await page.keyboard.press('Escape');
  });

  itIsFilmed('edit a configuration, save it on both nodes, and restart the service', async () => {
    await closeEverything(page);
    await onlySection(page, 'Environments');
    await section(page, 'Environments').locator('.monaco-list').focus();
    // Collapses all rows.
    await page.keyboard.press('ControlOrMeta+ArrowLeft');
    const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /^conf, \/etc\/nginx, shortcut/];
    await unfoldPath(page, 'Environments', path);
    await openRow(rowIn(page, 'Environments', 'nginx.conf'));
    const line = editor(page).locator('.view-line').filter({ hasText: 'worker_processes' });
    await line.waitFor();
    const film = await Film.begin(page);
    await film.show(1_500);

    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await film.show(700);
    for (const key of [...Array<string>(4).fill('Backspace'), '8']) {
      await page.keyboard.press(key);
      await film.show(120);
    }
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    const status = (text: string | RegExp) => page.locator('.statusbar-item').filter({ hasText: text }).first();
    await status('1 of 2 nodes').waitFor();
    await film.show(1_400);
    await status('1 of 2 nodes').hover();
    await film.show(700);
    await status('1 of 2 nodes').click();
    await status('Saved on all nodes').waitFor();
    await film.show(1_200);

    const restart = status(/^\s*Restart Service…$/);
    await restart.hover();
    await film.show(700);
    await restart.click();
    const suggested = page.locator('.quick-input-list .monaco-list-row.focused');
    await suggested.filter({ hasText: 'Application servers' }).first().waitFor();
    await film.show(1_200);
    await page.keyboard.press('Enter');
    await dialogButton(page, 'Restart').hover();
    await film.show(1_800);
    await dialogButton(page, 'Restart').click();
    await notificationShown(page, /Restarted the service on .*Application servers\..* done/);
    await film.show(4_000);
    await film.store('restart');
  });
});
