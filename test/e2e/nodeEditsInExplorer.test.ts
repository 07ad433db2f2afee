import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/storedAccount';
import { clickRow, editor, editorTab, notificationShown, openContainer, tidyUp } from '../host/vscode/workbench';
import { LocalClone } from '../integration/support/localClone';
import { credentials, VcsSetUp, webroot } from '../unit/localPlatform/vcsSetUp';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { chooseInMenu, chooseInSubmenu } from './support/menus';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { waitForStoredSignIn, signInWithPassword } from './support/signIn';

const names = ['apple', 'bean', 'cress', 'dill', 'elder'].map((name) => `${name}.txt`);

describe('edits on nodes in a window with a folder of the node', () => {
  let setUp: VcsSetUp;
  let folder: string;
  let clone: LocalClone;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    setUp = await VcsSetUp.start();
    const files = Object.fromEntries(names.map((name) => [name, `${name}\r\nüber\r\n`]));
    await setUp.repository.commit({ message: 'Plants', files });
    await setUp.create({ updateNow: true, autoResolveConflict: true });
    folder = await mkdtemp(join(tmpdir(), 'gantry-edits-'));
    clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    const { origin, sample } = setUp.platform;
    const account = makeSlug(sample.email, new URL(origin).host, []);
    const onNode = `gantry://${account}/shop/cp~${setUp.nodeId(0)}${webroot}/ROOT`;
    const folders = [{ uri: onNode, name: 'On node' }, { path: clone.folder }];
    const workspace = join(folder, 'both.code-workspace');
    await writeFile(workspace, JSON.stringify({ folders }));
    gantry = await openGantry({
      workspace,
      settings: { 'gantry.platforms': [origin], 'explorer.autoReveal': false },
    });
    page = gantry.page;
    await signInWithPassword(page, setUp.platform);
    await waitForStoredSignIn(page);
    // When VS Code in the browser opens a workspace file for the first time, it may lose the file's folders for good: they
    // arrive together with the answer that it has no copy of the file. From the second time on, it has that copy.
    await page.reload();
    await openContainer(page, 'Gantry');
    await rowIn(page, 'Deployments', /^ROOT, .*up to date/).waitFor();
  });

  afterEach(() => tidyUp(page, 'notifications.clearAll'));

  after(async () => {
    await gantry.close();
    await setUp.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const inExplorer = (name: string | RegExp) =>
    page.locator('.explorer-folders-view').getByRole('treeitem', { name }).first();
  const inTree = (name: string) => rowIn(page, 'Environments', new RegExp(`^${name}`));
  const edit = async (row: Locator, name: string) => {
    await openRow(row);
    await page.locator('.tab.active').filter({ hasText: name }).waitFor();
    await editor(page).locator('.view-line').filter({ hasText: 'über' }).waitFor();
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type('on the node ');
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').filter({ hasText: name }).waitFor();
  };
  const assertAtHome = async (...applied: readonly string[]) => {
    for (const name of applied) {
      const text = await readFile(join(clone.folder, name));
      assert.deepEqual(text, await readFile(setUp.file(`${webroot}/ROOT/${name}`)));
      assert.equal(text.toString(), `on the node ${name}\r\nüber\r\n`);
    }
  };

  it('are marked in the Explorer, where several are applied at once', async () => {
    const [one, other] = ['apple.txt', 'bean.txt'];
    await openContainer(page, 'Explorer');
    const local = inExplorer(/^tea/);
    await local.waitFor();
    if ((await local.getAttribute('aria-expanded')) === 'true') await clickRow(local);
    for (const name of [one, other]) {
      await edit(inExplorer(new RegExp(`^${name}`)), name);
      await inExplorer(new RegExp(`^${name}`))
        .locator('[aria-label*="on the node since the last redeploy"]')
        .waitFor();
    }
    await clickRow(inExplorer(/^apple\.txt/));
    await clickRow(inExplorer(/^bean\.txt/), { modifier: 'ControlOrMeta' });
    await picture(page, 'edits-explorer');
    await chooseInSubmenu(page, inExplorer(/^bean\.txt/), /^Compare$/, /^Apply to Local Repository/);
    await notificationShown(page, 'Applied 2 edits to tea.');
    await assertAtHome(one, other);
  });

  it('are compared and applied from a tab', async () => {
    await edit(inExplorer(/^cress\.txt/), 'cress.txt');
    const tab = editorTab(page, /^cress\.txt/);
    await chooseInSubmenu(page, tab, /^Compare$/, /^Compare with Deployed Version/);
    await page
      .locator('.tab.active')
      .filter({ hasText: /cress\.txt \([0-9a-f]{7} ↔ On Node\)/ })
      .waitFor();
    await chooseInSubmenu(page, tab, /^Compare$/, /^Apply to Local Repository/);
    await notificationShown(page, 'Applied cress.txt to tea.');
    await assertAtHome('cress.txt');
  });

  it('are applied from the Environments view, several at once', async () => {
    const [one, other] = ['dill.txt', 'elder.txt'];
    await openContainer(page, 'Gantry');
    await onlySection(page, 'Environments');
    const node = new RegExp(`^nginxphp\\W+${setUp.nodeId(0)}`);
    await unfoldPath(page, 'Environments', [/^Saltmarsh Tea/, /^nginxphp/, node, /^var/, /^www/, /^webroot/, /^ROOT/]);
    for (const name of [one, other]) await edit(inTree(name), name);
    await clickRow(inTree(one));
    await clickRow(inTree(other), { modifier: 'ControlOrMeta' });
    await chooseInMenu(page, inTree(other), 'Compare › Apply to Local Repository');
    await notificationShown(page, 'Applied 2 edits to tea.');
    await assertAtHome(one, other);
  });

  it("protect what a folder's settings name, although the window has several folders", async () => {
    await openContainer(page, 'Gantry');
    await onlySection(page, 'Environments');
    await rowIn(page, 'Environments', /^Saltmarsh Tea/).waitFor();
    await mkdir(join(clone.folder, '.vscode'));
    const settings = JSON.stringify({ 'gantry.protectedEnvironments': ['shop'] });
    await writeFile(join(clone.folder, '.vscode/settings.json'), settings);
    await rowIn(page, 'Environments', /^Saltmarsh Tea\W+production/).waitFor();
  });
});
