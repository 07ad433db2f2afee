import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { openContainer, pick, quickInput } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type ScriptedServer, startTlsServer } from '../unit/platform/scriptedServer';
import { closeEverything } from './support/closeEverything';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, startGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { picture } from './support/picture';
import { rowIn } from './support/sections';
import { signInButton } from './support/signIn';
import { serveWebPage, type WebPage } from './support/webPage';

/** VS Code's network stack accepts every certificate here, as if the operating system trusted it. Gantry's doesn't. */
const trusting = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

describe('signing in through the window', () => {
  let platform: LocalPlatform;
  let dashboard: WebPage;
  /** The same platform, with a certificate that only VS Code's network stack trusts. */
  let secured: ScriptedServer;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    dashboard = await serveWebPage();
    secured = await startTlsServer();
    secured.answer(({ url, headers, body }, response) => {
      const type = headers['content-type'] ?? '';
      fetch(platform.origin + url, { method: 'POST', headers: { 'content-type': type }, body })
        .then(async (reply) => response.end(await reply.text()))
        .catch(() => response.destroy());
    });
    gantry = await startGantry({ settings: { 'gantry.platforms': [dashboard.origin] }, env: trusting });
    page = gantry.page;
    await openContainer(page, 'Gantry');
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await secured.close();
    await dashboard.close();
    await platform.dispose();
  });

  const question = (text: string | RegExp) => page.locator('.quick-input-widget').filter({ hasText: text });
  const list = (prompt: string) => page.locator('.quick-input-widget').getByPlaceholder(prompt);
  const host = () => new URL(platform.origin).host;

  async function begin(): Promise<void> {
    await signInButton(page).click();
    await list('Select a platform').waitFor();
  }

  async function enter(text: string): Promise<void> {
    await quickInput(page).fill(text);
    await page.keyboard.press('Enter');
  }

  itNightly('finds a wrong address in the list at its own step, and lets the user correct it', async () => {
    await begin();
    await picture(page, 'sign-in-platforms');
    await pick(page, dashboard.origin);
    await question("Couldn't find the platform API").waitFor();
    assert.equal(await quickInput(page).inputValue(), dashboard.origin);
    await picture(page, 'sign-in-platform-wrong');
    await enter(`  ${platform.origin}/some/page  `);
    await list('Select how to sign in').waitFor();
  });

  it('accepts an address typed into the list, with spaces and a path, and names account and platform', async () => {
    await begin();
    await quickInput(page).fill(`  ${platform.origin}/dashboard `);
    await question('Use this address').waitFor();
    await picture(page, 'sign-in-platform-typed');
    await page.keyboard.press('Enter');
    await pick(page, 'Email and password');
    await question('Your email address').waitFor();
    await enter(platform.sample.email);
    await question(`Your password for ${platform.sample.email} on ${host()}`).waitFor();
    await picture(page, 'sign-in-password');
    await enter('not-the-password');
    await list("How long should Gantry's access token be valid?").waitFor();
    await question('until you delete it').waitFor();
    await picture(page, 'sign-in-lifetime');
  });

  it('goes back to the list, and to another address, with the keyboard alone', async () => {
    await begin();
    await quickInput(page).fill('Enter Another');
    await page.keyboard.press('Enter');
    await question('Address of your platform').waitFor();
    await enter('http://app.example.com');
    await question('over plain HTTP').waitFor();
    await page.keyboard.press(keys.back);
    await list('Select a platform').waitFor();
  });

  it("switches to VS Code's network settings with one click if only they reach the platform", async () => {
    await begin();
    await quickInput(page).fill(secured.url);
    await page.keyboard.press('Enter');
    await dialog(page).getByText('but VS Code can').waitFor();
    await picture(page, 'sign-in-vscode-network');
    assert.equal(secured.arrived.filter(({ url }) => url.includes('signin')).length, 0);
    await dialogButton(page, 'Cancel').click();
    await question("isn't trusted").waitFor();
    await page.keyboard.press('Enter');
    await dialogButton(page, "Use VS Code's Network Settings").click();
    await pick(page, 'Email and password');
    await question('Your email address').waitFor();
    await enter(platform.sample.email);
    await question('Your password').waitFor();
    await enter(platform.sample.password);
    await pick(page, '90 days');
    await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
  });
});
