import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/account';
import { editor, editorTab, notification, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { rowIn, unfoldRow } from './support/sections';
import { browseTo } from './support/signIn';

describe('a folder of a container in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let node: { readonly id: number };

  before(async () => {
    platform = await startPlatform();
    const [first] = platform.nodes('shop', 'cp');
    assert.ok(first);
    node = first;
    await mkdir(onDisk('stockroom/.vscode'));
    await writeFile(onDisk('stockroom/.vscode/settings.json'), '{ "workbench.statusBar.visible": false }');
    await mkdir(onDisk('ROOT/.claude'));
    gantry = await openGantry({
      settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
    });
    page = gantry.page;
    await browseTo(page, platform, ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, configuration/]);
  });

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

  it('warns that Auto Save writes to a running container, and turns it off for these files', async () => {
    await unfoldRow(page, 'Environments', /stockroom, folder/);
    await openRow(row('DELIVERIES.txt'));
    const warning = notification(page, /Auto Save is on/);
    await warning.waitFor();
    await picture(page, 'auto-save');
    await warning.getByRole('button', { name: 'Turn Off for These Files' }).click();
    await warning.waitFor({ state: 'detached' });
    await page.locator('.statusbar-item').filter({ hasText: 'Auto Save leaves files of containers alone' }).waitFor();

    await editor(page).locator('.view-line').first().click();
    await page.keyboard.type('typed');
    await page.locator('.tab.active.dirty').waitFor();
    await openRow(row('stockroom.css'));
    await editorTab(page, /stockroom\.css/).waitFor();
    await openRow(row('index.php'));
    await editorTab(page, /index\.php/).waitFor();
    assert.equal(writes(), 0);
  });

  it('is asked about before it is opened where it could tell VS Code what to do', async () => {
    await chooseInMenu(page, row(/stockroom, folder/), 'Open as Workspace Folder');
    await page.locator('.monaco-dialog-box').filter({ hasText: '.vscode' }).waitFor();
    await picture(page, 'trust');
    await dialogButton(page, 'Cancel').click();
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    assert.ok(await page.locator('.part.statusbar').isVisible());

    await page.locator('.tab.dirty').click();
    await runCommand(page, 'File: Revert File');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    await chooseInMenu(page, row(/stockroom, folder/), 'Open as Workspace Folder');
    await dialogButton(page, 'Trust and Open').click();
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'DELIVERIES.txt' }).waitFor();
    await page.locator('.part.statusbar').waitFor({ state: 'hidden' });
    await picture(page, 'workspace-folder');
  });

  it('is asked about as well when it was opened otherwise, and closed again', async () => {
    await page.goto(`${gantry.vscode.origin}/?folder=${encodeURIComponent(folder('ROOT'))}`);
    await page.locator('.monaco-dialog-box').filter({ hasText: '.claude' }).waitFor();
    await dialogButton(page, 'Cancel').click();
    await page.getByText('You have not yet added a folder').waitFor();
    await picture(page, 'workspace-folder-closed');
  });

  it('is obeyed in nothing before the question is answered', async () => {
    await mkdir(onDisk('ROOT/.vscode'));
    await writeFile(onDisk('ROOT/.vscode/settings.json'), '{ "workbench.statusBar.visible": false }');
    await page.goto(`${gantry.vscode.origin}/?folder=${encodeURIComponent(folder('ROOT'))}`);
    await page.locator('.monaco-dialog-box').filter({ hasText: '.vscode' }).waitFor();
    assert.ok(await page.locator('.part.statusbar').isVisible());
    await dialogButton(page, 'Trust and Open').click();
    await page.locator('.part.statusbar').waitFor({ state: 'hidden' });
  });
});
