import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editor, editorTab, notification, notificationShown, pick, runCommand, tidyUp } from '../host/vscode/workbench';
import { sidesShow } from './support/comparing';
import { dialogButton } from './support/dialogs';
import { keys } from './support/keyboard';
import { chooseInMenu, pressMenuItem } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword, waitForStoredSignIn } from './support/signIn';
import { step } from './support/step';
import { browserScene } from './support/browserScene';

describe('the versions of a file in the window', () => {
  const scene = browserScene({
    sample: 'environments',
    window: { settings: { 'gantry.versionHistory.keep': 'ask' } },
  });
  const cp = scene.environment('shop').layer('cp');
  let page: Page;

  before(async () => {
    ({ page } = scene);
    await signInWithPassword(page, scene.platform);
    await onlySection(page, 'Environments');
    await unfoldPath(page, 'Environments', [
      'Saltmarsh Tea',
      'Application servers',
      'NGINX PHP',
      /^conf, \/etc\/nginx, shortcut/,
    ]);
    await openRow(rowIn(page, 'Environments', 'nginx.conf'));
    await editor(page).locator('.view-line').first().waitFor();
  });

  const disk = () => cp.onDisk('/etc/nginx/nginx.conf');
  const save = async (line: string): Promise<void> => {
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type(`${line}\n`);
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
  };
  const rows = () => page.locator('.quick-input-widget:visible .monaco-list-row');

  it('are kept after a question, listed with what followed them, compared, and restored', async () => {
    const original = await readFile(disk());

    await step('the first save asks, and so does the list of versions, which then shows the version', async () => {
      const text = /Keep earlier versions of the files/;
      await save('# one');
      const first = await (await notificationShown(page, text)).elementHandle();
      await picture(page, 'versions-question');
      await chooseInMenu(page, rowIn(page, 'Environments', 'nginx.conf'), 'Show Version History');
      // VS Code shows the same message only once.
      await first.waitForElementState('hidden');
      const question = await notificationShown(page, text);
      await question.getByRole('button', { name: 'Keep Versions', exact: true }).click();
      await rows().filter({ hasText: 'the text now' }).waitFor();
      await page.keyboard.press('Escape');
      await tidyUp(page, 'notifications.showList');
      await page.locator('.notifications-center').waitFor();
      assert.equal(await question.count(), 0);
    });

    await step('the second save does not ask', async () => {
      await save('# two');
      await chooseInMenu(page, rowIn(page, 'Environments', 'nginx.conf'), 'Show Version History');
      await rows().filter({ hasText: 'saved' }).nth(1).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await notification(page, /Keep earlier versions of the files/).count(), 0);
    });

    await step('the service restarts from the menu of the editor title, and the file is saved again', async () => {
      await page.locator('.editor-actions').getByLabel('More Actions...', { exact: true }).click();
      await pressMenuItem(page, /^Restart Service…$/);
      await pick(page, 'NGINX PHP');
      await dialogButton(page, 'Restart').click();
      await notificationShown(page, /Restarted the service on NGINX PHP .+ Restarting nginxphp: done\./);
      await picture(page, 'restarted');
      await tidyUp(page, 'notifications.clearAll');
      await save('# three');
    });

    await step("the list, opened from the menu of the file's row, compares a version with the file", async () => {
      await chooseInMenu(page, rowIn(page, 'Environments', 'nginx.conf'), 'Show Version History');
      await rows().filter({ hasText: 'then restarted' }).waitFor();
      // The newest one is what the editor shows.
      await rows().filter({ hasText: 'the text now' }).waitFor();
      assert.equal(await rows().count(), 4);
      await picture(page, 'versions-list');
      await rows().last().click();
      await editorTab(page, /nginx\.conf: .+ ↔ Current/).waitFor();
      await sidesShow(page, { original: /user|worker/, modified: /three/ });
      await picture(page, 'versions-compare');
      await page.locator('.editor-actions').getByLabel('Restore This Version', { exact: true }).click();
      await dialogButton(page, 'Cancel').click();
      await runCommand(page, 'View: Close Editor');
      await editor(page).locator('.view-line').filter({ hasText: /three/ }).first().waitFor();
    });

    await step(
      'one of its buttons compares without closing it, and the other one restores the version exactly',
      async () => {
        await page.locator('.editor-actions').getByLabel('More Actions...', { exact: true }).click();
        await pressMenuItem(page, /^Show Version History$/);
        await rows().last().hover();
        await rows().last().getByRole('button', { name: 'Compare with Current' }).click();
        await editorTab(page, /nginx\.conf: .+ ↔ Current/).waitFor();
        assert.equal(await rows().count(), 4);
        await picture(page, 'versions-restore');
        await rows().last().hover();
        await rows().last().getByRole('button', { name: 'Restore', exact: true }).click();
        await notificationShown(page, /Restored nginx\.conf on node \d+ to what it was before .+\./);
        await picture(page, 'versions-restored');
        assert.deepEqual(await readFile(disk()), original);
      },
    );

    await step('the node restarts from the menu of its row, so that the restored version takes effect', async () => {
      await tidyUp(page, 'notifications.clearAll');
      await chooseInMenu(page, rowIn(page, 'Environments', 'NGINX PHP'), 'Restart Service…');
      await dialogButton(page, 'Restart').click();
      await notificationShown(page, /Restarted the service on NGINX PHP .+ Restarting nginxphp: done\./);
    });

    await step('the restart and the way back are still offered after the window is reloaded', async () => {
      await tidyUp(page, 'notifications.clearAll');
      await editorTab(page, /^nginx\.conf/)
        .first()
        .click();
      await save('# four');
      await waitForStoredSignIn(page);
      await page.reload();
      const failing = scene.platform.faults.add({
        operation: 'RestartServices',
        fault: { kind: 'failNode', nodeId: cp.nodeId(), error: 'unexpected }' },
      });
      await page.locator('.statusbar-item').getByText('Restart Service…').click();
      await pick(page, 'NGINX PHP');
      await dialogButton(page, 'Restart').click();
      const failure = await notificationShown(page, /unexpected }/);
      await picture(page, 'restart-failed-after-reload');
      await failure.getByRole('button', { name: 'Undo Saves and Restart', exact: true }).click();
      await rows().filter({ hasText: 'nginx.conf' }).waitFor();
      assert.equal(await rows().count(), 1);
      await page.keyboard.press('Escape');
      failing.remove();
    });
  });
});
