import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { limit } from '../host/limits';
import { descendants } from '../host/descendants';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import {
  answer,
  clickRow,
  editor,
  notificationShown,
  openContainer,
  pick,
  quickInput,
  runCommand,
  tidyUp,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { eavesdrop, type Eavesdropper } from './support/eavesdropper';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { holdsSecret, searchSecrets } from './support/searchSecrets';
import { onlySection, rowIn, unfoldPath, unfoldSection, welcomeButton } from './support/sections';
import { signInButton } from './support/signIn';
import { step } from './support/step';
import { storedInBrowser } from './support/storedInBrowser';

const person = { email: 'anna@gantry.example', password: 'pä55 wörd/+&%"\\=' };
/** Text that is typed into a file. It isn't a secret, so it must be found in the stored edits. */
const marker = 'harmless-marker-4711';

describe('logs and stored data', () => {
  let platform: LocalPlatform;
  let between: Eavesdropper;
  let gantry: GantryWindow;
  /** The second window, after the extension host of the first one crashed. */
  let reopened: VsCodeWindow | undefined;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    await platform.addUser(person);
    between = await eavesdrop(platform.origin);
    gantry = await openGantry();
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await signInButton(page).waitFor();
  });

  after(async () => {
    await reopened?.close();
    await gantry.close();
    await between.close();
    await platform.dispose();
  });

  const question = (text: string) => page.locator('.quick-input-widget').filter({ hasText: text });
  const noQuestion = () => page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  const environment = () => rowIn(page, 'Environments', 'Saltmarsh Tea');

  it('contain no secret, neither on disk nor in the window and the browser, whatever fails', async () => {
    await step('log as much as possible', logEverything);
    await step('sign in with a wrong password first', signIn);
    await step('fail to save on a platform that quotes the request', saveInVain);
    await step('fail to renew the token in the same way, then succeed', renewTwice);
    await step('find no secret on disk or in the window and the browser', lookForSecrets);
    await step('find the typed text among the edits', lookForWhatWasTyped);
    await step('find no secret after the extension host crashed and another window took over', killExtensionHost);
    await step('find a planted secret', plantSecret);
  }).timeout(limit(200_000));

  async function logEverything(): Promise<void> {
    await runCommand(page, 'Developer: Set Log Level...');
    await quickInput(page).fill('Gantry');
    await pick(page, 'Gantry');
    await pick(page, 'Trace');
    await noQuestion();
  }

  async function signIn(): Promise<void> {
    await signInButton(page).click();
    await answer(page, 'Address of your', between.origin);
    await pick(page, 'Email and password');
    await answer(page, 'Your email address', person.email);
    await answer(page, 'Your password', `${person.password}!`);
    await pick(page, '90 days');
    await question('Incorrect email or password').waitFor();
    await quickInput(page).fill(person.password);
    await page.keyboard.press('Enter');
    await pick(page, '90 days');
    await environment().waitFor();
  }

  async function saveInVain(): Promise<void> {
    await onlySection(page, 'Environments');
    await unfoldPath(page, 'Environments', [
      'Saltmarsh Tea',
      'Load balancer',
      'NGINX 1.26',
      /^etc, f/,
      /^nginx, f/,
      /^conf\.d, f/,
    ]);
    await clickRow(rowIn(page, 'Environments', /^shop\.conf/));
    await editor(page).locator('.view-line').filter({ hasText: 'server' }).first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type(`# ${marker}\n`);
    between.quoteFrom('write');
    await page.keyboard.press('ControlOrMeta+S');
    await notificationShown(page, 'shop.conf');
    await tidyUp(page, 'notifications.clearAll');
  }

  async function renewTwice(): Promise<void> {
    await renew();
    await notificationShown(page, /valid until/);
    between.quoteFrom('regeneratetoken');
    await renew();
    await notificationShown(page, /cannot do/);
    await unfoldSection(page, 'Access');
    await welcomeButton(page, 'Access', 'Unlock Access View…').click();
    await answer(page, 'Enter your password', person.password);
    await noQuestion();
  }

  async function renew(): Promise<void> {
    await runCommand(page, "Gantry Advanced: Renew Gantry's Access Token…");
    await pick(page, '30 days');
    await answer(page, 'Enter your password to renew the token', person.password);
  }

  /**
   * Searches logs, settings, state, and backups on disk, the browser's storage, and the window with its console output.
   */
  async function findSecrets(): Promise<readonly string[]> {
    const spoken = between.secrets;
    const shown = await page.locator('body').innerText();
    const elsewhere = {
      'the browser': await storedInBrowser(gantry.window.context),
      'the window': shown,
      'the console': [...gantry.window.console, ...(reopened?.console ?? [])].join('\n'),
    };
    const holding = Object.entries(elsewhere).filter(([, text]) => holdsSecret(text, spoken));
    return [...(await searchSecrets(gantry.vscode.stateFolder, spoken)), ...holding.map(([name]) => name)];
  }

  async function lookForSecrets(): Promise<void> {
    assert.ok(between.secrets.has(person.password), 'the password went by');
    assert.ok([...between.secrets].filter((secret) => /^[0-9a-f]{40}$/.test(secret)).length >= 2, 'two tokens went by');
    assert.deepEqual(await findSecrets(), []);
  }

  async function lookForWhatWasTyped(): Promise<void> {
    const found = await searchSecrets(gantry.vscode.stateFolder, [marker]);
    assert.ok(found.some((file) => file.includes(`${sep}journal${sep}`)));
    assert.match(await storedInBrowser(gantry.window.context), /gantry/);
  }

  async function killExtensionHost(): Promise<void> {
    const hosts = descendants(process.pid).filter(({ command }) => command.includes('--type=extensionHost'));
    assert.ok(hosts.length > 0);
    for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
    await page.locator('.sidebar').getByText('There is no data provider registered').first().waitFor();
    await page.close();
    reopened = await openWindow(gantry.vscode, { context: gantry.window.context });
    page = reopened.page;
    await openContainer(page, 'Gantry');
    await environment().waitFor();
    assert.deepEqual(await findSecrets(), []);
    const found = await searchSecrets(gantry.vscode.stateFolder, [marker]);
    assert.ok(found.length > 0, 'what was typed is still kept');
  }

  async function plantSecret(): Promise<void> {
    const [secret = ''] = [...between.secrets].filter((one) => one.length > 3);
    const planted = join(gantry.vscode.stateFolder, 'planted');
    await writeFile(planted, `x${encodeURIComponent(secret)}x`);
    assert.deepEqual(await searchSecrets(gantry.vscode.stateFolder, between.secrets), [planted]);
  }
});
