import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { limit } from '../host/limits';
import { itNightly } from '../host/nightly';
import { editor, editorTab, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { picture } from './support/picture';
import { clickRow, openRow } from './support/rows';
import { rowIn, section, unfoldPath, unfoldRow } from './support/sections';
import { browseTo } from './support/signIn';

const oddName = '100% done #2 & a+b; “ä” (draft).txt';
const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, .*configuration/];
const many = 20_000;
const nameOf = (index: number) => `page-${String(index).padStart(6, '0')}.html`;

describe('unusual folders', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let webroot: string;

  before(async () => {
    platform = await startPlatform();
    webroot = join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), 'var/www/webroot');
    await writeFile(join(webroot, 'stockroom/counts', oddName), 'counted\n');
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, path);
  });

  beforeEach(async () => {
    await section(page, 'Environments').locator('.monaco-list').focus();
    await page.keyboard.press('Home');
    // Collapses all rows, because a list renders only visible rows.
    await page.keyboard.press('ControlOrMeta+ArrowLeft');
    await unfoldPath(page, 'Environments', path);
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);

  it('open and save a file whose name contains characters with a meaning in URLs', async () => {
    const folder = join(webroot, 'stockroom/counts');
    const before = await readdir(folder);
    await unfoldRow(page, 'Environments', /stockroom, folder/);
    await unfoldRow(page, 'Environments', /counts, folder/);
    await openRow(row(oddName));
    await page.locator('.tab.active').filter({ hasText: oddName }).waitFor();
    await editor(page).getByText('counted').click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type('well ');
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    await picture(page, 'odd-name');
    assert.equal(await readFile(join(folder, oddName), 'utf8'), 'well counted\n');
    assert.deepEqual(await readdir(folder), before);
  });

  itNightly('list 20,000 files with one request, and open the last one', async () => {
    mkdirSync(join(webroot, 'cache'));
    for (let index = 0; index < many; index += 1) writeFileSync(join(webroot, 'cache', nameOf(index)), '');
    await runCommand(page, 'Gantry: Refresh Environments');
    platform.journal.reset();
    await clickRow(row(/cache, folder/));
    await row(nameOf(0)).waitFor({ timeout: limit(60_000) });
    await picture(page, 'many-files');
    assert.equal(
      platform.journal.count(
        ({ operation, parameters }) => operation === 'GetList' && parameters['path'] === '/var/www/webroot/cache',
      ),
      1,
    );
    await clickRow(row(nameOf(0)));
    await page.keyboard.press('End');
    const below = row(/^log/);
    await below.waitFor();
    await openRow(row(nameOf(many - 1)));
    await editorTab(page, nameOf(many - 1)).waitFor();
    await picture(page, 'many-files-end');
  });
});
