import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { projectFolder } from '../host/folders';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../host/vscode/startVsCode';
import {
  answer,
  editor,
  notification,
  openContainer,
  pick,
  quickInput,
  runCommand,
  treeItem,
  unfold,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { type Eavesdropper, eavesdrop } from './support/eavesdropper';
import { holdsSecret, searchSecrets } from './support/searchSecrets';
import { signInButton } from './support/signIn';

const person = { email: 'anna@gantry.example', password: 'pä55 wörd/+&%"\\=' };

describe('what is written while working', () => {
  let platform: LocalPlatform;
  let between: Eavesdropper;
  let vscode: VsCode;
  let window: VsCodeWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    await platform.addUser(person);
    between = await eavesdrop(platform.origin);
    vscode = await startVsCode({ extension: { folder: projectFolder } });
    window = await openWindow(vscode);
    page = window.page;
    await openContainer(page, 'Gantry');
  });

  after(async () => {
    await window.close();
    await vscode.dispose();
    await between.close();
    await platform.dispose();
  });

  /** Everything is logged that there is to log. */
  it('is as much as can be', async () => {
    await signInButton(page).waitFor();
    await runCommand(page, 'Developer: Set Log Level...');
    await pick(page, /^Gantry/);
    await pick(page, 'Trace');
  });

  it('goes through signing in, with a password that is wrong at first', async () => {
    await signInButton(page).click();
    await pick(page, 'E-mail and password');
    await answer(page, 'The address of your', between.origin);
    await answer(page, 'Your e-mail address', person.email);
    await answer(page, 'Your password', `${person.password}!`);
    await pick(page, '90 days');
    await page.locator('.quick-input-widget').filter({ hasText: 'does not know this password' }).waitFor();
    await quickInput(page).fill(person.password);
    await page.keyboard.press('Enter');
    await pick(page, '90 days');
    await treeItem(page, 'Saltmarsh Tea').waitFor();
  });

  it('goes through a save that fails at a platform that quotes what it was sent', async () => {
    for (const name of ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'etc', 'nginx', 'conf.d']) {
      await unfold(page, name);
    }
    await treeItem(page, 'shop.conf').click();
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# edited\n');
    between.quoteFrom('write');
    await page.keyboard.press('Control+S');
    await notification(page, 'shop.conf').waitFor();
    await page.keyboard.press('Escape');
  });

  it('goes through a renewal that fails the same way, and one that works', async () => {
    await runCommand(page, 'Gantry: Renew Access Token…');
    await pick(page, '30 days');
    await answer(page, 'Renewing the token needs your password', person.password);
    await notification(page, 'is good until').waitFor();
    between.quoteFrom('regeneratetoken');
    await runCommand(page, 'Gantry: Renew Access Token…');
    await pick(page, '30 days');
    await answer(page, 'Renewing the token needs your password', person.password);
    await notification(page, 'RegenerateToken').waitFor();
    await runCommand(page, 'Gantry: Unlock with Password…');
    await answer(page, 'needs your password', person.password);
  });

  it('holds no secret, neither on disk nor in the window', async () => {
    assert.ok(between.secrets.has(person.password), 'the password went by');
    assert.ok([...between.secrets].filter((secret) => /^[0-9a-f]{40}$/.test(secret)).length >= 2, 'two tokens went by');
    assert.deepEqual(await searchSecrets(vscode.stateFolder, between.secrets), []);
    const shown = await page.locator('body').innerText();
    assert.equal(holdsSecret(`${shown}\n${window.console.join('\n')}`, between.secrets), false);
  });

  it('holds none after the extension host died in the middle of it', async () => {
    await runCommand(page, 'Developer: Restart Extension Host');
    await treeItem(page, 'Saltmarsh Tea').waitFor();
    assert.deepEqual(await searchSecrets(vscode.stateFolder, between.secrets), []);
  });

  it('would be found if it were there', async () => {
    const [secret = ''] = [...between.secrets].filter((one) => one.length > 3);
    const planted = join(vscode.stateFolder, 'planted');
    await writeFile(planted, `x${encodeURIComponent(secret)}x`);
    assert.deepEqual(await searchSecrets(vscode.stateFolder, between.secrets), [planted]);
  });
});
