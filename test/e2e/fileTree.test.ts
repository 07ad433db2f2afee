import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import {
  answer,
  clickRow,
  editorTab,
  notificationShown,
  pressInNotification,
  quickInput,
} from '../host/vscode/workbench';
import { closeEverything } from './support/closeEverything';
import { sidesShow } from './support/comparing';
import { dialog, dialogButton } from './support/dialogs';
import { chooseLocalPath } from './support/localFiles';
import { command } from './support/keyboard';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { dragRow, openRow } from './support/rows';
import { pictureMenus, rowIn, section, unfoldPath } from './support/sections';
import { browseTo } from './support/signIn';
import { browserScene } from './support/browserScene';

describe('files in the tree', () => {
  const scene = browserScene({ sample: 'project' });
  const { onDisk } = scene.environment('shop').layer('cp');
  let page: Page;

  before(async () => {
    for (const name of ['copied.css', 'deleted.css', 'keys-1.css', 'keys-2.css', 'keys-3.css', 'moved.css']) {
      await writeFile(webroot(`stockroom/${name}`), `.${name} {}\n`);
    }
    await mkdir(webroot('stockroom/shelf'));
    ({ page } = scene);
    await browseTo(page, scene.platform, ['Saltmarsh Tea', 'Application servers', 'NGINX PHP']);
  });

  beforeEach(() => unfoldPath(page, 'Environments', [/webroot, .*shortcut/, /stockroom, folder/]));

  afterEach(() => closeEverything(page));

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const webroot = (path: string) => onDisk(join('var/www/webroot', path));
  const type = async (text: string) => {
    await quickInput(page).fill(text);
    await page.keyboard.press('Enter');
  };

  it('lists the configuration first', async () => {
    await row(/webroot, .*shortcut/).waitFor();
    await row('DELIVERIES.txt').waitFor();
    await picture(page, 'files-unfolded');
  });

  it('creates a file in a new folder and opens it', async () => {
    await chooseInMenu(page, row(/stockroom, folder/), 'New File…');
    await type('notes/today.txt');
    await editorTab(page, /today\.txt/).waitFor();
    assert.equal(await readFile(webroot('stockroom/notes/today.txt'), 'utf8'), '');
    await row(/notes, folder/).waitFor();
    await picture(page, 'files-new');
  });

  it('expands a folder after something is created in it', async () => {
    await chooseInMenu(page, row(/counts, folder/), 'New Folder…');
    await type('spring');
    await row(/spring, folder/).waitFor();
    await chooseInMenu(page, row(/spring, folder/), 'Delete');
    await dialogButton(page, 'Delete').click();
    await row(/spring, folder/).waitFor({ state: 'detached' });
  });

  it('renames with the name preselected, and rejects an existing name during typing', async () => {
    await clickRow(row('stockroom.css'));
    await page.locator('.sidebar').getByRole('treeitem', { name: 'stockroom.css' }).first().focus();
    await page.keyboard.press('F2');
    await quickInput(page).fill('index.php');
    await page.locator('.quick-input-message').filter({ hasText: 'already exists' }).waitFor();
    await picture(page, 'files-rename-taken');
    await type('styles.css');
    await row('styles.css').waitFor();
    assert.ok(existsSync(webroot('stockroom/styles.css')));
    assert.ok(!existsSync(webroot('stockroom/stockroom.css')));
  });

  it('copies and pastes on the platform', async () => {
    await clickRow(row('copied.css'));
    await page.keyboard.press('ControlOrMeta+C');
    scene.platform.journal.reset();
    await chooseInMenu(page, row(/stockroom, folder/), 'Paste');
    await row('copied copy.css').waitFor();
    assert.equal(scene.count('Copy'), 1);
    assert.deepEqual(
      await readFile(webroot('stockroom/copied copy.css')),
      await readFile(webroot('stockroom/copied.css')),
    );
  });

  it('asks before it deletes a file, and names the file', async () => {
    await clickRow(row('deleted.css'));
    await page.keyboard.press('Delete');
    await dialogButton(page, 'Delete').waitFor();
    const question = page.locator('.monaco-dialog-box');
    await question.filter({ hasText: /from node \d+ \(Application servers\), Saltmarsh Tea/ }).waitFor();
    await picture(page, 'files-delete');
    await dialogButton(page, 'Delete').click();
    await row('deleted.css').waitFor({ state: 'detached' });
    assert.ok(!existsSync(webroot('stockroom/deleted.css')));
  });

  it('acts with a key on the row in focus, not on another one that is selected, and on all that are selected', async () => {
    await clickRow(row('keys-1.css'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await dialog(page).filter({ hasText: 'keys-2.css' }).filter({ hasNotText: 'keys-1.css' }).waitFor();
    await dialogButton(page, 'Cancel').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await dialog(page)
      .filter({ hasText: /2 files/ })
      .waitFor();
    await dialogButton(page, 'Cancel').click();
    assert.ok(existsSync(webroot('stockroom/keys-2.css')));
    await clickRow(row('keys-3.css'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('F2');
    assert.equal(await quickInput(page).inputValue(), 'keys-2.css');
    assert.equal(await editorTab(page, 'keys-2.css').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('moves by drag and drop after a question', async () => {
    await dragRow(row('moved.css'), row(/shelf, folder/), dialogButton(page, 'Move'));
    await dialogButton(page, 'Move').click();
    // Its new folder is expanded, and the file is selected there.
    await section(page, 'Environments').getByRole('treeitem', { name: 'moved.css', selected: true }).waitFor();
    assert.ok(!existsSync(webroot('stockroom/moved.css')));
    assert.ok(existsSync(webroot('stockroom/shelf/moved.css')));
    await picture(page, 'files-moved');
  });

  it('uploads a folder with binary files, and reports files that already exist', async () => {
    const local = join(scene.gantry.vscode.stateFolder, 'to-upload');
    await mkdir(join(local, 'site/img'), { recursive: true });
    await writeFile(join(local, 'site/hello.txt'), 'hello\n');
    await writeFile(join(local, 'site/img/dot.bin'), Buffer.from([0, 255, 254, 1]));
    const upload = async () => {
      await chooseInMenu(page, row(/stockroom, folder/), 'Upload › Upload Folder…');
      await chooseLocalPath(page, `${join(local, 'site')}/`, 'img');
    };
    await upload();
    await row(/site, folder/).waitFor();
    assert.equal(await readFile(webroot('stockroom/site/hello.txt'), 'utf8'), 'hello\n');
    assert.deepEqual([...(await readFile(webroot('stockroom/site/img/dot.bin')))], [0, 255, 254, 1]);
    await upload();
    await dialogButton(page, 'Replace').waitFor();
    await picture(page, 'files-replace');
    await dialogButton(page, 'Cancel').click();
  });

  it('neither deletes nor renames a shortcut with the keys', async () => {
    await clickRow(row(/^log, \/var\/log, shortcut to a folder/));
    await page.keyboard.press('Delete');
    await page.keyboard.press('F2');
    await clickRow(row('index.php'));
    await page.keyboard.press('F2');
    // The next question is the first that was asked.
    await quickInput(page).waitFor();
    assert.equal(await quickInput(page).inputValue(), 'index.php');
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('opens an environment in the browser from its row, and shows what else can be done there', async () => {
    await pictureMenus(row('Saltmarsh Tea'), { item: 'Open in Browser', name: 'menu-environment' });
    await pictureMenus(row('Application servers'), { item: 'New Project…', name: 'menu-layer' });
    await pictureMenus(row('index.php'), { item: 'Duplicate…', name: 'menu-file', submenu: 'Copy or Duplicate' });
    await pictureMenus(row('index.php'), {
      item: 'Compare with Local File…',
      name: 'menu-compare',
      submenu: 'Compare',
    });
    await pictureMenus(row(/stockroom, folder/), { item: 'Upload from URL…', name: 'menu-folder', submenu: 'Upload' });
    await pictureMenus(row(/^NGINX PHP/), { item: 'Go to File…', name: 'menu-node', submenu: 'Open' });
    await chooseInMenu(page, row('Saltmarsh Tea'), 'Open in Browser');
    const question = page.locator('.monaco-dialog-box').filter({ hasText: 'http://shop.' });
    await question.waitFor();
    await picture(page, 'open-in-browser');
    await dialogButton(page, 'Cancel').click();
    // VS Code doesn't ask before it opens an address of this computer.
    const opened = page.waitForEvent('popup');
    await chooseInMenu(page, row('Application servers'), 'Open Dashboard');
    const dashboard = await opened;
    // code-server opens it through a path of its own, which has the port.
    assert.match(dashboard.url(), new RegExp(new URL(scene.platform.origin).port));
    await dashboard.close();
  });

  it('compares across nodes', async () => {
    await writeFile(onDisk('var/www/webroot/stockroom/index.php', 1), '<?php // other\n');
    await chooseInMenu(page, row('index.php'), 'Compare › Compare Across Nodes…');
    await sidesShow(page, { original: /shelf\.php/, modified: /other/ });
    await picture(page, 'files-compare');
  });

  itNightly('replaces text in a file, shows the result, and can undo it', async () => {
    const file = webroot('stockroom/DELIVERIES.txt');
    const before = await readFile(file, 'utf8');
    await openRow(row('DELIVERIES.txt'));
    await editorTab(page, /DELIVERIES\.txt/).waitFor();
    await command(page, 'Gantry Advanced: Replace in File…');
    await answer(page, 'Text to find', 'e');
    await answer(page, 'Replacement text', 'E');
    await answer(page, 'Maximum number of replacements', '');
    await notificationShown(page, /Replaced text in/);
    await picture(page, 'files-replaced');
    assert.notEqual(await readFile(file, 'utf8'), before);
    await pressInNotification(page, /Replaced text in/, 'Undo');
    await notificationShown(page, 'Restored 1 file.');
    assert.equal(await readFile(file, 'utf8'), before);
  });
});
