import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editor, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { onlySection, pictureInThemes, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';
import { step } from './support/step';

describe('a log in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    await mkdir(dirname(log()), { recursive: true });
    await writeFile(log(), Array.from({ length: 5000 }, (_, index) => `${index + 1} GET /tea 200\n`).join(''));
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
    await onlySection(page, 'Environments');
    await unfoldPath(page, 'Environments', ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /^Logs/]);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const log = () => join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), 'var/log/visits.log');
  const line = (text: RegExp) => editor(page).locator('.view-line').filter({ hasText: text }).first();
  const status = (text: RegExp) => page.locator('.statusbar-item').filter({ hasText: text }).first();

  it('opens at its end from the row of its node, is followed, paused, and filtered, and notices a rotation', async () => {
    await step('it opens at its end', async () => {
      await openRow(rowIn(page, 'Environments', /^visits\.log/));
      await line(/^5000.GET/).waitFor();
      await status(/Following/).waitFor();
    });
    await step('a new line appears', async () => {
      await appendFile(log(), '5001 POST /checkout 500\n');
      await line(/^5001.POST/).waitFor();
      await picture(page, 'log-followed');
    });
    await step('it is paused, and shows what was added meanwhile once it is followed again', async () => {
      await runCommand(page, 'Gantry: Pause Log');
      await status(/Paused/).waitFor();
      await appendFile(log(), '5002 GET /tea 200\n');
      await runCommand(page, 'Gantry: Follow Log');
      await line(/^5002.GET/).waitFor();
    });
    await step('a filter leaves lines out', async () => {
      await runCommand(page, 'Gantry: Filter Log Lines…');
      await quickInput(page).fill('POST');
      await page.keyboard.press('Enter');
      await line(/^5002.GET/).waitFor({ state: 'detached' });
      await line(/^5001.POST/).waitFor();
      await appendFile(log(), '5003 POST /checkout 500\n');
      await status(/Following · 2 lines · .*POST/).waitFor();
      await picture(page, 'log-filtered');
      await runCommand(page, 'Gantry: Filter Log Lines…');
      await quickInput(page).fill('');
      await page.keyboard.press('Enter');
      await line(/^5002.GET/).waitFor();
    });
    await step('it starts over after a rotation', async () => {
      await writeFile(log(), '1 GET /new 200\n');
      await line(/^1.GET.\/new/).waitFor();
      await pictureInThemes(page, 'log-rotated');
    });
  });
});
