import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { makeSlug } from '../../src/accounts/storedAccount';
import { editorTab, openContainer, quickInput } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { command, question } from './support/keyboard';
import { chooseInMenu, chooseInSubmenu } from './support/menus';
import { picture } from './support/picture';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { waitForStoredSignIn, signInWithPassword } from './support/signIn';

const files = {
  'index.php': '<?php\n',
  'sites/shop.conf': 'one\ntwo\nthree\n',
  'sites/blog.conf': 'blog\n',
  'src/ShopModel.php': '<?php\n',
  'data/prices.json': '{}\n',
  'data/logo.svg': '<svg/>\n',
  'node_modules/left/shop.js': '\n',
};

describe('Go to File through the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let node: { readonly id: number };

  before(async () => {
    platform = await startPlatform();
    const [first] = platform.nodes('shop', 'cp');
    assert.ok(first);
    node = first;
    for (const [name, text] of Object.entries(files)) {
      const path = join(platform.nodeFolder(node.id), 'var/www/webroot/depot', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
    await waitForStoredSignIn(page);
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const title = 'Gantry: Go to File…';
  const placeholder = 'File name or path. Add :12 to go to line 12.';
  const rows = () => page.locator('.quick-input-list .monaco-list-row');
  const focused = (text: string | RegExp) => rows().and(page.locator('.focused')).filter({ hasText: text });
  const listed = () =>
    platform.journal.count(
      ({ operation, parameters }) => operation === 'GetList' && parameters['path']?.includes('/depot') === true,
    );
  const list = async () => {
    await question(page, placeholder).waitFor();
    // The index is complete.
    await page.locator('.quick-input-widget .quick-input-title').filter({ hasNotText: 'so far' }).waitFor();
  };
  const depot = () => {
    const account = makeSlug(platform.sample.email, new URL(platform.origin).host, []);
    return `gantry://${account}/shop/cp~${node.id}/var/www/webroot/depot`;
  };
  const goTo = async (address: string) => {
    await page
      .goto(`${gantry.vscode.origin}/?${address}`)
      .catch(() => page.goto(`${gantry.vscode.origin}/?${address}`));
  };

  it('opens a file below a folder of the Environments view', async () => {
    await openContainer(page, 'Gantry');
    await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
    await onlySection(page, 'Environments');
    const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, .*configuration/];
    await unfoldPath(page, 'Environments', path);
    await chooseInMenu(page, rowIn(page, 'Environments', /depot, folder/), 'Go to File…');
    await list();
    await rows().filter({ hasText: 'blog.conf' }).waitFor();
    await picture(page, 'go-to-file');
    await page.keyboard.type('shop');
    await focused('shop.conf').waitFor();
    await rows().filter({ hasText: 'blog.conf' }).waitFor({ state: 'detached' });
    await picture(page, 'go-to-file-typed');
    await page.keyboard.press('Enter');
    await editorTab(page, /shop\.conf/).waitFor();
  });

  it('opens files by the keyboard alone in an open folder', async () => {
    await goTo(`folder=${encodeURIComponent(depot())}`);
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'index.php' }).waitFor();
    await command(page, title);
    await list();
    await page.keyboard.type('shmo');
    await focused('ShopModel.php').waitFor();
    await page.keyboard.press('Enter');
    await editorTab(page, /ShopModel\.php/).waitFor();

    await command(page, title);
    await list();
    // The file opened last comes first.
    await focused('ShopModel.php').waitFor();
    await picture(page, 'go-to-file-recent');
    await page.keyboard.type('sites/shop:2');
    await focused('shop.conf').waitFor();
    await page.keyboard.press('Enter');
    await editorTab(page, /shop\.conf/).waitFor();
    await page.locator('.statusbar-item').filter({ hasText: 'Ln 2, Col 1' }).waitFor();

    await command(page, title);
    await list();
    await page.keyboard.type('/var/www/webroot/depot/node_modules/left/none.js');
    await focused('Open by path').waitFor();
    await page.keyboard.press('Enter');
    await rows().filter({ hasText: "none.js doesn't exist." }).waitFor();
    await picture(page, 'go-to-file-missing');
    await quickInput(page).fill('/var/www/webroot/depot/node_modules/left/shop.js');
    await focused('Open by path').waitFor();
    await page.keyboard.press('Enter');
    await editorTab(page, /shop\.js/).waitFor();
  });

  it('opens a file to the side by its button', async () => {
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'sites' }).waitFor();
    await chooseInSubmenu(
      page,
      page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'sites' }),
      /^Go to File…/,
    );
    await list();
    await page.keyboard.type('blog');
    await focused('blog.conf').hover();
    await page.getByRole('button', { name: 'Open to the Side' }).first().click();
    await editorTab(page, /blog\.conf/).waitFor();
  });

  itNightly('lists the folder again by its button, for changes by others', async () => {
    await command(page, title);
    await list();
    await writeFile(join(platform.nodeFolder(node.id), 'var/www/webroot/depot/theirs.txt'), '');
    await page.locator('.quick-input-titlebar').getByRole('button', { name: 'Refresh' }).click();
    await page.keyboard.type('theirs');
    await focused('theirs.txt').waitFor();
    await page.keyboard.press('Enter');
    await editorTab(page, /theirs\.txt/).waitFor();
  });

  it('answers # in Quick Open with file names', async () => {
    await page.keyboard.press('ControlOrMeta+p');
    await quickInput(page).fill('#prices');
    await focused('prices.json').waitFor();
    await picture(page, 'go-to-file-symbols');
    await page.keyboard.press('Enter');
    await editorTab(page, /prices\.json/).waitFor();
  });

  it('shows the list in a narrow window', async () => {
    await page.setViewportSize({ width: 500, height: 600 });
    await command(page, title);
    await list();
    await page.keyboard.type('conf');
    await focused('.conf').waitFor();
    await picture(page, 'go-to-file-narrow');
    await page.keyboard.press('Escape');
  });
});
