import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { editor, editorTab, notificationShown, runCommand, tidyUp } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { sidesShow } from './support/comparing';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import { chooseTheme, onlySection, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';

const mask = '••••••••';

describe('container variables in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
    await onlySection(page, 'Environments');
    await unfoldPath(page, 'Environments', ['Saltmarsh Tea', 'Application servers']);
    await chooseInMenu(page, rowIn(page, 'Environments', 'NGINX PHP'), 'Edit Variables');
    await editorTab(page, /^Variables of node \d+/).waitFor();
    await line('APP_ENV=production').waitFor();
  });

  afterEach(async () => {
    await tidyUp(page, 'notifications.clearAll');
    await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const held = () => platform.nodes('shop', 'cp')[0]?.variables ?? {};
  /** Spaces in an editor are non-breaking. */
  const line = (text: string) =>
    editor(page)
      .locator('.view-line')
      .filter({ hasText: new RegExp(text.replaceAll(/[$()|.]/g, '\\$&').replaceAll(' ', '\\s')) })
      .first();
  const save = () => page.keyboard.press('ControlOrMeta+S');
  const clean = () => page.locator('.tab.active:not(.dirty)').waitFor();

  async function revert(): Promise<void> {
    await runCommand(page, 'File: Revert File');
    await clean();
  }

  /** Types at the end of a line. */
  async function append(to: string, text: string): Promise<void> {
    await line(to).click();
    await page.keyboard.press('End');
    await page.keyboard.type(text);
    await page.locator('.tab.active.dirty').waitFor();
  }

  it('masks secrets until the person asks for them', async () => {
    await line(`DATABASE_PASSWORD=${mask}`).waitFor();
    await picture(page, 'variables-masked');
    await runCommand(page, 'Gantry: Show Secret Values');
    await line('DATABASE_PASSWORD=tide-7-marsh').waitFor();
    await picture(page, 'variables-shown');
    await runCommand(page, 'Gantry: Hide Secret Values');
    await line(`DATABASE_PASSWORD=${mask}`).waitFor();
    await clean();
  });

  it('completes names, asks what to add, change, and remove, without secrets, and offers a restart', async () => {
    await line('MAIL_FROM').click();
    await page.keyboard.press('ControlOrMeta+Shift+K');
    await append('APP_ENV=production', '-2\nMAI');
    await page.locator('.suggest-widget.visible').getByText('MAIL_FROM').first().waitFor();
    await picture(page, 'variables-completion');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('TEA_TOKEN=first flush');
    await save();
    await dialog(page).getByText('Add: TEA_TOKEN').waitFor();
    const question = (await dialog(page).innerText()).replaceAll('\u00a0', ' ');
    assert.match(question, /Save the variables of node \d+ \(Application servers\), Saltmarsh Tea\?/);
    assert.match(question, /Add: TEA_TOKEN=•{8}\s+Change: APP_ENV=production → production-2\s+Remove: MAIL_FROM/);
    assert.doesNotMatch(question, /flush/);
    await picture(page, 'variables-question');
    await dialogButton(page, 'Compare').click();
    await sidesShow(page, { original: /APP_ENV=production/, modified: /APP_ENV=production-2/ });
    await picture(page, 'variables-compare');
    await runCommand(page, 'View: Close Editor');
    await tidyUp(page, 'notifications.clearAll');
    await editorTab(page, /^Variables of node \d+$/).click();
    await save();
    await dialogButton(page, 'Save Variables').click();
    await notificationShown(page, /Saved the variables of node .+ take effect when the service restarts\./);
    await picture(page, 'variables-saved');
    await line(`TEA_TOKEN=${mask}`).waitFor();
    assert.equal(held()['TEA_TOKEN'], 'first flush');
    assert.equal(held()['APP_ENV'], 'production-2');
    assert.equal(held()['MAIL_FROM'], undefined);
  });

  itNightly('warns of values that a shell misreads, and sends nothing if the person cancels', async () => {
    await append('APP_ENV=production-2', '$(id)');
    await save();
    await dialog(page)
      .getByText(/a file that a shell reads\..+Affected variables: APP_ENV/)
      .waitFor();
    await picture(page, 'variables-risk');
    await dialogButton(page, 'Cancel').click();
    await notificationShown(page, 'Canceled. Nothing was sent.');
    assert.equal(held()['APP_ENV'], 'production-2');
    await revert();
  });

  it("has a conflict with someone else's change, as a file has", async () => {
    await append('APP_ENV=production-2', '-mine');
    Object.assign(held(), { APP_ENV: 'theirs', THEIRS: 'new' });
    await save();
    await dialog(page)
      .getByText(/Someone else has changed the variables/)
      .waitFor();
    await picture(page, 'variables-conflict');
    await dialogButton(page, 'Merge').click();
    await notificationShown(page, /Merged Variables of node \d+ with 1 conflict\. Resolve it, then save\./);
    await sidesShow(page, { original: /APP_ENV=theirs/, modified: /<<<<<<<\sYours.*APP_ENV=production-2-mine/ });
    await picture(page, 'variables-merged');
    await runCommand(page, 'View: Close Editor');
    await editorTab(page, /^Variables of node \d+$/).click();
    await revert();
    await line('THEIRS=new').waitFor();
    assert.equal(held()['APP_ENV'], 'theirs');
  });

  itIsPictured('in high contrast', async () => {
    await chooseTheme(page, 'Dark High Contrast');
    await append('APP_ENV=theirs', '$(id)');
    await picture(page, 'variables-contrast');
    await save();
    await dialogButton(page, 'Save Anyway').waitFor();
    await picture(page, 'variables-risk-contrast');
    await dialogButton(page, 'Cancel').click();
    await notificationShown(page, 'Canceled. Nothing was sent.');
    await revert();
  });
});
