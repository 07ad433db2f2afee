import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { answer, editor, editorTab, quickInput } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import { clickRow } from './support/rows';
import { chooseTheme, narrowSideBar, onlySection, pressInline, rowIn, unfoldSection } from './support/sections';
import { browseTo } from './support/signIn';

/** The operations for signing in, listing, and searching. None of them can change a file. */
const harmless = /^(Get\w*|Read|Signin|Signout|CreateToken)$/;
const results = 'Search Results';

describe('Find in Folder in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    const [node] = platform.nodes('shop', 'bl');
    assert.ok(node);
    for (const [name, text] of Object.entries({
      'conf.d/picture.bin': 'server_name\0',
      'conf.d/node_modules/tool.js': 'server_name',
    })) {
      const file = join(platform.nodeFolder(node.id), '/etc/nginx', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', /^etc, folder/, /^nginx, folder/]);
  });

  afterEach(async () => {
    platform.faults.clear();
    await closeEverything(page);
    await unfoldSection(page, 'Environments');
  });

  after(async () => {
    const changes = platform.journal.entries.filter(({ operation }) => !harmless.test(operation));
    await gantry.close();
    await platform.dispose();
    assert.deepEqual(changes, []);
  });

  const folder = () => rowIn(page, 'Environments', /^nginx, folder/);
  // The header's label continues with what was searched for.
  const view = () =>
    page.locator('.sidebar .pane').filter({ has: page.locator(`.pane-header[aria-label^="${results}"]`) });
  const resultRow = (label: string | RegExp) => view().getByRole('treeitem', { name: label }).first();
  const focusedRow = (label: RegExp) => resultRow(label).and(page.locator('.focused'));
  const message = () => view().locator('.message');
  const prompt = () => page.locator('.quick-input-widget');
  const button = (name: RegExp) => prompt().getByRole('button', { name }).or(prompt().getByRole('checkbox', { name }));

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
    await onlySection(page, results);
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

  it('asks for files to include and exclude, and then for the text again', async () => {
    await chooseInMenu(page, folder(), 'Find in Folder…');
    await button(/Files to Include and Exclude/).click();
    await answer(page, /Files to include/, '*.conf');
    await answer(page, /to exclude/, 'conf.d');
    await answer(page, /Include: \*\.conf\. Exclude: conf\.d\./, 'http');
    await resultRow(/^nginx\.conf, \d+ results?/).waitFor();
    await resultRow(/^Not searched, 1 excluded folder$/).waitFor();
  });

  it('removes lines and files, and says when nothing is left', async () => {
    await chooseInMenu(page, folder(), 'Find in Folder…');
    await answer(page, /Enter the text to find/, 'worker_connections');
    await pressInline(resultRow(/^Line \d+: worker_connections/), 'Remove from Results');
    await resultRow(/^Line \d+: worker_connections/).waitFor({ state: 'detached' });
  });

  it('opens as a search editor', async () => {
    await chooseInMenu(page, folder(), 'Find in Folder…');
    await answer(page, /Enter the text to find/, 'worker_connections');
    await resultRow(/^nginx\.conf|^shop\.conf/).waitFor();
    await view().locator('.pane-header').hover();
    await view().getByRole('button', { name: 'Open in Search Editor' }).click();
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
    await onlySection(page, results);
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
