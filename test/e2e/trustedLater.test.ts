import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { notificationShown, openContainer, pick, pressInNotification, runCommand } from '../host/vscode/workbench';
import { LocalClone } from '../integration/support/localClone';
import { credentials, VcsSetUp } from '../unit/localPlatform/vcsSetUp';
import { closePrompts } from './support/closeEverything';
import { type GantryWindow, startGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { onlySection, pressInline, rowIn, unfoldRow } from './support/sections';
import { answerWithPassword, signInButton } from './support/signIn';
import { closeModalEditor, trustWorkspace } from './support/workspaceTrust';

describe('a window whose folder becomes trusted while it is open', () => {
  let setUp: VcsSetUp;
  let folder: string;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    setUp = await VcsSetUp.start();
    await setUp.create({ updateNow: true });
    folder = await mkdtemp(join(tmpdir(), 'gantry-trust-'));
    const clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    await clone.commit('Darker tea', { 'index.php': 'dark\n' });
    gantry = await startGantry({
      workspace: clone.folder,
      workspaceTrust: 'on',
      settings: {
        'gantry.platforms': [setUp.platform.origin],
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
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

  it('looks for unpushed commits without a reload', async () => {
    const project = rowIn(page, 'Deployments', /^ROOT/);
    await rowIn(page, 'Environments', /^Saltmarsh Tea/).waitFor();
    await project.waitFor();
    await onlySection(page, 'Deployments');
    await unfoldRow(page, 'Deployments', /^ROOT/);
    await rowIn(page, 'Deployments', /^Unpushed commits aren't checked/).waitFor();
    await pressInline(project, 'Redeploy');
    const unchecked = "In Restricted Mode, Gantry can't check for unpushed commits";
    await notificationShown(page, unchecked);
    await notificationShown(page, 'ROOT on Saltmarsh Tea still runs');
    await picture(page, 'restricted-redeploy');
    await chooseInMenu(page, project, 'Clone Repository…');
    await notificationShown(page, "In Restricted Mode, Gantry can't use clones of repositories");
    await runCommand(page, 'Gantry: Roll Back…');
    await pick(page, 'ROOT');
    await page.locator('.quick-input-widget').filter({ hasText: "In Restricted Mode, Gantry can't list" }).waitFor();
    await picture(page, 'restricted-roll-back');
    await closePrompts(page);
    await pressInNotification(page, unchecked, 'Manage Workspace Trust');
    await trustWorkspace(page);
    await rowIn(page, 'Deployments', /^1 commit not pushed/).waitFor();
    await rowIn(page, 'Deployments', /^Unpushed commits aren't checked/).waitFor({ state: 'detached' });
    await page
      .locator('.statusbar-item')
      .filter({ hasText: 'ROOT on Saltmarsh Tea' })
      .filter({ hasText: 'not pushed' })
      .waitFor();
    await picture(page, 'trusted-later');
    await closeModalEditor(page);
    await pressInline(project, 'Redeploy');
    await page.locator('.quick-input-widget').filter({ hasText: "One commit on master isn't pushed" }).waitFor();
    await page.keyboard.press('Escape');
  });
});
