import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { answer, clickRow, openContainer, pick, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import {
  chooseInTitle,
  foldSection,
  onlySection,
  pressInTitle,
  rowIn,
  section,
  unfoldRow,
  welcomeButton,
} from './support/sections';
import { answerWithPassword } from './support/signIn';

describe('the Access view in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    const soon = Date.now() + 3 * 24 * 60 * 60 * 1000;
    await platform.createToken({ description: 'Build server', tokenTemplate: 'Maven Plugin', expiresAt: soon });
    await platform.createToken({ description: 'Old laptop', tokenTemplate: 'IDE Plugins', expiresAt: Date.now() - 1 });
    gantry = await openGantry();
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await runCommand(page, 'Gantry: Sign In…');
    await answerWithPassword(page, platform);
    await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
    await chooseInTitle(page, 'Environments', /^Show Access Tokens$/);
    await section(page, 'Access').waitFor();
  });

  beforeEach(async () => {
    await onlySection(page, 'Access');
    await signedInAndLocked();
    platform.journal.reset();
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Access', label);
  const requestTo = (operation: string) => platform.journal.next((entry) => entry.operation === operation);
  const count = (operation: string) => platform.journal.count((entry) => entry.operation === operation);

  /** A list shows its question in the input box. */
  const asked = (question: string) => page.locator(`.quick-input-widget input[placeholder*="${question}"]`).waitFor();

  /** Calls a command from the menu of a row. */
  const onRow = (label: string | RegExp, item: string) => chooseInMenu(page, row(label), item);

  /** Clicks a button of the open question and waits until the question is closed. */
  const press = async (button: string) => {
    await dialogButton(page, button).click();
    await dialog(page).waitFor({ state: 'detached' });
  };

  const locked = () => welcomeButton(page, 'Access', 'Unlock Access View…');
  const unlocked = () => row('Unlocked until');
  const signedOut = () => welcomeButton(page, 'Access', 'Sign In Again');

  const unlock = async () => {
    await locked().click();
    await answer(page, 'kept in memory', platform.sample.password);
    await unlocked().waitFor();
  };

  /** Restores the state after a sign-in, whatever the previous test did. */
  const signedInAndLocked = async () => {
    await locked().or(unlocked()).or(signedOut()).first().waitFor();
    if (await signedOut().isVisible()) {
      await signedOut().click();
      await pick(page, 'Email and password');
      await answer(page, 'Your password', platform.sample.password);
      await pick(page, '90 days');
    }
    await locked().or(unlocked()).first().waitFor();
    if (await unlocked().isVisible()) await onRow('Unlocked until', 'Lock Access View');
    await locked().waitFor();
  };

  /** Returns the token value in the question. It isn't shown anywhere else afterwards. */
  const valueShown = async () => {
    const [value] = /[0-9a-f]{40}/.exec(await dialog(page).innerText()) ?? [];
    assert.ok(value);
    return value;
  };

  const assertNowhere = async (value: string) => {
    assert.ok(!(await page.content()).includes(value), 'not in the window');
    assert.ok(!gantry.window.console.some((line) => line.includes(value)), 'not in its console');
  };

  /** Lists the environments, which needs the token. */
  const demandStillSignedIn = async () => {
    await runCommand(page, 'Gantry: Focus on Environments View');
    const listed = requestTo('GetEnvs');
    await pressInTitle(page, 'Environments', 'Refresh Environments');
    assert.equal((await listed).result, 0);
    await foldSection(page, 'Environments');
  };

  it('says that the password is wrong, and asks again', async () => {
    await locked().click();
    await answer(page, 'kept in memory', `${platform.sample.password}!`);
    await answer(page, `Incorrect password for ${platform.sample.email} on `, platform.sample.password);
    await unlocked().waitFor();
    await onRow('Unlocked until', 'Lock Access View');
    await locked().waitFor();
  });

  it('is locked at first, says why, unlocks with the password, and signs out only that session when it is locked', async () => {
    await locked().waitFor();
    await picture(page, 'access-locked');
    await unlock();
    const request = requestTo('Signout');
    await onRow('Unlocked until', 'Lock Access View');
    await request;
    await locked().waitFor();
    assert.deepEqual([count('Signin'), count('Signout')], [1, 1]);
    await demandStillSignedIn();
  });

  it('shows the template, expiration, and use of each token, and marks the token and session of this window', async () => {
    await unlock();
    await row(/Gantry, VS Code on .*used here.*expires/).waitFor();
    await row(/Build server, expires soon, .* · Maven Plugin · never used/).waitFor();
    await row(/Old laptop, expired .* · IDE Plugins/).waitFor();
    await unfoldRow(page, 'Access', 'Sessions');
    await row(/current session · Gantry/).waitFor();
    await picture(page, 'access');
  });

  it('creates a token with searched and selected methods, shows its value once, and leaves it neither in the window nor in its console', async () => {
    await unlock();
    await pressInTitle(page, 'Access', 'New Access Token…');
    await answer(page, 'Token name', 'Reads configurations');
    await pick(page, 'Custom methods');
    await asked('Type to filter');
    await quickInput(page).fill('environment.file');
    await picture(page, 'token-methods');
    await page.keyboard.press('Enter');
    // A filter would hide what's missing.
    await asked('Select at least one method.');
    assert.equal(await quickInput(page).inputValue(), '');
    for (const method of ['GetList', 'Read']) {
      await quickInput(page).fill(method);
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ has: page.getByText(method, { exact: true }), hasText: 'environment.file' })
        .click();
    }
    await quickInput(page).fill('');
    await page.keyboard.press('Enter');
    const request = requestTo('CreateToken');
    await pick(page, '30 days');
    const { parameters } = await request;
    assert.deepEqual((parameters['apiList'] ?? '').split(',').sort(), [
      'environment.file.GetList',
      'environment.file.Read',
    ]);
    assert.equal(parameters['tokenTemplate'], 'Custom');
    await dialog(page).getByText("it won't be shown again").waitFor();
    await picture(page, 'token-made');
    const value = await valueShown();
    await press('Copy');
    await row(/Reads configurations, .*2 methods, read-only/).waitFor();
    await assertNowhere(value);
  });

  itNightly('changes a token and sends its unchanged values too', async () => {
    const soon = Date.now() + 3 * 24 * 60 * 60 * 1000;
    await platform.createToken({ description: 'Mirror', tokenTemplate: 'Maven Plugin', expiresAt: soon });
    await unlock();
    await onRow(/Mirror/, 'Edit Access Token…');
    await answer(page, 'Token name', 'Mirror at night');
    await asked('Select what the token can do');
    await page.keyboard.press('Enter');
    const request = requestTo('EditToken');
    await pick(page, 'unchanged');
    const { parameters } = await request;
    assert.equal(parameters['tokenTemplate'], 'Maven Plugin');
    assert.match(parameters['expiresAt'] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await row(/Mirror at night, expires soon, .* · Maven Plugin/).waitFor();
  });

  itNightly('asks before it takes permissions from the token that this window uses', async () => {
    await unlock();
    await onRow(/used here/, 'Edit Access Token…');
    await page.locator('.quick-input-widget').filter({ hasText: 'Token name' }).waitFor();
    await page.keyboard.press('Enter');
    await pick(page, 'Marketplace');
    await pick(page, 'unchanged');
    await dialog(page).getByText('and remove methods that Gantry needs').waitFor();
    await picture(page, 'token-narrowed');
    await press('Cancel');
    assert.equal(count('EditToken'), 0);
  });

  it('regenerates the token of this window and keeps using it, and leaves its value neither in the window nor in its console', async () => {
    await unlock();
    await onRow(/used here/, 'Regenerate Access Token…');
    const request = requestTo('RegenerateToken');
    await dialogButton(page, 'Regenerate').click();
    await request;
    await dialog(page).getByText('Gantry already uses the new value').waitFor();
    const value = await valueShown();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await demandStillSignedIn();
    await assertNowhere(value);
  });

  itNightly('signs out the sessions of selected tokens, and of all tokens', async () => {
    await unlock();
    const ofOne = requestTo('SignoutSessions');
    await onRow(/Build server/, 'Sign Out Token Sessions…');
    await press('Sign Out');
    assert.match((await ofOne).parameters['ids'] ?? '', /^\d+$/);
    const ofAll = requestTo('SignoutSessions');
    await onRow('Sessions', 'Sign Out All Token Sessions…');
    await dialog(page).getByText('The tokens stay valid').waitFor();
    await picture(page, 'sessions-signed-out');
    await press('Sign Out');
    assert.equal((await ofAll).parameters['ids'], '*');
  });

  it('deletes a token with the Delete key after a question that names it', async () => {
    await platform.createToken({ description: 'Lost phone', tokenTemplate: 'IDE Plugins' });
    await unlock();
    await clickRow(row(/Lost phone/));
    const request = requestTo('DeleteTokens');
    await page.keyboard.press('Delete');
    await dialog(page).getByText('Delete the access token “Lost phone”?').waitFor();
    await picture(page, 'token-deleted');
    await press('Delete');
    await request;
    await row(/Lost phone/).waitFor({ state: 'detached' });
  });

  itNightly(
    'says that deleting the token of this window signs the account out, and asks the user to sign in again',
    async () => {
      await unlock();
      await onRow(/used here/, 'Delete Access Token…');
      await dialog(page).getByText('be signed out of').waitFor();
      await picture(page, 'token-used-deleted');
      await press('Delete');
      await asked('Select how to sign in');
      await page.keyboard.press('Escape');
      await signedOut().waitFor();
      await picture(page, 'access-signed-out');
    },
  );
});
