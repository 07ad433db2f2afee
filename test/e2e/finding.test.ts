import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/storedAccount';
import { itNightly } from '../host/nightly';
import { answer, askForSymbol, clickRow, editor, editorTab, openContainer, quickInput } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { command, question } from './support/keyboard';
import { chooseInMenu, chooseInSubmenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import {
  chooseTheme,
  foundIn,
  narrowSideBar,
  onlySection,
  pressAboveFound,
  pressInline,
  rowIn,
  unfoldPath,
  unfoldSection,
} from './support/sections';
import { browseTo, waitForStoredSignIn } from './support/signIn';

/** The operations for signing in, listing, and searching. None of them can change a file. */
const harmless = /^(Get\w*|Read|Signin|Signout|CreateToken)$/;

const files = {
  'index.php': '<?php\n',
  'sites/shop.conf': 'one\ntwo\nthree\n',
  'sites/blog.conf': 'blog\n',
  'src/ShopModel.php': '<?php\n',
  'data/prices.json': '{}\n',
  'data/logo.svg': '<svg/>\n',
  'node_modules/left/shop.js': '\n',
};

describe('finding in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    await addFiles('bl', 'etc/nginx', {
      'conf.d/picture.bin': 'server_name\0',
      'conf.d/node_modules/tool.js': 'server_name',
    });
    await addFiles('cp', 'var/www/webroot/depot', files);
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', /^etc, folder/, /^nginx, folder/]);
    await waitForStoredSignIn(page);
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const nodeOf = (layer: string) => platform.nodes('shop', layer)[0]?.id ?? 0;

  async function addFiles(layer: string, folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(texts)) {
      const path = join(platform.nodeFolder(nodeOf(layer)), folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }

  describe('text in a folder', () => {
    afterEach(() => unfoldSection(page, 'Environments'));

    after(() => {
      const changes = platform.journal.entries.filter(({ operation }) => !harmless.test(operation));
      assert.deepEqual(changes, []);
    });

    const folder = () => rowIn(page, 'Environments', /^nginx, folder/);
    const view = () => foundIn(page);
    const resultRow = (label: string | RegExp) => view().getByRole('treeitem', { name: label }).first();
    const focusedRow = (label: RegExp) => resultRow(label).and(page.locator('.focused'));
    const message = () => view().locator('.message');
    const prompt = () => page.locator('.quick-input-widget');
    const button = (name: RegExp) =>
      prompt().getByRole('button', { name }).or(prompt().getByRole('checkbox', { name }));

    it('finds text with the mouse, and opens a line at its match', async () => {
      await chooseInMenu(page, folder(), 'Find in Folder…');
      await button(/Match Case/).click();
      await prompt()
        .getByText(/Options: match case\./)
        .waitFor();
      await button(/Regular Expression/).click();
      await quickInput(page).fill('server_(name');
      await prompt()
        .getByText(/Invalid regular expression: .*Unterminated group/)
        .waitFor();
      await picture(page, 'search-prompt');
      await quickInput(page).fill('server_(name)');
      await prompt()
        .getByText(/Options: match case, regular expression\./)
        .waitFor();
      await page.keyboard.press('Enter');
      await message().getByText('3 results in 2 files.').waitFor();
      await resultRow('shop.conf, conf.d, 2 results').waitFor();
      await resultRow(/^Not searched, 1 binary file, 1 excluded folder$/).waitFor();
      await picture(page, 'search-results');
      await clickRow(resultRow('Line 9: server_name shop.example.com;'));
      await editorTab(page, 'shop.conf').waitFor();
      await page
        .locator('.statusbar-item')
        .filter({ hasText: /^Ln 9, Col \d+ \(11 selected\)$/ })
        .waitFor();
    });

    it('finds text with the keyboard alone, and remembers what was searched for', async () => {
      await onlySection(page, 'Environments');
      await clickRow(folder());
      await folder().and(page.locator('.focused')).waitFor();
      await page.keyboard.press('Shift+Alt+F');
      await prompt()
        .getByText(/Options: match case, regular expression\./)
        .waitFor();
      assert.equal(await quickInput(page).inputValue(), 'server_(name)');
      // VS Code shows the input a moment before it takes the keys.
      await quickInput(page).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('upstream');
      await page.keyboard.press('Enter');
      await resultRow(/^upstream\.conf, conf\.d, /).waitFor();
      await view().locator('.monaco-list:focus').waitFor();
      await page.keyboard.press('Home');
      await focusedRow(/^nginx\.conf, /).waitFor();
      await page.keyboard.press('ArrowDown');
      await focusedRow(/^Line \d+: /).waitFor();
      await page.keyboard.press('Enter');
      await editor(page).waitFor();
    });

    itNightly('asks for files to include and exclude, and then for the text again', async () => {
      await chooseInMenu(page, folder(), 'Find in Folder…');
      await button(/Files to Include and Exclude/).click();
      await answer(page, /Files to include/, '*.conf');
      await answer(page, /to exclude/, 'conf.d');
      await answer(page, /Include: \*\.conf\. Exclude: conf\.d\./, 'http');
      await resultRow(/^nginx\.conf, \d+ results?/).waitFor();
      await resultRow(/^Not searched, 1 excluded folder$/).waitFor();
    });

    itNightly('removes lines and files, and says when nothing is left', async () => {
      await chooseInMenu(page, folder(), 'Find in Folder…');
      await answer(page, /Enter the text to find/, 'worker_connections');
      await pressInline(resultRow(/^Line \d+: worker_connections/), 'Remove from Results');
      await resultRow(/^Line \d+: worker_connections/).waitFor({ state: 'detached' });
    });

    itNightly('opens as a search editor', async () => {
      await chooseInMenu(page, folder(), 'Find in Folder…');
      await answer(page, /Enter the text to find/, 'worker_connections');
      await resultRow(/^nginx\.conf|^shop\.conf/).waitFor();
      await pressAboveFound(page, 'Open in Search Editor');
      await editor(page).getByText('# Query: worker_connections').waitFor();
      await picture(page, 'search-editor');
    });

    itIsPictured('in high contrast and in a narrow side bar', async () => {
      await chooseInMenu(page, folder(), 'Find in Folder…');
      await button(/Files to Include and Exclude/).click();
      await answer(page, /Files to include/, '');
      await answer(page, /to exclude/, '');
      await answer(page, /Enter the text to find/, 'server_name');
      await message().getByText('3 results in 2 files.').waitFor();
      for (const [shade, theme] of [
        ['high-contrast', 'Dark High Contrast'],
        ['light', 'Light Modern'],
        ['dark', 'Dark Modern'],
      ] as const) {
        await chooseTheme(page, theme);
        await picture(page, `search-${shade}`);
      }
      await narrowSideBar(page);
      await picture(page, 'search-narrow');
    });
  });

  describe('a file by its name', () => {
    const title = 'Gantry: Go to File…';
    const placeholder = 'File name or path. Add :12 to go to line 12.';
    const rows = () => page.locator('.quick-input-list .monaco-list-row');
    const focused = (text: string | RegExp) => rows().and(page.locator('.focused')).filter({ hasText: text });
    const list = async () => {
      await question(page, placeholder).waitFor();
      // The index is complete.
      await page.locator('.quick-input-widget .quick-input-title').filter({ hasNotText: 'so far' }).waitFor();
    };
    const depot = () => {
      const account = makeSlug(platform.sample.email, new URL(platform.origin).host, []);
      return `gantry://${account}/shop/cp~${nodeOf('cp')}/var/www/webroot/depot`;
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
      const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, .*shortcut/];
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
      await writeFile(join(platform.nodeFolder(nodeOf('cp')), 'var/www/webroot/depot/theirs.txt'), '');
      await page.locator('.quick-input-titlebar').getByRole('button', { name: 'Refresh' }).click();
      await page.keyboard.type('theirs');
      await focused('theirs.txt').waitFor();
      await page.keyboard.press('Enter');
      await editorTab(page, /theirs\.txt/).waitFor();
    });

    it('answers # in Quick Open with file names', async () => {
      await page.keyboard.press('ControlOrMeta+p');
      await askForSymbol(page, '#prices', focused('prices.json'));
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
});
