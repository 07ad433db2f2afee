import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editor, editorTab, notificationShown, runCommand, tidyUp } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { sidesShow } from './support/comparing';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';
import { step } from './support/step';

describe('a person who tunes nginx on two nodes, from the sign-in to the last check', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    await mkdir(onNode(0, 'var/log/nginx'), { recursive: true });
    await appendFile(visits(), '10.0.0.8 - - "GET / HTTP/1.1" 200 4312\n');
    gantry = await openGantry({ settings: { 'gantry.versionHistory.keep': 'ask' } });
    page = gantry.page;
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const nodes = () => platform.nodes('shop', 'cp').map(({ id }) => id);
  const onNode = (index: number, path: string) => join(platform.nodeFolder(nodes()[index] ?? 0), path);
  const visits = () => onNode(0, 'var/log/nginx/access.log');
  const configuration = (index: number) => readFile(onNode(index, 'etc/nginx/nginx.conf'), 'utf8');
  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const status = (text: string | RegExp) => page.locator('.statusbar-item').filter({ hasText: text }).first();
  const line = (text: RegExp) => editor(page).locator('.view-line').filter({ hasText: text }).first();
  const inLayer = ['Saltmarsh Tea', 'Application servers'];
  const restarts = () => platform.journal.entries.filter(({ operation }) => operation === 'RestartServices').length;

  /** Replaces a line of the open file, and saves it. */
  async function changeLine(from: RegExp, to: string): Promise<void> {
    await line(from).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type(to);
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
  }

  async function saveToAllNodes(): Promise<void> {
    await status('1 of 2 nodes').click();
    while ((await configuration(0)) !== (await configuration(1))) await platform.journal.next();
    await status('Saved on all nodes').waitFor();
  }

  /** Both nodes, because both have what was saved. */
  async function restartBoth(): Promise<void> {
    await status(/^\s*Restart Service…$/).click();
    const suggested = page.locator('.quick-input-list .monaco-list-row.focused');
    await suggested.filter({ hasText: 'Application servers' }).first().waitFor();
    await page.keyboard.press('Enter');
    await dialog(page)
      .getByText(/Restart the service on .*Application servers in Saltmarsh Tea\?/)
      .waitFor();
    await dialogButton(page, 'Restart').click();
  }

  it('changes, saves, restarts, watches the log, breaks it, goes back, and changes a variable without leaving the window', async () => {
    await step('signs in and opens the configuration of a node', async () => {
      await signInWithPassword(page, platform);
      await onlySection(page, 'Environments');
      await unfoldPath(page, 'Environments', [...inLayer, 'NGINX PHP', /^conf, \/etc\/nginx, shortcut/]);
      await openRow(row('nginx.conf'));
      await line(/worker_processes/).waitFor();
      await picture(page, 'tune-1-opened');
    });

    await step('changes a value and saves it on both nodes', async () => {
      await changeLine(/worker_processes/, 'worker_processes 4;');
      const question = await notificationShown(page, /Keep earlier versions of the files/);
      await question.getByRole('button', { name: 'Keep Versions', exact: true }).click();
      assert.match(await configuration(0), /worker_processes 4;/);
      assert.doesNotMatch(await configuration(1), /worker_processes 4;/);
      const places = ['1 of 2 nodes', 'Restart Service…'].map(async (text) => {
        await status(text).waitFor();
        return (await status(text).boundingBox())?.x ?? 0;
      });
      const fromLeft = await Promise.all(places);
      assert.deepEqual(
        fromLeft,
        [...fromLeft].sort((a, b) => a - b),
      );
      await saveToAllNodes();
      assert.match(await configuration(1), /worker_processes 4;/);
      await picture(page, 'tune-2-saved');
    });

    await step('restarts both nodes, one after the other', async () => {
      await restartBoth();
      await notificationShown(page, /Restarted the service on .*Application servers\..* done/);
      await picture(page, 'tune-3-restarted');
      assert.equal(restarts(), 2);
      await tidyUp(page, 'notifications.clearAll');
    });

    await step('follows the log of visits', async () => {
      await unfoldPath(page, 'Environments', [/^Logs/, /^nginx, folder/]);
      await openRow(row(/^access\.log/));
      await status(/Following/).waitFor();
      await appendFile(visits(), '10.0.0.9 - - "GET /oolong HTTP/1.1" 200 812\n');
      await line(/oolong/).waitFor();
      await picture(page, 'tune-4-visits');
      await runCommand(page, 'View: Close Editor');
    });

    const working = [await configuration(0), await configuration(1)];
    await step("saves a mistake on both nodes, and reads in the words of nginx why it doesn't start", async () => {
      await editorTab(page, 'nginx.conf').click();
      await changeLine(/worker_processes/, 'worker_processes 8');
      await saveToAllNodes();
      await restartBoth();
      const failure = await notificationShown(page, /Couldn't restart the service on NGINX PHP/);
      await picture(page, 'tune-5-failed');
      assert.equal(restarts(), 3, 'the second node keeps running');
      await failure.getByRole('button', { name: 'Show Log', exact: true }).click();
      await editorTab(page, /error\.log/).waitFor();
      await line(/\[emerg\]/).waitFor();
      await picture(page, 'tune-6-log');
    });

    await step('opens the line that nginx names', async () => {
      const failure = await notificationShown(page, /Couldn't restart the service on NGINX PHP/);
      const open = failure.getByRole('button', { name: /^Open nginx\.conf:\d+$/ });
      const named = /:(\d+)/.exec((await open.textContent()) ?? '')?.[1] ?? '';
      await open.click();
      await status(new RegExp(`Ln ${named}, Col 1`)).waitFor();
      await picture(page, 'tune-6-line');
    });

    await step('restores what both nodes had, and restarts them', async () => {
      const failure = await notificationShown(page, /Couldn't restart the service on NGINX PHP/);
      await failure.getByRole('button', { name: 'Undo Saves and Restart', exact: true }).click();
      await page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
      await notificationShown(page, /Undid your saves to nginx\.conf\. Restarted the service on .+\./);
      await picture(page, 'tune-7-restored');
      assert.deepEqual([await configuration(0), await configuration(1)], working);
      await tidyUp(page, 'notifications.clearAll');
    });

    await step('compares with what it was at first', async () => {
      await editorTab(page, 'nginx.conf').click();
      await runCommand(page, 'Gantry: Show Version History');
      await page.locator('.quick-input-widget:visible .monaco-list-row').last().click();
      await sidesShow(page, { original: /worker_processes\s+auto/, modified: /worker_processes\s+4/ });
      await picture(page, 'tune-8-compared');
      await runCommand(page, 'View: Close Editor');
    });

    await step('adds a variable for both nodes, which takes effect with a restart', async () => {
      await chooseInMenu(page, row(/^Application servers/), 'Edit Variables');
      await editorTab(page, /^Variables of /).waitFor();
      await editor(page).locator('.view-line').last().click();
      await page.keyboard.press(keys.bottom);
      await page.keyboard.type('\nKEEPALIVE=65');
      await page.keyboard.press('ControlOrMeta+S');
      await dialog(page).getByText('Add: KEEPALIVE').waitFor();
      await picture(page, 'tune-9-variables');
      await dialogButton(page, 'Save Variables').click();
      const saved = await notificationShown(page, /Saved the variables of .+ take effect when the service restarts\./);
      await saved.getByRole('button', { name: 'Restart Service…', exact: true }).click();
      await dialogButton(page, 'Restart').click();
      await notificationShown(page, /Restarted the service on .*Application servers\..* done/);
      await picture(page, 'tune-10-effective');
      assert.deepEqual(
        platform.nodes('shop', 'cp').map(({ effectiveVariables }) => effectiveVariables?.['KEEPALIVE']),
        ['65', '65'],
      );
    });
  });
});
