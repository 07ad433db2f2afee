import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import {
  clickRow,
  editor,
  editorTab,
  notificationShown,
  pick,
  pressInNotification,
  quickInput,
  refusesTyping,
  runCommand,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { pictureInThemes, pressInline, rowIn, unfoldRow } from './support/sections';
import { browseTo } from './support/signIn';

const surprise = { kind: 'refuse', result: 99, error: 'the storage is being moved' } as const;
const folder = '/var/www/webroot';

describe('finding out what is wrong, in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    platform.behaviour.overwriting = 'appends';
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
  });

  afterEach(async () => {
    platform.faults.clear();
    await closeEverything(page);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);

  describe('the diagnostics, one click from an unexpected error', () => {
    const copied = async () => {
      await notificationShown(page, 'Copied diagnostics');
      return page.evaluate<string>('navigator.clipboard.readText()');
    };

    it('are a link in the message of a failed save', async () => {
      await openRow(row('shop.conf'));
      await editor(page).locator('.view-line').first().click();
      await page.keyboard.type('# mine\n');
      platform.faults.add({ operation: 'Write', times: 'always', fault: surprise });
      await page.keyboard.press('ControlOrMeta+S');
      const failure = await notificationShown(page, 'Copy Diagnostics');
      await picture(page, 'diagnostics-save');
      await failure
        .getByRole('link', { name: 'Copy Diagnostics' })
        .or(failure.getByText('Copy Diagnostics', { exact: true }))
        .first()
        .click();
      assert.match(await copied(), /^# Gantry diagnostics[^]*Write: platform, result 99/);
      await page.locator('.tab.active.dirty').waitFor();
    });

    it('are a button of the row that shows one', async () => {
      platform.faults.add({ operation: 'GetList', times: 'always', fault: surprise });
      await unfoldRow(page, 'Environments', /^home/);
      const problem = row(/storage is being moved/);
      await problem.waitFor();
      await pictureInThemes(page, 'diagnostics-row', () => problem.hover());
      await pressInline(problem, 'Copy Diagnostics');
      assert.match(await copied(), /Last errors[^]*GetList: platform, result 99[^]*Last failed requests/);
    });

    it('are a button of a batch that failed in part, and of its details', async () => {
      platform.faults.add({ operation: 'Delete', times: 'always', fault: surprise });
      await clickRow(row('shop.conf'));
      await clickRow(row('upstream.conf'), { modifier: 'ControlOrMeta' });
      await page.keyboard.press('Delete');
      await dialogButton(page, 'Delete').click();
      await pressInNotification(page, /Couldn't delete/, 'Show Details');
      await dialog(page).filter({ hasText: 'upstream.conf' }).waitFor();
      await picture(page, 'diagnostics-batch');
      await dialogButton(page, 'Copy Diagnostics').click();
      assert.match(await copied(), /Delete: platform, result 99/);
    });
  });

  describe('the compatibility check', () => {
    before(() => platform.journal.reset());

    const onDisk = () => readdir(join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), folder));
    const report = () => editor(page).locator('.view-lines').first();
    const writes = () =>
      platform.journal.count(({ operation }) => /^(Write|Create|Delete|Rename|Copy|Append)/.test(operation));

    it('reads before it asks to write', async () => {
      await runCommand(page, 'Gantry Advanced: Check Platform Compatibility…');
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
      await runCommand(page, 'Gantry Advanced: Check Platform Compatibility…');
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

    it('gives the reason in an editor where saving is switched off', async () => {
      await openRow(row('upstream.conf'));
      await editorTab(page, /upstream\.conf/).waitFor();
      await refusesTyping(page, /doesn't save files safely/);
      await picture(page, 'compatibility-refused');
    });
  });
});
