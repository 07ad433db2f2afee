import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { clickRow, editor, notificationShown, openContainer, quickInput } from '../host/vscode/workbench';
import { LocalClone } from '../integration/support/localClone';
import { credentials, VcsSetUp, webroot } from '../unit/localPlatform/vcsSetUp';
import { closePrompts } from './support/closeEverything';
import { dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { chooseInMenu, openSubmenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { foldSection, pictureInThemes, pressInline, rowIn, unfoldPath, unfoldSection } from './support/sections';
import { signInWithPassword } from './support/signIn';

const text = { base: 'a\nb\nc\nd\ne\n', local: 'a\nb\nc\nd\nE\n', merged: 'on the node\na\nb\nc\nd\nE\n' };

describe('edits on nodes in the window', () => {
  let setUp: VcsSetUp;
  let folder: string;
  let clone: LocalClone;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    setUp = await VcsSetUp.start();
    await setUp.repository.commit({ message: 'Both', files: { 'both.txt': text.base } });
    await setUp.create({ updateNow: true, autoResolveConflict: true });
    folder = await mkdtemp(join(tmpdir(), 'gantry-edits-'));
    clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    gantry = await openGantry({
      workspace: clone.folder,
      settings: { 'gantry.platforms': [setUp.platform.origin], 'gantry.versionHistory.keep': 'off' },
    });
    page = gantry.page;
    await signInWithPassword(page, setUp.platform);
  });

  after(async () => {
    await gantry.close();
    await setUp.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const project = (label: string | RegExp) => rowIn(page, 'Deployments', label);
  const onNode = (path: string) => setUp.file(`${webroot}/ROOT/${path}`);
  const marks = (of: string | RegExp) =>
    row(of).locator('.monaco-icon-label[aria-label*="on the node since the last redeploy"]');
  const gutter = () => page.locator('.editor-instance .margin .dirty-diff-glyph');
  const scmRow = (label: string | RegExp) => page.locator('.scm-view').getByRole('treeitem', { name: label }).first();
  const entry = () => page.locator('.scm-view').getByText('Edited on Nodes');
  const group = () => scmRow(/ROOT on Saltmarsh Tea/);

  it('offers to compare deployed files, and lists nothing before the first edit', async () => {
    await project(/^ROOT, .*up to date/).waitFor();
    await foldSection(page, 'Deployments');
    const node = new RegExp(`^nginxphp\\W+${setUp.nodeId(0)}`);
    await unfoldPath(page, 'Environments', [/^Saltmarsh Tea/, /^nginxphp/, node, /^var/, /^www/, /^webroot/, /^ROOT/]);
    await openRow(row(/^both\.txt/));
    await editor(page).locator('.view-line').filter({ hasText: 'a' }).first().waitFor();
    await clickRow(row(/^both\.txt/), { button: 'right' });
    await openSubmenu(page, /^Compare$/);
    await page.getByRole('menuitem', { name: 'Compare with Deployed Version' }).waitFor();
    await picture(page, 'edits-menu');
    await closePrompts(page);
    await openContainer(page, 'Source Control');
    await page.locator('.scm-view').getByRole('treeitem').first().waitFor();
    // Nothing shows that there is nothing to come, so this is last.
    assert.deepEqual([await gutter().count(), await group().count(), await entry().count()], [0, 0, 0]);
  });

  it('marks what was edited in the tree, in the gutter, and in the Source Control view', async () => {
    await clone.write('both.txt', text.local);
    await openContainer(page, 'Gantry');
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type('on the node\n');
    await page.keyboard.press('ControlOrMeta+S');
    await gutter().first().waitFor();
    await marks(/^both\.txt/).waitFor();
    await chooseInMenu(page, row(/^ROOT, folder/), 'New File…');
    await quickInput(page).fill('new.txt');
    await page.keyboard.press('Enter');
    // Its tab is active before its editor, and keys that are pressed between them are lost.
    await page.locator('.monaco-editor[data-uri$="/new.txt"] .view-lines').click();
    await page.keyboard.type('new\n');
    await editor(page).locator('.view-line').filter({ hasText: 'new' }).waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await gutter().first().waitFor();
    await marks(/^new\.txt/).waitFor();
    await chooseInMenu(page, row(/^about\.php/), 'Delete');
    await dialogButton(page, 'Delete').click();
    await row(/^about\.php/).waitFor({ state: 'detached' });
    await openRow(row(/^index\.php/));
    await page.locator('.tab.active').filter({ hasText: 'index.php' }).waitFor();
    await editor(page).locator('.view-line').filter({ hasText: 'one' }).first().waitFor();
    await picture(page, 'edits-tree');
    assert.equal(await marks(/^index\.php/).count(), 0);
    await openContainer(page, 'Source Control');
    for (const name of [/^about\.php/, /^new\.txt/, /^both\.txt.*Edited/]) await scmRow(name).waitFor();
    const listed = page.locator('.scm-view').getByRole('treeitem', { name: /on the node since the last redeploy/ });
    await entry().first().waitFor();
    // The edits are compared and listed by now, and index.php is still in the editor.
    assert.deepEqual([await listed.count(), await gutter().count()], [3, 0]);
    await pictureInThemes(page, 'edits-list');
    await scmRow(/^about\.php/).click();
    await page
      .locator('.tab.active')
      .filter({ hasText: /about\.php \([0-9a-f]{7} ↔ On Node\)/ })
      .waitFor();
    await picture(page, 'edits-deleted');
    await scmRow(/^both\.txt.*Edited/).click();
    await page
      .locator('.tab.active')
      .filter({ hasText: /both\.txt \([0-9a-f]{7} ↔ On Node\)/ })
      .waitFor();
    await picture(page, 'edits-compare');
  });

  it('applies all of them to the clone, after which a redeploy would discard nothing', async () => {
    await openContainer(page, 'Gantry');
    await foldSection(page, 'Environments');
    await unfoldSection(page, 'Deployments');
    await chooseInMenu(page, project(/^ROOT, .*edited/), 'Apply Edits to Local Repository');
    await notificationShown(page, 'Applied 3 edits to tea. Commit and push them before the next redeploy.');
    await picture(page, 'edits-applied');
    assert.equal(await readFile(join(clone.folder, 'both.txt'), 'utf8'), text.merged);
    assert.equal(await readFile(join(clone.folder, 'new.txt'), 'utf8'), await readFile(onNode('new.txt'), 'utf8'));
    assert.ok(!existsSync(join(clone.folder, 'about.php')));
    await clone.git('add', '--all');
    await clone.git('commit', '--quiet', '--message', 'Edits from the node');
    await clone.git('push', '--quiet');
    await pressInline(project(/^ROOT/), 'Redeploy');
    await notificationShown(page, /Deployed [0-9a-f]{7} .*to ROOT on Saltmarsh Tea/);
    await project(/^ROOT, .*up to date/).waitFor();
    assert.equal(await readFile(onNode('both.txt'), 'utf8'), text.merged);
    assert.equal(await readFile(onNode('new.txt'), 'utf8'), 'new\n');
    assert.ok(!existsSync(onNode('about.php')));
    await openContainer(page, 'Source Control');
    await group().waitFor({ state: 'detached' });
    await entry().first().waitFor({ state: 'detached' });
    await picture(page, 'edits-gone');
  });
});
