import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/storedAccount';
import { editor, editorTab, notificationShown, openContainer, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { waitForStoredSignIn, signInWithPassword } from './support/signIn';

const hidden = '{ "workbench.statusBar.visible": false }';

describe('a container folder that is open in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let node: { readonly id: number };

  before(async () => {
    platform = await startPlatform();
    const [first] = platform.nodes('shop', 'cp');
    assert.ok(first);
    node = first;
    for (const name of ['stockroom', 'pantry', 'cellar']) {
      await mkdir(onDisk(`${name}/.vscode`), { recursive: true });
      await writeFile(onDisk(`${name}/.vscode/settings.json`), hidden);
    }
    await mkdir(onDisk('attic'));
    await writeFile(onDisk('attic/box.txt'), 'old letters\n');
    await mkdir(onDisk('cellar/.claude'));
    gantry = await openGantry({
      settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
    });
    page = gantry.page;
    await signInWithPassword(page, platform);
    await waitForStoredSignIn(page);
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const onDisk = (path: string) => join(platform.nodeFolder(node.id), 'var/www/webroot', path);
  const writes = () => platform.journal.count(({ operation }) => operation === 'Write');
  const folder = (path: string) => {
    const account = makeSlug(platform.sample.email, new URL(platform.origin).host, []);
    return `gantry://${account}/shop/cp~${node.id}/var/www/webroot/${path}`;
  };

  /** Closing a folder reloads the window. A reload that has just begun aborts this one. */
  const goTo = async (address: string) => {
    await page
      .goto(`${gantry.vscode.origin}/?${address}`)
      .catch(() => page.goto(`${gantry.vscode.origin}/?${address}`));
  };
  /** Browses in a window without a folder, whatever the previous test opened. */
  const browseToStockroom = async () => {
    if (!page.url().endsWith('/?ew=true')) await goTo('ew=true');
    await openContainer(page, 'Gantry');
    await row('Saltmarsh Tea').waitFor();
    await onlySection(page, 'Environments');
    const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, .*shortcut/, /stockroom, folder/];
    await unfoldPath(page, 'Environments', path);
  };

  it('causes a warning that Auto Save writes to a running container, and Auto Save is turned off for these files', async () => {
    await browseToStockroom();
    await openRow(row('DELIVERIES.txt'));
    const warning = await notificationShown(page, /Auto Save is on/);
    await picture(page, 'auto-save');
    await warning.getByRole('button', { name: 'Turn Off for Container Files' }).click();
    await warning.waitFor({ state: 'detached' });
    await page.locator('.statusbar-item').filter({ hasText: 'Auto Save is off for container files' }).waitFor();

    await editor(page).locator('.view-line').first().click();
    await page.keyboard.type('typed');
    await page.locator('.tab.active.dirty').waitFor();
    await openRow(row('stockroom.css'));
    await editorTab(page, /stockroom\.css/).waitFor();
    await openRow(row('index.php'));
    await editorTab(page, /index\.php/).waitFor();
    assert.equal(writes(), 0);
  });

  it('needs trust before it opens if it could give VS Code instructions', async () => {
    await browseToStockroom();
    await chooseInMenu(page, row(/stockroom, folder/), 'Open › Open as Workspace Folder');
    await page.locator('.monaco-dialog-box').filter({ hasText: '.vscode' }).waitFor();
    await picture(page, 'trust');
    await dialogButton(page, 'Cancel').click();
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    assert.ok(await page.locator('.part.statusbar').isVisible());

    await chooseInMenu(page, row(/stockroom, folder/), 'Open › Open as Workspace Folder');
    await dialogButton(page, 'Trust and Open').click();
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'DELIVERIES.txt' }).waitFor();
    await page.locator('.part.statusbar').waitFor({ state: 'hidden' });
    await picture(page, 'workspace-folder');
  });

  it('applies none of its settings before the question is answered', async () => {
    await goTo(`folder=${encodeURIComponent(folder('pantry'))}`);
    await page.locator('.monaco-dialog-box').filter({ hasText: '.vscode' }).waitFor();
    assert.ok(await page.locator('.part.statusbar').isVisible());
    await dialogButton(page, 'Trust').click();
    await page.locator('.part.statusbar').waitFor({ state: 'hidden' });
  });

  it("needs trust also if it was opened in another way, doesn't let VS Code overwrite hidden settings, asks again, and can be closed", async () => {
    await goTo(`folder=${encodeURIComponent(folder('cellar'))}`);
    await page.locator('.monaco-dialog-box').filter({ hasText: '.claude' }).waitFor();
    await picture(page, 'trust-open-folder');
    await dialogButton(page, 'Cancel').click();
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    await runCommand(page, 'Preferences: Open Workspace Settings (JSON)');
    await dialogButton(page, 'Trust').waitFor();
    await picture(page, 'trust-again');
    assert.equal(await readFile(onDisk('cellar/.vscode/settings.json'), 'utf8'), hidden);
    await dialogButton(page, 'Close Folder').click();
    await page.getByText('You have not yet added a folder').waitFor();
    await picture(page, 'workspace-folder-closed');
  });

  it('gets workspace settings without a question if it had none', async () => {
    await goTo(`folder=${encodeURIComponent(folder('attic'))}`);
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'box.txt' }).waitFor();
    await runCommand(page, 'Preferences: Open Workspace Settings (JSON)');
    await page.locator('.modal-editor-part, .editor-group-container').getByText('settings.json').first().waitFor();
    assert.ok(existsSync(onDisk('attic/.vscode/settings.json')));
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
  });
});
