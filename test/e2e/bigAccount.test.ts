import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';
import { foldSection, rowIn, unfoldSection, welcomeButton } from './support/sections';
import { signInWithPassword } from './support/signIn';

const goTo = 'Gantry: Go to Environment, Node, or Project…';

describe('an account with 300 environments', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform({ bigAccount: 300 });
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const find = async (text: string, row: string | RegExp) => {
    await runCommand(page, goTo);
    const found = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: row }).first();
    await page.locator('.quick-input-list .monaco-list-row').nth(3).waitFor();
    platform.journal.reset();
    await quickInput(page).fill(text);
    await found.waitFor();
    assert.equal(platform.journal.arrivals.length, 0);
    await picture(page, `big-account-${text.replaceAll(/\W/g, '-')}`);
    await found.click();
  };

  it('opens each view with at most two requests', async () => {
    await foldSection(page, 'Environments');
    for (const view of ['Favorites', 'Deployments', 'Mounts', 'Access', 'Environments']) {
      platform.journal.reset();
      await unfoldSection(page, view);
      // Access is locked until the user enters the password.
      const shown = view === 'Access' ? welcomeButton(page, view, 'Unlock') : rowIn(page, view, 'Saltmarsh Tea');
      await shown.first().waitFor();
      await picture(page, `big-account-${view.toLowerCase()}`);
      await foldSection(page, view);
      // Counted only now, because a view that shows its first row may still ask for more.
      const asked = platform.journal.arrivals.map(({ operation }) => operation);
      assert.ok(asked.length <= 2, `${view}: ${asked.join(', ')}`);
    }
    await unfoldSection(page, 'Environments');
  });

  it('finds an environment by a part of its domain', async () => {
    await find('foxglove-tiles-st', 'Foxglove Tiles (staging)');
    await rowIn(page, 'Environments', /Foxglove Tiles \(staging\)/).waitFor();
  });

  it('finds a node by its ID, and unfolds it', async () => {
    const id = platform.nodes('umber-books', 'cp').at(3)?.id;
    await find(String(id), String(id));
    await page.getByRole('treeitem', { name: new RegExp(`, ${id}`), expanded: true }).waitFor();
    await picture(page, 'big-account-node');
  });

  it("finds a project by its environment's name, and shows its row", async () => {
    await find('Willow Books', /stockroom.*Willow Books/);
    await rowIn(page, 'Deployments', /^stockroom/).waitFor();
    await page
      .locator('.sidebar')
      .getByRole('treeitem', { name: /^stockroom/, selected: true })
      .waitFor();
    await picture(page, 'big-account-project');
  });
});
