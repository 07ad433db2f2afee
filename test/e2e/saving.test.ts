import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { openWindow } from '../host/vscode/openWindow';
import {
  editor,
  editorTab,
  notificationShown,
  pick,
  refusesTyping,
  runCommand,
  tidyUp,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { sidesShow } from './support/comparing';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { pressMenuItem } from './support/menus';
import { narrowTokens } from './support/narrowTokens';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, pressInTitle, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';

describe('a configuration file in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let nodes: readonly number[];

  before(async () => {
    platform = await startPlatform();
    nodes = platform.nodes('shop', 'cp').map(({ id }) => id);
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
    await onlySection(page, 'Environments');
    await unfoldFiles();
    await openRow(row('nginx.conf'));
    await editor(page).locator('.view-line').first().waitFor();
  });

  afterEach(() => platform.faults.clear());

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);

  async function unfoldFiles(): Promise<void> {
    await unfoldPath(page, 'Environments', [
      'Saltmarsh Tea',
      'Application servers',
      'NGINX PHP',
      /^conf, \/etc\/nginx, shortcut/,
    ]);
  }

  const disk = (node = 0) => join(platform.nodeFolder(nodes[node] ?? 0), 'etc/nginx/nginx.conf');
  const text = (node = 0) => readFile(disk(node), 'utf8');
  const clean = () => page.locator('.tab.active:not(.dirty)').waitFor();
  const dirty = () => page.locator('.tab.active.dirty').waitFor();
  const save = () => page.keyboard.press('ControlOrMeta+S');

  async function typeAtTop(line: string): Promise<void> {
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type(`${line}\n`);
    await dirty();
  }

  /** Closes the active editor once it is active. */
  async function closeTab(name: RegExp): Promise<void> {
    const tab = page.locator('.tab.active').filter({ hasText: name });
    await tab.waitFor();
    await runCommand(page, 'View: Close Editor');
    await tab.waitFor({ state: 'detached' });
  }

  async function revert(): Promise<void> {
    await runCommand(page, 'File: Revert File');
    await clean();
  }

  async function closeNotifications(): Promise<void> {
    await tidyUp(page, 'notifications.clearAll');
    await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
  }

  const titleButton = (label: string) =>
    page.locator('.tabs-and-actions-container .editor-actions').getByLabel(label, { exact: true });

  it('has a conflict if someone changed it to text of the same length: compare, merge, save', async () => {
    await typeAtTop('# mine');
    await writeFile(disk(), (await text()).replace('worker_processes auto;', 'worker_processes four;'));
    await save();
    await dialog(page)
      .filter({ hasText: /has changed on node \d+/ })
      .waitFor();
    await picture(page, 'save-conflict');
    await dialogButton(page, 'Compare').click();
    await editorTab(page, /Yours/).waitFor();
    await sidesShow(page, { original: /worker_processes\s+four/, modified: /worker_processes\s+auto/ });
    await picture(page, 'save-compare');
    await closeTab(/Yours/);

    await save();
    await dialogButton(page, 'Merge').click();
    await notificationShown(page, /Merged .+\. Review it/);
    await editorTab(page, /Merged/).waitFor();
    await sidesShow(page, { original: /worker_processes\s+four/, modified: /worker_processes\s+four/ });
    await picture(page, 'save-merged');
    assert.match(await text(), /worker_processes four/);
    assert.doesNotMatch(await text(), /# mine/);
    await page.locator('.modified-in-monaco-diff-editor .view-line').first().click();
    await save();
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    assert.ok((await text()).startsWith('# mine\n'));
    assert.match(await text(), /worker_processes four/);
    await closeTab(/Merged/);
    await closeNotifications();
  });

  it('has a conflict on the same line: both versions are in the editor, with buttons and keys to accept them', async () => {
    await typeAtTop('# line of mine');
    await writeFile(disk(), `# line of theirs\n${await text()}`);
    await save();
    await dialogButton(page, 'Merge').click();
    await page.getByText('Accept Incoming Change', { exact: false }).first().waitFor();
    await picture(page, 'save-merge-conflict');
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.press('3');
    await page.getByText('Accept Incoming Change', { exact: false }).first().waitFor({ state: 'detached' });
    await save();
    await clean();
    assert.ok((await text()).startsWith('# line of mine\n# line of theirs\n'));
    await closeNotifications();
  });

  it('is saved to the other nodes with one click after it was saved on one', async () => {
    await typeAtTop('# everywhere');
    await save();
    const hint = page.locator('.statusbar-item').filter({ hasText: '1 of 2 nodes' });
    await hint.waitFor();
    await picture(page, 'saved-on-one-node');
    assert.doesNotMatch(await text(1), /# everywhere/);
    await runCommand(page, 'File: New Untitled Text File');
    await hint.waitFor({ state: 'detached' });
    await closeTab(/Untitled/);
    await hint.waitFor();
    await typeAtTop('# and more');
    await hint.waitFor({ state: 'detached' });
    await save();
    await hint.waitFor();
    await hint.click();
    await page.locator('.statusbar-item').filter({ hasText: 'Saved on all nodes' }).waitFor();
    await hint.waitFor({ state: 'detached' });
    assert.equal(await text(1), await text());
    await closeNotifications();
  });

  it('takes effect with a restart, offered after a save, which says why nginx rejects it and restores the version before', async () => {
    const restart = async (line: string) => {
      await typeAtTop(line);
      await save();
      await clean();
      await page
        .locator('.statusbar-item')
        .filter({ hasText: /^\s*Restart Service…$/ })
        .click();
      await pick(page, 'NGINX PHP');
      await picture(page, 'restart-question');
      await dialogButton(page, 'Restart').click();
    };
    await restart('# works');
    await notificationShown(page, /Restarted the service on NGINX PHP 8\.3 \(\d+\)\./);
    await picture(page, 'restarted');
    await closeNotifications();
    const working = await text();
    await restart('server {');
    const failure = await notificationShown(
      page,
      /Couldn't restart the service on NGINX PHP .+unexpected end of file.+nginx\.conf:\d+\. It might not be running: fix the cause, then try again\./,
    );
    await picture(page, 'restart-failed');
    assert.match(await text(), /^server \{/);
    await failure.getByRole('button', { name: 'Undo Saves and Restart' }).click();
    const saves = page.locator('.quick-input-widget:visible');
    await saves
      .getByText(/saved just now/)
      .first()
      .waitFor();
    await picture(page, 'restart-undo');
    await saves.getByRole('button', { name: 'OK' }).click();
    await notificationShown(page, /Undid your saves to nginx\.conf\. Restarted the service on .+\./);
    await picture(page, 'restart-restored');
    assert.equal(await text(), working);
    await page.locator('.view-line').filter({ hasText: '# works' }).first().waitFor();
    await clean();
    await closeNotifications();
  });

  it('is saved to all nodes after a question about the node that differs', async () => {
    await typeAtTop('# for all');
    await writeFile(disk(1), '# only here\n');
    await titleButton('Save to All Nodes').click();
    await dialog(page)
      .filter({ hasText: `Overwrite nginx.conf on node ${nodes[1]}?` })
      .waitFor();
    await picture(page, 'save-layer-conflict');
    assert.equal(await text(1), '# only here\n');
    assert.doesNotMatch(await text(), /# for all/);
    await dialogButton(page, 'Overwrite').click();
    await page.locator('.statusbar-item').filter({ hasText: 'Saved on all nodes' }).waitFor();
    await clean();
    assert.ok((await text()).startsWith('# for all\n'));
    assert.equal(await text(1), await text());
    await closeNotifications();
  });

  it('offers every way to resolve a conflict on a long path: in the error, the editor title, and the palette', async () => {
    const folder = join(disk(), '..', `long-${'f'.repeat(120)}`);
    const file = join(folder, `long-${'n'.repeat(120)}.conf`);
    await mkdir(folder);
    await writeFile(file, 'old\n');
    await pressInTitle(page, 'Environments', 'Refresh Environments');
    await row(/^long-f+/).click();
    await openRow(row(/^long-n+/));
    await page
      .locator('.tab.active')
      .filter({ hasText: /long-n+/ })
      .waitFor();
    await typeAtTop('# mine');
    await writeFile(file, 'theirs\n');
    await save();
    await dialogButton(page, 'Cancel').click();
    const failure = await notificationShown(page, /has changed on/);
    await picture(page, 'save-conflict-long-path');
    for (const label of ['Compare', 'Merge', 'Overwrite', 'Save As…']) {
      await failure.locator('a').getByText(label, { exact: true }).waitFor();
    }
    await closeNotifications();

    await page.locator('.tabs-and-actions-container').getByLabel('Resolve Save Conflict').click();
    await pressMenuItem(page, /^Compare with Server Version/);
    await editorTab(page, /Yours/).waitFor();
    await titleButton('Accept Server Version').waitFor();
    await picture(page, 'save-conflict-title');
    await titleButton('Overwrite Server Version').click();
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    await closeTab(/Yours/);
    assert.equal(await readFile(file, 'utf8'), '# mine\nold\n');
    await page
      .locator('.tabs-and-actions-container')
      .getByLabel('Resolve Save Conflict')
      .waitFor({ state: 'detached' });
    await runCommand(page, 'View: Close Editor');
    await editorTab(page, 'nginx.conf').click();
  });

  it('is restored with unsaved text after a restart, and a change in the meantime is a conflict', async () => {
    await openRow(row('mime.types'));
    await editorTab(page, /mime\.types/).waitFor();
    await typeAtTop('# before the restart');
    await backedUp();
    await writeFile(join(platform.nodeFolder(nodes[0] ?? 0), 'etc/nginx/mime.types'), '# meanwhile\n');
    // As a user does it, so that VS Code stores which tabs are open.
    const closed = page.waitForEvent('close');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.close({ runBeforeUnload: true });
    await closed;
    await gantry.vscode.restart();
    const { context } = gantry.window;
    const again = await openWindow(gantry.vscode, { context });
    page = again.page;
    // VS Code doesn't always restore the active tab after such an end.
    await page.locator('.tab.dirty').filter({ hasText: 'mime.types' }).click();
    await editor(page).getByText('# before the restart').first().waitFor();
    await picture(page, 'restored');
    await save();
    await dialogButton(page, 'Overwrite').waitFor();
    assert.equal(
      await readFile(join(platform.nodeFolder(nodes[0] ?? 0), 'etc/nginx/mime.types'), 'utf8'),
      '# meanwhile\n',
    );
    await picture(page, 'restored-conflict');
    await dialogButton(page, 'Overwrite').click();
    await clean();
    await closeNotifications();
  });

  it('is read-only with a reason while the token lacks Write', async () => {
    await unfoldFiles();
    await openRow(row('nginx.conf'));
    await page.locator('.tab.active').filter({ hasText: 'nginx.conf' }).waitFor();
    const giveBack = await narrowTokens(platform, 'environment.file.Write');
    await typeAtTop('# not permitted');
    await save();
    await notificationShown(page, /Failed to save/);
    await picture(page, 'save-not-permitted');
    await revert();
    await closeNotifications();
    await closeTab(/nginx\.conf/);
    await openRow(row('nginx.conf'));
    await editorTab(page, /nginx\.conf/).waitFor();
    await refusesTyping(page, /token doesn't permit/);
    await picture(page, 'read-only');

    await giveBack();
    await pressInTitle(page, 'Environments', 'Refresh Environments');
    await page.locator('.statusbar-item .codicon-bracket-dot').waitFor({ state: 'detached' });
    await page.locator('.tab.active [aria-label$="Read-only"]').waitFor({ state: 'detached' });
    await typeAtTop('# permitted again');
    await save();
    await clean();
    assert.ok((await text()).startsWith('# permitted again\n'));
  });

  /** VS Code keeps unsaved text on disk a moment after typing; nothing in the window tells when, but its folder does. */
  async function backedUp(): Promise<void> {
    const folder = join(gantry.vscode.stateFolder, 'user');
    const isBackedUp = async () =>
      (await readdir(folder, { recursive: true })).some((file) => /Backups.*[/\\]gantry[/\\]/.test(file));
    const watcher = watch(folder, { recursive: true });
    try {
      await new Promise<void>((resolve, reject) => {
        const check = () => void isBackedUp().then((isThere) => isThere && resolve(), reject);
        watcher.on('change', check);
        check();
      });
    } finally {
      watcher.close();
    }
  }
});
