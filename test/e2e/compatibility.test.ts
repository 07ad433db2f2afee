import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editor, editorTab, notificationShown, pick, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { pictureInThemes, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';

const folder = '/var/www/webroot';

describe('the compatibility check in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    platform.behaviour.existingTarget = 'overwritten';
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
    platform.journal.reset();
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const onDisk = () => readdir(join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), folder));
  const report = () => editor(page).locator('.view-lines').first();
  const writes = () =>
    platform.journal.count(({ operation }) => /^(Write|Create|Delete|Rename|Copy|Append)/.test(operation));

  it('reads before it asks to write', async () => {
    await runCommand(page, 'Gantry: Check Platform Compatibility…');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'NGINX PHP' }).first().waitFor();
    await picture(page, 'compatibility-node');
    await pick(page, new RegExp(`NGINX PHP.*${platform.nodes('shop', 'cp')[0]?.id}`));
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Run Write Check…' }).waitFor();
    await picture(page, 'compatibility-write');
    assert.equal(writes(), 0);
    await pick(page, 'Show Report');
    await editorTab(page, /Compatibility/).waitFor();
    await report().filter({ hasText: 'only read from the platform' }).waitFor();
    await picture(page, 'compatibility-report-reading');
    assert.equal(writes(), 0);
  });

  it('writes only after a question that names the folder, leaves nothing behind, and reports what is switched off', async () => {
    const before = await onDisk();
    await runCommand(page, 'Gantry: Check Platform Compatibility…');
    await pick(page, new RegExp(`NGINX PHP.*${platform.nodes('shop', 'cp')[0]?.id}`));
    await pick(page, 'Run Write Check…');
    await page.getByPlaceholder('Folder in which to create the scratch folder').waitFor();
    await quickInput(page).fill(`${folder}/`);
    await pick(page, 'Use this folder');
    await dialog(page).filter({ hasText: folder }).waitFor();
    await picture(page, 'compatibility-question');
    assert.equal(writes(), 0);
    await dialogButton(page, 'Write Test Files').click();
    await report().filter({ hasText: 'wrote to a scratch folder' }).waitFor();
    assert.ok(writes() > 0);
    assert.deepEqual(await onDisk(), before);
    await pictureInThemes(page, 'compatibility-report');
  });

  it('leads to an error that gives the reason where a change is switched off', async () => {
    await unfoldPath(page, 'Environments', [
      /^shop|^Saltmarsh/,
      /^Application servers|^nginxphp/,
      /NGINX PHP|^nginxphp/,
      /^webroot/,
    ]);
    await chooseInMenu(page, rowIn(page, 'Environments', /^ROOT/), 'Rename…');
    await quickInput(page).fill('renamed');
    await page.keyboard.press('Enter');
    await notificationShown(page, 'replaces the existing file');
    await picture(page, 'compatibility-refused');
  });
});
