import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { projectFolder } from '../host/folders';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../host/vscode/startVsCode';
import { answer, editor, openContainer, pick, treeItem, unfold } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { picture } from './support/picture';
import { chooseAddress, signInButton } from './support/signIn';

describe('a first visit', () => {
  let platform: LocalPlatform;
  let vscode: VsCode;
  let window: VsCodeWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    vscode = await startVsCode({
      extension: { folder: projectFolder },
      settings: { 'gantry.platforms': [platform.origin] },
    });
    window = await openWindow(vscode);
    page = window.page;
  });

  after(async () => {
    await window.close();
    await vscode.dispose();
    await platform.dispose();
  });

  it('begins with a welcome that leads to signing in', async () => {
    await openContainer(page, 'Gantry');
    await signInButton(page).waitFor();
    await picture(page, 'welcome');
  });

  it('signs in with the platform offered, e-mail and password', async () => {
    await signInButton(page).click();
    // By Enter alone, as a person does who takes what is offered first.
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: 'E-mail and password' })
      .waitFor();
    await page.keyboard.press('Enter');
    await chooseAddress(page, platform.origin);
    await answer(page, 'Your e-mail address', platform.sample.email);
    await answer(page, 'Your password', platform.sample.password);
    await picture(page, 'sign-in-lifetime');
    await pick(page, '90 days');
    await treeItem(page, 'Saltmarsh Tea').waitFor();
    await picture(page, 'environments');
  });

  it('walks down to a configuration and opens it', async () => {
    for (const name of ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'etc', 'nginx', 'conf.d']) {
      await unfold(page, name);
    }
    await treeItem(page, 'shop.conf').click();
    await editor(page).locator('.view-line').first().waitFor();
    await picture(page, 'configuration');
  });

  it('saves an edit onto the disk of the node', async () => {
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# edited in the window\n');
    const written = platform.journal.next(({ operation }) => operation === 'Write');
    await page.keyboard.press('Control+S');
    await written;
    await page.locator('.tab.active:not(.dirty)').waitFor();
    await picture(page, 'saved');
    const [node] = platform.nodes('shop', 'bl');
    assert.ok(node);
    const text = await readFile(join(platform.nodeFolder(node.id), 'etc/nginx/conf.d/shop.conf'), 'utf8');
    assert.ok(text.startsWith('# edited in the window\n'), text.slice(0, 60));
  });
});
