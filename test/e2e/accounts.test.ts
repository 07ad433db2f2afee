import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { scratchFolder } from '../host/folders';
import { itNightly } from '../host/nightly';
import { openWindow } from '../host/vscode/openWindow';
import {
  answer,
  clickRow,
  notificationShown,
  openContainer,
  pick,
  pressInNotification,
  quickInput,
  runCommand,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type ScriptedServer, startTlsServer } from '../unit/platform/scriptedServer';
import { closeEverything } from './support/closeEverything';
import { keys } from './support/keyboard';
import { deleteTokens } from './support/deleteTokens';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, startGantry } from './support/gantryWindow';
import { pressMenuItem } from './support/menus';
import { picture } from './support/picture';
import { pressInTitle, rowIn, section, unfoldRow, welcomeButton } from './support/sections';
import { signInButton, typeAddress } from './support/signIn';
import { secondAccount, TwoAccounts } from './support/twoAccounts';
import { serveWebPage, type WebPage } from './support/webPage';

const unreachable = 'http://127.0.0.1:9';

/** VS Code's network stack accepts every certificate here, as if the operating system trusted it. Gantry's doesn't. */
const trusting = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

describe('accounts in the window', () => {
  let platform: LocalPlatform;
  let other: LocalPlatform;
  let dashboard: WebPage;
  /** The same platform, with a certificate that only VS Code's network stack trusts. */
  let secured: ScriptedServer;
  /** Its settings would send secrets elsewhere if they took effect. */
  let workspace: string;
  let gantry: GantryWindow;
  let page: Page;
  let accounts: TwoAccounts;

  before(async () => {
    platform = await startPlatform();
    other = await startPlatform();
    dashboard = await serveWebPage();
    secured = await startTlsServer();
    secured.answer(({ url, headers, body }, response) => {
      const type = headers['content-type'] ?? '';
      fetch(platform.origin + url, { method: 'POST', headers: { 'content-type': type }, body })
        .then(async (reply) => response.end(await reply.text()))
        .catch(() => response.destroy());
    });
    workspace = scratchFolder('untrusted');
    await mkdir(join(workspace, '.vscode'));
    const led = { 'gantry.platforms': [unreachable], 'gantry.transport': 'query', 'gantry.allowPlainHttp': true };
    await writeFile(join(workspace, '.vscode', 'settings.json'), JSON.stringify(led));
    gantry = await startGantry({
      workspace,
      workspaceTrust: 'on',
      settings: {
        'gantry.platforms': [dashboard.origin],
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
      },
      env: trusting,
    });
    page = gantry.page;
    accounts = new TwoAccounts(page, platform, other);
    await openContainer(page, 'Gantry');
  });

  beforeEach(() => {
    platform.journal.reset();
    other.journal.reset();
  });

  afterEach(async () => {
    platform.faults.clear();
    other.behaviour.transport = 'both';
    await closeEverything(page);
  });

  after(async () => {
    await gantry.close();
    await dashboard.close();
    await secured.close();
    await platform.dispose();
    await other.dispose();
    await rm(workspace, { recursive: true, force: true });
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const question = (text: string | RegExp) => page.locator('.quick-input-widget').filter({ hasText: text });
  const list = (prompt: string) => page.locator('.quick-input-widget').getByPlaceholder(prompt);
  const back = () => page.locator('.quick-input-widget').getByRole('button', { name: 'Back' }).click();
  const count = (operation: string) => platform.journal.count((entry) => entry.operation === operation);

  it("are offered in VS Code's Accounts menu", async () => {
    await accounts.startWith('none');
    // Windows offer the sign-in at startup if no account is signed in.
    await page.reload();
    const menu = page.locator('.activitybar .action-item').filter({ has: page.locator('[aria-label^="Accounts"]') });
    await menu.locator('.badge-content').filter({ hasText: '1' }).waitFor();
    await menu.click();
    await page
      .locator('.monaco-menu')
      .getByRole('menuitem', { name: /Gantry/ })
      .waitFor();
    await picture(page, 'accounts-menu');
    await pressMenuItem(page, /Gantry/);
    await list('Select a platform').waitFor();
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: dashboard.origin }).waitFor();
    // That the folder, which isn't trusted, suggests.
    assert.equal(await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: unreachable }).count(), 0);
    await page.keyboard.press('Escape');
  });

  itNightly('offer a token to an account with two-factor authentication', async () => {
    await accounts.startWith('none');
    const twoFactor = { email: 'two@factors.example', password: 'pw-of-two-factors' };
    await platform.addUser({ ...twoFactor, authType: 'TFA' });
    await accounts.enterPassword(platform.origin, twoFactor.email, twoFactor.password);
    await dialog(page).getByText('two-factor authentication').waitFor();
    await picture(page, 'second-factor');
    await dialogButton(page, 'Enter Token').click();
    await question('Paste the access token').waitFor();
    await page.keyboard.press('Escape');
  });

  itNightly("tell an account that can't create tokens how to get one, and keep no session", async () => {
    await accounts.startWith('none');
    platform.faults.add({ operation: 'CreateToken', fault: { kind: 'refuse', result: 8, error: 'permission denied' } });
    await accounts.enterPassword(platform.origin, platform.sample.email, platform.sample.password);
    await dialog(page).getByText('create access tokens outside the dashboard').waitFor();
    await picture(page, 'no-tokens');
    assert.equal(count('Signout'), 1);
    await dialogButton(page, 'Cancel').click();
    await dialog(page).waitFor({ state: 'detached' });
  });

  itNightly('send no password in a URL without explicit consent', async () => {
    await accounts.startWith('none');
    other.behaviour.transport = 'query';
    await accounts.enterPassword(other.origin, other.sample.email, other.sample.password);
    await dialog(page).getByText('accepts passwords only in URLs').waitFor();
    await picture(page, 'password-in-url');
    await dialogButton(page, 'Cancel').click();
    assert.equal(
      other.journal.count(({ operation }) => operation === 'Signin'),
      0,
    );
  });

  itNightly('report an address that returns a web page, and keep the address in the input', async () => {
    await accounts.startWith('none');
    // The settings suggest the address without the slash.
    const address = `${dashboard.origin}/`;
    await beginAt(address);
    await question("Couldn't find the platform API").waitFor();
    assert.equal(await quickInput(page).inputValue(), address);
    await picture(page, 'sign-in-web-page');
    await quickInput(page).fill('http://');
    await question('Enter a web address').waitFor();
  });

  itNightly("report a platform that can't be reached", async () => {
    await accounts.startWith('none');
    await beginAt(unreachable);
    await question('refused the connection').waitFor();
    await picture(page, 'sign-in-unreachable');
  });

  async function beginAt(address: string): Promise<void> {
    await signInButton(page).click();
    await typeAddress(page, address);
  }

  it('keep what was entered when the user goes back, and report a wrong password', async () => {
    await accounts.startWith('none');
    await accounts.enterPassword(platform.origin, platform.sample.email, 'not-the-password');
    await question('Incorrect email or password').waitFor();
    await picture(page, 'sign-in-wrong-password');
    await back();
    await question('Your email address').waitFor();
    assert.equal(await quickInput(page).inputValue(), platform.sample.email);
    await page.keyboard.press('Enter');
    await answer(page, 'Your password', platform.sample.password);
    await pick(page, '90 days');
    await row('Saltmarsh Tea').waitFor();
    assert.equal(count('Signout'), 1);
  });

  it('ask once when the token is revoked, and continue the pending work', async () => {
    await accounts.startWith('first');
    await unfoldRow(page, 'Environments', 'Saltmarsh Tea');
    await unfoldRow(page, 'Environments', 'Application servers');
    const held = platform.faults.add({ operation: 'GetList', times: 20, fault: { kind: 'hang' } });
    const nodes = section(page, 'Environments').getByRole('treeitem', { name: /^NGINX/ });
    await clickRow(nodes.nth(0));
    await held.reached;
    await clickRow(nodes.nth(1));
    await deleteTokens(platform);
    held.release();
    const notice = await notificationShown(page, 'was signed out');
    assert.equal(await page.locator('.notification-list-item').filter({ visible: true }).count(), 1);
    await picture(page, 'signed-out-notice');
    await notice.getByRole('button', { name: 'Sign In Again' }).click();
    await pick(page, 'Email and password');
    await answer(page, 'Your password', platform.sample.password);
    await pick(page, '90 days');
    await row('etc').waitFor();
  });

  it('show that an account is signed out after the question is dismissed, and send nothing until the next sign-in', async () => {
    await accounts.startWith('first');
    await deleteTokens(platform);
    await pressInTitle(page, 'Environments', 'Refresh Environments');
    await pressInNotification(page, 'was signed out', 'Not Now');
    const signInAgain = welcomeButton(page, 'Environments', 'Sign In Again');
    await signInAgain.waitFor();
    await picture(page, 'signed-out');
    const before = platform.journal.arrivals.length;
    await pressInTitle(page, 'Environments', 'Refresh Environments');
    await signInAgain.focus();
    await page.keyboard.press('Enter');
    await pick(page, 'Email and password');
    assert.equal(platform.journal.arrivals.slice(before).filter(({ operation }) => operation === 'GetEnvs').length, 0);
    await answer(page, 'Your password', platform.sample.password);
    await pick(page, '30 days');
    await row('Saltmarsh Tea').waitFor();
    // The button is gone, so the keyboard goes on in the side bar.
    await page.locator('.sidebar :focus').first().waitFor({ state: 'attached' });
  });

  it('sign in to a second platform with a limited token, and add an environment by its name', async () => {
    await accounts.startWith('first');
    await accounts.enterToken('f'.repeat(40));
    await question('rejected this token').waitFor();
    await picture(page, 'sign-in-wrong-token');
    await quickInput(page).fill(await accounts.createNarrowToken());
    await page.keyboard.press('Enter');
    await answer(page, 'Name for this account', secondAccount);
    await unfoldRow(page, 'Environments', secondAccount);
    await clickRow(row("Token can't list environments"));
    await answer(page, 'Environment name', 'nowhere');
    await question('an environment named nowhere').waitFor();
    await quickInput(page).fill('blog-staging');
    await page.keyboard.press('Enter');
    // The first account has it too, but is collapsed.
    await row('Harbour Notes (staging)').waitFor();
    await picture(page, 'two-accounts');
  });

  it('renew the token with the password', async () => {
    await accounts.startWith('both');
    await runCommand(page, "Gantry Advanced: Renew Gantry's Access Token…");
    await pick(page, platform.sample.email);
    await pick(page, '1 year');
    await answer(page, 'Enter your password to renew the token', platform.sample.password);
    await notificationShown(page, 'valid until');
    assert.equal(count('RegenerateToken'), 1);
  });

  it('sign out and delete the token on the platform, and other windows follow', async () => {
    await accounts.startWith('both');
    const another = await openWindow(gantry.vscode, { context: gantry.window.context });
    await openContainer(another.page, 'Gantry');
    await rowIn(another.page, 'Environments', platform.sample.email).waitFor();
    const deleted = count('DeleteTokens');
    await runCommand(page, 'Gantry: Sign Out…');
    await pick(page, platform.sample.email);
    await dialog(page).waitFor();
    await picture(page, 'sign-out');
    await dialogButton(page, 'Sign Out and Delete Token').click();
    await answer(page, 'Enter your password to delete the token', platform.sample.password);
    await row(platform.sample.email).waitFor({ state: 'detached' });
    assert.equal(count('DeleteTokens'), deleted + 1);
    await rowIn(another.page, 'Environments', platform.sample.email).waitFor({ state: 'detached' });
    await another.close();
  });

  describe('when they are added by signing in', () => {
    beforeEach(() => accounts.startWith('none'));

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
      await question(`Your password for ${platform.sample.email} on ${new URL(platform.origin).host}`).waitFor();
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
});
