import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { answer, clickRow, notificationShown, pick, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { callPlatform } from './support/callPlatform';
import { closeEverything } from './support/closeEverything';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import {
  onlySection,
  pictureMenus,
  pressInline,
  pressInTitle,
  rowIn,
  section,
  unfoldPath,
  unfoldRow,
  unfoldSection,
} from './support/sections';
import { signInWithPassword } from './support/signIn';

describe('mounts in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    gantry = await openGantry();
    page = gantry.page;
    const [database] = platform.nodes('shop', 'sqldb');
    assert.ok(database);
    const backups = join(platform.nodeFolder(database.id), 'var/lib/backup');
    await mkdir(backups, { recursive: true });
    await writeFile(join(backups, 'monday.sql'), 'select 1;\n');
    await signInWithPassword(page, platform);
  });

  beforeEach(async () => {
    for (const { id } of platform.nodes('shop', 'cp')) {
      const { array } = await callPlatform(platform, 'GetMountPoints', { envName: 'shop', nodeId: id });
      for (const { path } of array) {
        await callPlatform(platform, 'RemoveMountPointById', { envName: 'shop', nodeId: id, path });
      }
    }
    await unfoldSection(page, 'Mounts');
    await onlySection(page, 'Mounts');
    await unfoldPath(page, 'Mounts', ['Saltmarsh Tea', 'Application servers', 'Database']);
    // Unfolding also lists exports, and the refresh waits for a listing of its own.
    await row(/^(No mount points or exports|\/var\/lib\/backup)/).waitFor();
    await refresh();
    await row(/^Application servers\W+no mount points/).waitFor();
    platform.journal.reset();
  });

  afterEach(async () => {
    platform.faults.clear();
    await closeEverything(page);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Mounts', label);
  const choice = (text: string | RegExp) =>
    page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
  const sent = (operation: string) => platform.journal.entries.filter((entry) => entry.operation === operation);

  /** Reloads the view. The exports are its last request. A menu opened earlier would be of a row that goes away. */
  const refresh = async () => {
    const listed = platform.journal.next(({ operation }) => operation === 'GetExportedList');
    await pressInTitle(page, 'Mounts', 'Refresh Mounts');
    await listed;
  };

  /** Mounts the database's backups on each application server, without using the window. */
  const mountBackups = async () => {
    await callPlatform(platform, 'AddMountPointByGroup', {
      envName: 'shop',
      nodeGroup: 'cp',
      path: '/mnt/backup',
      protocol: 'NFS4',
      readOnly: true,
      sourceNodeId: platform.nodes('shop', 'sqldb')[0]?.id ?? 0,
      sourcePath: '/var/lib/backup',
    });
    await refresh();
    await row(/^\/mnt\/backup, NFS4/).waitFor();
  };

  it('are added to a layer in short steps with the mouse', async () => {
    await pressInline(row('Application servers'), 'Add Mount Point…');
    await choice('etc').waitFor();
    await picture(page, 'mounts-path');
    await choice('var').click();
    await choice('www').click();
    await choice('webroot').waitFor();
    await quickInput(page).fill('/var/www/backup');
    await choice('Use new folder').click();
    await choice('MySQL 8.4').waitFor();
    await picture(page, 'mounts-source');
    await pick(page, 'MySQL 8.4');
    await choice('var').click();
    await choice('lib').click();
    await choice('backup').click();
    await choice('Use this folder').click();
    await choice('NFS4 · Read-only').waitFor();
    await picture(page, 'mounts-protocol');
    await pick(page, 'NFS4 · Read-only');
    const made = platform.journal.next(({ operation }) => operation === 'AddMountPointByGroup');
    await picture(page, 'mounts-name');
    await answer(page, 'Name for the mount point', '');
    const summary = dialog(page).filter({ hasText: 'Mount at /var/www/backup?' });
    await summary.getByText(/On Saltmarsh Tea · Application servers \(2 nodes\)/).waitFor();
    await picture(page, 'mounts-summary');
    await dialogButton(page, 'Mount').click();
    const { parameters } = await made;
    assert.equal(parameters['path'], '/var/www/backup');
    assert.equal(parameters['sourceAddressType'], 'IP');
    assert.equal(sent('CheckCrossMount').length, 2);
    await unfoldRow(page, 'Mounts', /^\/var\/www\/backup, NFS4 · read-only/);
    await row('monday.sql').waitFor();
    await picture(page, 'mounts-made');
  });

  itNightly("can't be placed on the root while the user chooses a path", async () => {
    await pressInline(row('Application servers'), 'Add Mount Point…');
    await choice('etc').waitFor();
    assert.equal(await choice('Use this folder').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('open their data in the Environments view', async () => {
    await mountBackups();
    await pressInline(row(/^\/mnt\/backup/), 'Reveal in Environments View');
    await section(page, 'Environments')
      .locator('.monaco-list:focus-within .monaco-list-row.focused')
      .filter({ hasText: 'backup' })
      .waitFor();
  });

  itNightly('in the opposite direction cause a warning before anything changes, with the keyboard alone', async () => {
    await mountBackups();
    await runCommand(page, 'Gantry: Add Mount Point…');
    await choice('MySQL 8.4').waitFor();
    await page.keyboard.type('MySQL');
    await page.keyboard.press('Enter');
    await choice('etc').waitFor();
    // Enter would come before the list is filtered.
    await page.keyboard.type('mnt/web');
    await page.keyboard.press('Enter');
    await choice('Another host').waitFor();
    await page.keyboard.type('NGINX PHP');
    await page.keyboard.press('Enter');
    await choice('etc').waitFor();
    await page.keyboard.type('var/www/webroot/');
    await choice('ROOT').waitFor();
    await page.keyboard.press('Enter');
    await choice('NFS4 · Read-only').waitFor();
    await page.keyboard.press('Enter');
    await answer(page, 'Name for the mount point', 'web');
    await page.locator('.monaco-dialog-box').getByText('Mount at /mnt/web?').waitFor();
    await picture(page, 'mounts-warning');
    await dialogButton(page, 'Cancel').click();
    assert.equal(sent('AddMountPointById').length, 0);
  });

  it('are shown as exports of the other node, with their clients', async () => {
    await mountBackups();
    await unfoldRow(page, 'Mounts', /^\/var\/lib\/backup, exported to 2 nodes/);
    await picture(page, 'mounts-exports');
  });

  itIsPictured('in light, dark, and high contrast', async () => {
    await mountBackups();
    await pictureMenus(row(/^\/mnt\/backup/), { item: 'Unmount', name: 'mounts' });
  });

  it('are never taken for another row if the view reloads while a menu is open', async () => {
    await mountBackups();
    await clickRow(row(/^\/mnt\/backup/));
    const client = row(/NGINX PHP 8\.3 \(\d+\), \/mnt\/backup/);
    const held = platform.faults.add({ operation: 'GetMountPoints', times: 'always', fault: { kind: 'hang' } });
    await pressInTitle(page, 'Mounts', 'Refresh Mounts');
    await held.reached;
    await chooseInMenu(page, client, 'Stop Export…');
    await notificationShown(page, 'Nothing was done, because the view reloaded while its menu was open.');
    assert.equal(await dialog(page).count(), 0);
    held.remove();
    held.release();
  });

  itNightly('and exports are removed after a question that names who loses access to what', async () => {
    await mountBackups();
    await unfoldRow(page, 'Mounts', /^\/var\/lib\/backup, exported to 2 nodes/);
    await chooseInMenu(page, row(/NGINX PHP 8\.3 \(\d+\), \/mnt\/backup/), 'Stop Export…');
    await dialogButton(page, 'Stop Export').waitFor();
    await picture(page, 'mounts-stop-export');
    await dialogButton(page, 'Stop Export').click();
    await row(/exported to 1 node/).waitFor();

    const [, second] = platform.nodes('shop', 'cp');
    assert.ok(second);
    await unfoldRow(page, 'Mounts', new RegExp(`^NGINX PHP .*${second.id}`));
    await clickRow(row(/^\/mnt\/backup/));
    await page.keyboard.press('Delete');
    await dialogButton(page, 'Unmount').waitFor();
    await picture(page, 'mounts-unmount');
    const unmounted = platform.journal.next(({ operation }) => operation === 'RemoveMountPointById');
    await dialogButton(page, 'Unmount').click();
    await unmounted;
    await row(/^\/mnt\/backup/).waitFor({ state: 'detached' });
    for (const { id } of platform.nodes('shop', 'cp')) {
      assert.ok(existsSync(join(platform.nodeFolder(id), 'mnt/backup')), 'the folder stays');
    }
  });

  it('show a problem with its reason, and a click on it reloads them', async () => {
    const failing = platform.faults.add({
      operation: 'GetMountPoints',
      times: 'always',
      fault: { kind: 'refuse', result: 99, error: 'the storage does not answer' },
    });
    await pressInTitle(page, 'Mounts', 'Refresh Mounts');
    await row(/the storage does not answer/).waitFor();
    // The next request waits, so that the row stays until it is clicked.
    const held = platform.faults.add({ operation: 'GetMountPoints', times: 'always', fault: { kind: 'hang' } });
    failing.remove();
    await clickRow(row(/the storage does not answer/));
    await held.reached;
    held.remove();
    held.release();
    await row(/^NGINX PHP/).waitFor();
  });
});
