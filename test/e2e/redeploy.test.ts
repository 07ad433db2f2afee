import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import {
  clickRow,
  editor,
  notificationShown,
  openContainer,
  pick,
  pressInNotification,
  quickInput,
  runCommand,
} from '../host/vscode/workbench';
import { LocalClone } from '../integration/support/localClone';
import { vendorDeployments } from '../localPlatform/behaviour';
import { credentials, VcsSetUp, webroot } from '../unit/localPlatform/vcsSetUp';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { dialog, dialogButton } from './support/dialogs';
import { accept, keys } from './support/keyboard';
import { chooseLocalPath } from './support/localFiles';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import {
  foldSection,
  narrowSideBar,
  pictureInThemes,
  pressInline,
  pressInTitle,
  rowIn,
  unfoldRow,
  unfoldSection,
} from './support/sections';
import { answerWithPassword, signInButton } from './support/signIn';

describe('redeploying in the window', () => {
  let setUp: VcsSetUp;
  let folder: string;
  let clone: LocalClone;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    setUp = await VcsSetUp.start();
    await setUp.create({ updateNow: true, autoResolveConflict: true });
    const task = { type: 'gantry', label: 'redeploy the shop', environment: 'shop' };
    await setUp.repository.commit({
      message: 'A task',
      files: { '.vscode/tasks.json': JSON.stringify({ version: '2.0.0', tasks: [task] }) },
    });
    await setUp.update();
    folder = await mkdtemp(join(tmpdir(), 'gantry-redeploy-'));
    clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    gantry = await openGantry({
      workspace: clone.folder,
      settings: {
        'gantry.platforms': [setUp.platform.origin],
        'files.simpleDialog.enable': true,
        'gantry.redeploy.confirm': 'always',
      },
    });
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await signInButton(page).click();
    await answerWithPassword(page, setUp.platform);
  });

  after(async () => {
    await gantry.close();
    await setUp.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const row = (label: string | RegExp) => rowIn(page, 'Deployments', label);
  const statusBarItem = (text: string | RegExp) =>
    page.locator('.statusbar-item').filter({ hasText: 'ROOT on Saltmarsh Tea' }).filter({ hasText: text }).first();
  it('shows what is deployed, in the view and in the status bar', async () => {
    const project = row(/^ROOT/);
    await project.waitFor();
    await statusBarItem('up to date').waitFor();
    await project.click();
    await row(/^On conflict/).waitFor();
    await picture(page, 'deployments');
  });

  it('pushes and redeploys from the Git view', async () => {
    const commit = await clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await openContainer(page, 'Source Control');
    const redeploy = page.locator('.sidebar').getByRole('button', { name: 'Redeploy' }).first();
    await redeploy.waitFor();
    await redeploy.click();
    await page.locator('.quick-input-widget').filter({ hasText: "One commit on master isn't pushed" }).waitFor();
    await picture(page, 'redeploy-push');
    await pick(page, 'Push and Redeploy');
    await notificationShown(page, `Deployed ${commit.slice(0, 7)} “Darker tea” to ROOT on Saltmarsh Tea (was `);
    await picture(page, 'redeployed');
    assert.equal(await setUp.read(`${webroot}/ROOT/index.php`, { node: 1 }), 'dark\n');
    await pressInNotification(page, /Deployed [0-9a-f]{7}/, 'Show Changes');
    await page.locator('.view-line').filter({ hasText: 'dark' }).first().waitFor();
    await picture(page, 'deployed-changes');
    await runCommand(page, 'View: Close All Editors');
    await openContainer(page, 'Gantry');
    await chooseInMenu(page, row(/^ROOT/), 'Show Last Redeploy');
    await page.locator('.view-line').filter({ hasText: 'Darker tea' }).first().waitFor();
    await picture(page, 'last-redeploy');
    await page.locator('.title').getByRole('button', { name: 'Show Redeploy Changes' }).first().click();
    await page.locator('.view-line').filter({ hasText: 'dark' }).first().waitFor();
  });

  it('says which edits a redeploy would discard, and keeps them as a patch', async () => {
    const path = `${webroot}/ROOT/about.php`;
    await openContainer(page, 'Gantry');
    await foldSection(page, 'Favorites');
    await foldSection(page, 'Deployments');
    const node = new RegExp(`^nginxphp\\W+${setUp.nodeId(0)}`);
    for (const row of [/^Saltmarsh Tea/, /^nginxphp/, node, /^var/, /^www/, /^webroot/, /^ROOT/]) {
      await unfoldRow(page, 'Environments', row);
    }
    await clickRow(rowIn(page, 'Environments', /^about\.php/));
    await page.locator('.tab').filter({ hasText: 'about.php' }).waitFor();
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type('fixed in production\n');
    await page.keyboard.press('ControlOrMeta+S');
    await statusBarItem('edited on a node').waitFor();
    await statusBarItem('edited').click();
    const actions = page.locator('.quick-input-widget').filter({ hasText: 'ROOT on Saltmarsh Tea' });
    await actions.getByRole('option', { name: 'Roll Back…' }).waitFor();
    await picture(page, 'project-actions');
    // The first action redeploys.
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').filter({ hasText: 'discarded by this redeploy' }).waitFor();
    await picture(page, 'redeploy-edits');
    await pick(page, 'about.php');
    await page.locator('.tab').filter({ hasText: 'about.php (Before' }).waitFor();
    await page.locator('.view-line').filter({ hasText: 'fixed in production' }).first().waitFor();
    await picture(page, 'redeploy-edit-diff');
    await pick(page, 'Save Patch');
    await page.locator('.quick-input-widget').filter({ hasText: 'Save Edits as Patch File' }).waitFor();
    const file = join(folder, 'kept.patch');
    await chooseLocalPath(page, file, 'tea');
    await notificationShown(page, 'is already up to date with master');
    await picture(page, 'redeployed-after-patch');
    assert.match(await readFile(file, 'utf8'), /^\+fixed in production$/m);
    assert.equal(await setUp.read(path), 'about\n');
    await statusBarItem('up to date').waitFor();
  });

  it('names the failed node and shows the log if a redeploy fails', async () => {
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'failNode', nodeId: setUp.nodeId(1) } });
    await clone.commit('Greener tea', { 'index.php': 'green\n' });
    await clone.git('push', '--quiet');
    await runCommand(page, 'Gantry: Redeploy');
    const question = dialog(page).filter({ hasText: 'Redeploy ROOT on Saltmarsh Tea?' });
    await question.filter({ hasText: 'This deploys the newest commit on master to 2 nodes.' }).waitFor();
    await picture(page, 'redeploy-confirm');
    await dialogButton(page, 'Redeploy').click();
    const failed = await notificationShown(page, "Couldn't redeploy ROOT on Saltmarsh Tea: ");
    await picture(page, 'redeploy-failed');
    await statusBarItem('failed').waitFor();
    assert.doesNotMatch((await statusBarItem('failed').textContent()) ?? '', /behind/);
    await failed.getByRole('button', { name: 'Show Log' }).click();
    await editor(page).locator('.view-line').filter({ hasText: 'failed' }).first().waitFor();
    await openContainer(page, 'Gantry');
    await unfoldSection(page, 'Deployments');
    await picture(page, 'redeploy-log');
    await row(/^ROOT, failed · nodes differ · master/).waitFor();
    await row(/^ROOT/).locator('.codicon-error').waitFor();
    await narrowSideBar(page);
    await pictureInThemes(page, 'redeploy-failed-narrow');
  });

  it('follows the log of a running redeploy, and names the failed hook with what it printed', async () => {
    const { behaviour } = setUp.platform;
    const usual = { ...behaviour };
    const hooks = (scripts: object) => ({
      ...setUp.editWishes,
      autoResolveConflict: true,
      hooks: JSON.stringify(scripts),
    });
    // The logs stay in the folder where Gantry found them.
    Object.assign(behaviour, vendorDeployments, { deployLogs: 'common' });
    try {
      const preDeploy = 'echo brewing; while [ ! -e go ]; do sleep 0.1; done; echo the pot is empty; exit 3';
      await setUp.succeed('EditProject', hooks({ preDeploy }));
      await runCommand(page, 'Gantry: Redeploy');
      await dialogButton(page, 'Redeploy').click();
      const running = await notificationShown(page, 'Redeploying ROOT on Saltmarsh Tea: ');
      await running.locator('a').filter({ hasText: 'Show Log' }).click();
      const line = (text: string) => editor(page).locator('.view-line').filter({ hasText: text }).first();
      await line('brewing').waitFor();
      await picture(page, 'redeploy-log-live');
      for (const node of [0, 1]) await setUp.edit(`${webroot}/ROOT/go`, '', node);
      await notificationShown(page, "Couldn't redeploy ROOT on Saltmarsh Tea: the pot is empty (hooks.log: ");
      await line('the pot is empty').waitFor();
      await picture(page, 'redeploy-hook-failed');
    } finally {
      Object.assign(behaviour, usual);
      await setUp.succeed('EditProject', hooks({}));
    }
  });

  it('asks before a redeploy in production, wherever it was started', async () => {
    await unfoldSection(page, 'Environments');
    const environment = rowIn(page, 'Environments', /^Saltmarsh Tea/);
    await chooseInMenu(page, environment, 'Mark as Production');
    await rowIn(page, 'Environments', /^Saltmarsh Tea, production/).waitFor();
    await rowIn(page, 'Deployments', /^Saltmarsh Tea, production/).waitFor();
    await pictureInThemes(page, 'production-narrow');
    const updates = () => setUp.platform.journal.count(({ operation }) => operation === 'Update');
    const before = updates();
    await row(/^ROOT/).waitFor();
    await pressInline(row(/^ROOT/), 'Redeploy');
    await dialog(page).filter({ hasText: 'Saltmarsh Tea (shop) is a production environment.' }).waitFor();
    await picture(page, 'production-redeploy');
    await dialogButton(page, 'Cancel').click();
    await dialog(page).waitFor({ state: 'hidden' });
    assert.equal(updates(), before);
    await chooseInMenu(page, rowIn(page, 'Environments', /^Saltmarsh Tea, production/), 'Unmark as Production');
    await rowIn(page, 'Environments', /^Saltmarsh Tea(?!, production)/).waitFor();
    await pressInline(row(/^ROOT/), 'Redeploy');
    await accept(page, 'This deploys the newest commit on', 'Redeploy');
    await notificationShown(page, /Deployed [0-9a-f]{7} to ROOT on Saltmarsh Tea/);
    await statusBarItem('up to date').waitFor();
  });

  it('shows the commit that a project was rolled back to, and deploys the newest one again', async () => {
    await chooseInMenu(page, row(/^ROOT/), 'Roll Back…');
    await pick(page, 'Darker tea');
    await dialog(page)
      .getByText(/Gantry pushes the branch gantry-rollback-[0-9a-f]{7}, /)
      .waitFor();
    await dialogButton(page, 'Roll Back').click();
    const done = await notificationShown(
      page,
      /“Darker tea” .+“Greener tea”.+The project is pinned to this commit, so newer commits aren't deployed/,
    );
    await done.getByRole('button', { name: 'Deploy Newest Commit' }).waitFor();
    await row(/^ROOT, rolled back to [0-9a-f]{7} \(was master\) · 1 commit behind/).waitFor();
    await statusBarItem(/rolled back to [0-9a-f]{7} \(was master\) · 1 commit behind/).waitFor();
    await pictureInThemes(page, 'rolled-back');
    await chooseInMenu(page, row(/^ROOT/), 'Deploy Newest Commit');
    await dialog(page).filter({ hasText: 'Deploy the newest commit on master to ROOT on Saltmarsh Tea?' }).waitFor();
    await picture(page, 'deploy-newest');
    await dialogButton(page, 'Deploy').click();
    await statusBarItem('up to date').waitFor();
    await row(/^ROOT, master · up to date/).waitFor();
  });

  itNightly('asks once for the folder of a project that no clone identifies, and checks that folder', async () => {
    const webapps = '/opt/tomcat/webapps';
    const tomcat = { name: 'cp', nodeType: 'tomcat10', isVcsSupport: true, containerUser: 'tomcat', owned: [webapps] };
    await setUp.platform.addEnvironment({ envName: 'books', layers: [tomcat] });
    await setUp.create({ envName: 'books', context: 'library', updateNow: true });
    await openContainer(page, 'Gantry');
    await foldSection(page, 'Environments');
    await unfoldSection(page, 'Deployments');
    await pressInTitle(page, 'Deployments', 'Refresh Deployments');
    const project = rowIn(page, 'Deployments', /^library/);
    await project.filter({ hasText: 'not deployed' }).waitFor();
    await pressInline(project, 'Redeploy');
    const question = page
      .locator('.quick-input-widget')
      .filter({ hasText: 'Select Project Folder for library on books' });
    await question.waitFor();
    await picture(page, 'redeploy-folder');
    await quickInput(page).fill('/opt/nothing');
    await page.keyboard.press('Enter');
    await question.filter({ hasText: "There's no clone in /opt/nothing" }).waitFor();
    await picture(page, 'redeploy-folder-wrong');
    await quickInput(page).fill(`${webapps}/library`);
    await page.keyboard.press('Enter');
    await accept(page, 'Redeploy library on books?', 'Redeploy');
    await notificationShown(page, 'library on books is already up to date with master');
  });
});
