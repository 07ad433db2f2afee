import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editor, notificationShown, pressInNotification } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';
import { clickRow, openRow } from './support/rows';
import { pictureInThemes, pressInline, rowIn, unfoldRow } from './support/sections';
import { browseTo } from './support/signIn';

const surprise = { kind: 'refuse', result: 99, error: 'the storage is being moved' } as const;

describe('the diagnostics, one click from an unexpected error', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
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
