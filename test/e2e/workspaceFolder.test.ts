import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/account';
import { projectFolder } from '../host/folders';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../host/vscode/startVsCode';
import { editor, editorTab, notification, runCommand, treeItem, unfold } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { chooseInMenu, dialogButton, onlySection } from './support/menus';
import { picture } from './support/picture';
import { signInWithPassword } from './support/signIn';

describe('a folder of a container in the window', () => {
  let platform: LocalPlatform;
  let vscode: VsCode;
  let window: VsCodeWindow;
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
    vscode = await startVsCode({
      extension: { folder: projectFolder },
      settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
    });
    window = await openWindow(vscode);
    page = window.page;
    await signInWithPassword(page, platform);
    await onlySection(page, 'Environments');
    for (const name of ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, configuration/]) {
      await unfold(page, name);
    }
  });

  after(async () => {
    await window.close();
    await vscode.dispose();
    await platform.dispose();
  });

  const onDisk = (path: string) => join(platform.nodeFolder(node.id), 'var/www/webroot', path);
  const writes = () => platform.journal.count(({ operation }) => operation === 'Write');
  const folder = (path: string) => {
    const account = makeSlug(platform.sample.email, new URL(platform.origin).host, []);
    return `gantry://${account}/shop/cp~${node.id}/var/www/webroot/${path}`;
  };

  it('warns that Auto Save writes to a running container, and turns it off for these files', async () => {
    await unfold(page, /stockroom, folder/);
    await treeItem(page, 'DELIVERIES.txt').dblclick();
    const warning = notification(page, /Auto Save is on/);
    await warning.waitFor();
    await picture(page, 'auto-save');
    await warning.getByRole('button', { name: 'Turn Off for These Files' }).click();
    await warning.waitFor({ state: 'detached' });
    await page.locator('.statusbar-item').filter({ hasText: 'Auto Save leaves files of containers alone' }).waitFor();

    await editor(page).locator('.view-line').first().click();
    await page.keyboard.type('typed');
    await page.locator('.tab.active.dirty').waitFor();
    await treeItem(page, 'stockroom.css').dblclick();
    await editorTab(page, /stockroom\.css/).waitFor();
    await treeItem(page, 'index.php').dblclick();
    await editorTab(page, /index\.php/).waitFor();
    assert.equal(writes(), 0);
  });

  it('is asked about before it is opened where it could tell VS Code what to do', async () => {
    await chooseInMenu(page, treeItem(page, /stockroom, folder/), 'Open as Workspace Folder');
    await page.locator('.monaco-dialog-box').filter({ hasText: '.vscode' }).waitFor();
    await picture(page, 'trust');
    await dialogButton(page, 'Cancel').click();
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    assert.ok(await page.locator('.part.statusbar').isVisible());

    await page.locator('.tab.dirty').click();
    await runCommand(page, 'File: Revert File');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    await chooseInMenu(page, treeItem(page, /stockroom, folder/), 'Open as Workspace Folder');
    await dialogButton(page, 'Trust and Open').click();
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'DELIVERIES.txt' }).waitFor();
    await page.locator('.part.statusbar').waitFor({ state: 'hidden' });
    await picture(page, 'workspace-folder');
  });

  it('is asked about as well when it was opened otherwise, and closed again', async () => {
    await page.goto(`${vscode.origin}/?folder=${encodeURIComponent(folder('ROOT'))}`);
    await page.locator('.monaco-dialog-box').filter({ hasText: '.claude' }).waitFor();
    await dialogButton(page, 'Cancel').click();
    await page.getByText('You have not yet added a folder').waitFor();
    await picture(page, 'workspace-folder-closed');
  });

  it('is obeyed in nothing before the question is answered', async () => {
    await mkdir(onDisk('ROOT/.vscode'));
    await writeFile(onDisk('ROOT/.vscode/settings.json'), '{ "workbench.statusBar.visible": false }');
    await page.goto(`${vscode.origin}/?folder=${encodeURIComponent(folder('ROOT'))}`);
    await page.locator('.monaco-dialog-box').filter({ hasText: '.vscode' }).waitFor();
    assert.ok(await page.locator('.part.statusbar').isVisible());
    await dialogButton(page, 'Trust and Open').click();
    await page.locator('.part.statusbar').waitFor({ state: 'hidden' });
  });
});
