import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { scratchFolder } from '../host/folders';
import words from '../../package.nls.json';
import { editor, editorTab, notificationShown, pick, runCommand } from '../host/vscode/workbench';
import { startPlatform } from '../localPlatform/localPlatform';
import { sampleRepository } from '../localPlatform/vcs/sampleRepositories';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { pressInline, rowIn, section, unfoldSection } from './support/sections';
import { browseTo, signInButton } from './support/signIn';

describe('the first start', () => {
  let gantry: GantryWindow | undefined;

  afterEach(async () => {
    await gantry?.close();
    gantry = undefined;
  });

  const open = async (workspace?: string): Promise<Page> => {
    const settings = { 'workbench.welcomePage.walkthroughs.openOnInstall': true };
    gantry = await openGantry({ settings, ...(workspace === undefined ? {} : { workspace }) });
    return gantry.page;
  };
  const isExpanded = (page: Page, name: string) =>
    page.locator('.activitybar').getByRole('tab', { name, expanded: true }).first();

  it('opens the Gantry view in an empty window, without the focus, and offers the walkthrough there', async () => {
    const page = await open();
    await section(page, 'Environments').waitFor();
    await signInButton(page).waitFor();
    assert.equal(await page.locator('.sidebar :focus').count(), 0);
    await picture(page, 'first-start');
    await section(page, 'Environments').getByText('walkthrough', { exact: true }).click();
    await page.locator('.gettingStartedContainer button.getting-started-step').first().waitFor();
  });

  it('leads to a walkthrough whose steps complete themselves by what the person did, and not by looking', async () => {
    const platform = await startPlatform();
    try {
      const page = await open();
      // VS Code counts only what happens after it has read the walkthroughs.
      await section(page, 'Environments').getByText('walkthrough', { exact: true }).click();
      await page.locator('.gettingStartedContainer button.getting-started-step').first().waitFor();
      await browseTo(page, platform, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
      await openRow(rowIn(page, 'Environments', 'shop.conf'));
      await editor(page).locator('.view-line').first().click();
      const completed = async () => {
        await runCommand(page, 'Welcome: Open Walkthrough...');
        await pick(page, words['walkthrough.title']);
        await page.locator('.gettingStartedContainer button.getting-started-step').nth(2).waitFor();
        const checked = page.locator('.gettingStartedContainer button.getting-started-step .codicon.complete:visible');
        const titles = await checked.locator('xpath=ancestor::button').allInnerTexts();
        await picture(page, `first-start-walkthrough-${titles.length}`);
        await runCommand(page, 'View: Close Editor');
        return titles.map((title) => title.split('\n')[0]);
      };
      assert.deepEqual(await completed(), [words['walkthrough.signIn.title']]);
      await editorTab(page, 'shop.conf').click();
      await editor(page).locator('.view-line').first().click();
      await page.keyboard.type('# edited\n');
      await page.locator('.tab.active.dirty').waitFor();
      await page.keyboard.press('ControlOrMeta+S');
      await page.locator('.tab.active:not(.dirty)').waitFor();
      assert.deepEqual(await completed(), [
        words['walkthrough.signIn.title'],
        words['walkthrough.configuration.title'],
      ]);
      const change = { message: 'Ceylon is back', files: { 'news.txt': 'Ceylon is back\n' } };
      const tip = await sampleRepository(platform.dataFolder).commit(change);
      await unfoldSection(page, 'Deployments');
      const project = rowIn(page, 'Deployments', /^ROOT/);
      await project.waitFor();
      await pressInline(project, 'Redeploy');
      await notificationShown(page, `deployed ${tip.slice(0, 7)}`);
      assert.equal((await completed()).length, 3);
    } finally {
      await platform.dispose();
    }
  });

  it("leaves somebody's open project as it is", async () => {
    const folder = join(scratchFolder('project'), 'site');
    await mkdir(folder, { recursive: true });
    const page = await open(folder);
    await isExpanded(page, 'Explorer').waitFor();
    await runCommand(page, 'Gantry: Copy Diagnostics');
    assert.equal(await isExpanded(page, 'Gantry').count(), 0);
  });
});
