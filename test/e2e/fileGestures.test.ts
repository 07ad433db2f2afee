import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { answer, editor, editorTab, notificationShown, quickInput, runCommand } from '../host/vscode/workbench';
import { sidesShow } from './support/comparing';
import { dialogButton } from './support/dialogs';
import { command } from './support/keyboard';
import { chooseLocalPath } from './support/localFiles';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { rowIn } from './support/sections';
import { browseTo } from './support/signIn';
import { serveWebPage, type WebPage } from './support/webPage';
import { browserScene } from './support/browserScene';

const stockroom = '/var/www/webroot/stockroom';

describe('the context menu of a file or folder', () => {
  const scene = browserScene({ sample: 'project' });
  const cp = scene.environment('shop').layer('cp').below(stockroom);
  const { onDisk, text } = cp;
  let page: Page;
  let local: string;
  let web: WebPage;

  before(async () => {
    web = await serveWebPage();
    local = join(scene.gantry.vscode.stateFolder, 'local');
    await mkdir(join(local, 'pantry'), { recursive: true });
    await writeFile(join(local, 'beside.txt'), 'Friday: Darjeeling\n');
    await writeFile(join(local, 'pantry/assam.txt'), 'Assam\n');
    for (const node of [0, 1]) await pack(onDisk('pantry.tar.gz', node));
    await cp.put('DELIVERIES.txt', 'Monday: Assam\nTuesday: Ceylon\n');
    await cp.put('DELIVERIES.old', 'Sunday: Keemun\n');
    ({ page } = scene);
    await browseTo(page, scene.platform, [
      'Saltmarsh Tea',
      'Application servers',
      'NGINX PHP',
      /webroot, .*shortcut/,
      /stockroom, folder/,
    ]);
  });

  after(() => web.close());

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const pack = (archive: string) => promisify(execFile)('tar', ['-czf', archive, '-C', local, 'pantry']);
  const choose = (name: string | RegExp, label: string) => chooseInMenu(page, row(name), label);

  async function confirm(label: string): Promise<void> {
    await dialogButton(page, label).click();
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  }

  /** Selects a local file after its folder is listed, which also contains `beside`. */
  async function chooseLocal(name: string, beside: string): Promise<void> {
    await chooseLocalPath(page, join(local, name), beside);
  }

  it('unpacks an archive on one node', async () => {
    await choose('pantry.tar.gz', 'Unpack › Unpack…');
    await answer(page, 'Enter the path of the destination folder', `${stockroom}/shelves`);
    await dialogButton(page, 'Unpack').waitFor();
    await picture(page, 'unpack');
    await confirm('Unpack');
    await row(/shelves, folder/).waitFor();
    assert.equal(await text('shelves/pantry/assam.txt'), 'Assam\n');
    await assert.rejects(text('shelves/pantry/assam.txt', 1), { code: 'ENOENT' });
  });

  it('unpacks an archive on all nodes of a type after it names them', async () => {
    await choose('pantry.tar.gz', 'Unpack › Unpack on All Nodes of This Type…');
    await answer(page, 'Enter the path of the destination folder', stockroom);
    await dialogButton(page, 'Unpack').waitFor();
    await picture(page, 'unpack-on-all');
    for (const id of cp.nodes) {
      await page
        .locator('.monaco-dialog-box')
        .filter({ hasText: String(id) })
        .waitFor();
    }
    await confirm('Unpack');
    await row(/pantry, folder/).waitFor();
    for (const node of [0, 1]) assert.equal(await text('pantry/assam.txt', node), 'Assam\n');
  });

  it('makes the platform fetch a file from a URL, and reveals the file', async () => {
    await choose(/stockroom, folder/, 'Upload › Upload from URL…');
    await answer(page, 'Enter a URL', `${web.origin}/lists/list%20of%20teas.html`);
    await page.locator('.quick-input-widget').filter({ hasText: 'Enter a name for the file' }).waitFor();
    assert.equal(await quickInput(page).inputValue(), 'list of teas.html');
    await page.keyboard.press('Enter');
    await page.locator('.sidebar').getByRole('treeitem', { name: 'list of teas.html', selected: true }).waitFor();
    await picture(page, 'upload-from-url');
    assert.match(await text('list of teas.html'), /Dashboard/);
  });

  itNightly('refuses to replace text in a file with unsaved changes', async () => {
    await openRow(row('DELIVERIES.txt'));
    await editorTab(page, /DELIVERIES\.txt/).waitFor();
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.type('not saved ');
    await page.locator('.tab.active.dirty').waitFor();
    await command(page, 'Gantry Advanced: Replace in File…');
    await notificationShown(page, /has unsaved changes/);
    await picture(page, 'replace-refused');
    assert.equal(await text('DELIVERIES.txt'), 'Monday: Assam\nTuesday: Ceylon\n');
    await page.locator('.tab.active').click();
    await runCommand(page, 'File: Revert File');
    await page.locator('.tab.active:not(.dirty)').waitFor();
  });

  itNightly('duplicates a file under another name', async () => {
    await choose('DELIVERIES.txt', 'Copy or Duplicate › Duplicate…');
    await quickInput(page).waitFor();
    await picture(page, 'duplicate');
    assert.equal(await quickInput(page).inputValue(), 'DELIVERIES copy.txt');
    await quickInput(page).fill('DELIVERIES.new');
    await page.keyboard.press('Enter');
    await row('DELIVERIES.new').waitFor();
    assert.equal(await text('DELIVERIES.new'), await text('DELIVERIES.txt'));
  });

  it('compares two container files, the second of them beside the editor', async () => {
    await choose('DELIVERIES.old', 'Compare › Select for Compare');
    await choose('DELIVERIES.txt', 'Compare › Compare with Selected');
    await editorTab(page, /DELIVERIES\.old ↔ DELIVERIES\.txt/).waitFor();
    await sidesShow(page, { original: /Sunday:\s+Keemun/, modified: /Tuesday:\s+Ceylon/ });
    await picture(page, 'compare-selected');
    await choose('DELIVERIES.txt', 'Open to the Side');
    await page
      .locator('.editor-group-container')
      .nth(1)
      .locator('.tab')
      .filter({ hasText: 'DELIVERIES.txt' })
      .waitFor();
  });

  it('compares a file with a file on this computer', async () => {
    await choose('DELIVERIES.txt', 'Compare › Compare with Local File…');
    await chooseLocal('beside.txt', 'pantry');
    await editorTab(page, /beside\.txt \(local\) ↔ DELIVERIES\.txt/).waitFor();
    await sidesShow(page, { original: /Friday:\s+Darjeeling/, modified: /Tuesday:\s+Ceylon/ });
    await picture(page, 'compare-local');
  });

  it('downloads a file', async () => {
    await choose('DELIVERIES.txt', 'Download…');
    await chooseLocal('fetched.txt', 'beside.txt');
    await page.locator('.statusbar-item').filter({ hasText: 'Downloaded 1 file to' }).waitFor();
    await picture(page, 'download');
    assert.equal(await readFile(join(local, 'fetched.txt'), 'utf8'), 'Monday: Assam\nTuesday: Ceylon\n');
  });
});
