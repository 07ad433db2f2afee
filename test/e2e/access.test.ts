import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { answer, editor, editorTab, openContainer, pick, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { clickRow } from './support/rows';
import { rowIn, unfoldRow } from './support/sections';
import { answerWithPassword } from './support/signIn';

describe('work on tokens and sessions', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  const shownKeys: string[] = [];

  before(async () => {
    platform = await startPlatform();
    const soon = Date.now() + 3 * 24 * 60 * 60 * 1000;
    await platform.createToken({ description: 'Build server', tokenTemplate: 'Maven Plugin', expiresAt: soon });
    await platform.createToken({ description: 'Old laptop', tokenTemplate: 'IDE Plugins', expiresAt: Date.now() - 1 });
    gantry = await openGantry({
      settings: { 'gantry.platforms': [platform.origin] },
    });
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await runCommand(page, 'Gantry: Sign In…');
    await answerWithPassword(page, platform);
    await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Access', label);
  const requestTo = (operation: string) => platform.journal.next((entry) => entry.operation === operation);

  /** A list to choose from says what is asked where one types. */
  const asked = (question: string) => page.locator(`.quick-input-widget input[placeholder*="${question}"]`).waitFor();

  /** Calls a command from the menu of a row. */
  const onRow = (label: string | RegExp, item: string) => chooseInMenu(page, row(label), item);

  /** Presses a button of the question that is open, and waits until it is gone. */
  const press = async (button: string) => {
    await dialogButton(page, button).click();
    await dialog(page).waitFor({ state: 'detached' });
  };

  const unlock = async () => {
    await clickRow(row('Unlock with your password…'));
    await answer(page, 'Your password is kept for five minutes', platform.sample.password);
    await row('Unlocked until').waitFor();
  };

  const fold = async (view: string) => {
    const header = page.locator('.sidebar .pane-header').filter({ hasText: view });
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  };

  /** The environments are listed with the token, where they are seen. */
  const demandStillSignedIn = async () => {
    await runCommand(page, 'Gantry: Focus on Environments View');
    const listed = requestTo('GetEnvs');
    await runCommand(page, 'Gantry: Refresh Environments');
    assert.equal((await listed).result, 0);
    await fold('Environments');
  };

  it('is locked at first, says why, and opens with the password', async () => {
    for (const view of ['Environments', 'Favorites', 'Deployments']) await fold(view);
    await runCommand(page, 'Gantry: Focus on Access View');
    await row('Unlock with your password…').waitFor();
    await picture(page, 'access-locked');
    await unlock();
  });

  it('shows tokens with template, end and use, and marks its own', async () => {
    await row(/Gantry, VS Code on .*used here.*until/).waitFor();
    await row(/Build server, Maven Plugin · ends soon, .* · never used/).waitFor();
    await row(/Old laptop, IDE Plugins · ended .*/).waitFor();
    await unfoldRow(page, 'Access', 'Sessions');
    await row(/this one · Gantry/).waitFor();
    await picture(page, 'access');
  });

  it('makes a token with methods searched for and chosen, and shows its value once', async () => {
    await runCommand(page, 'Gantry: New Access Token…');
    await answer(page, 'What is the token for?', 'Reads configurations');
    await pick(page, 'Methods of your choice');
    await asked('Type to search');
    await quickInput(page).fill('environment.file');
    await picture(page, 'token-methods');
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
    await dialog(page).getByText('It is shown only now').waitFor();
    await picture(page, 'token-made');
    const shown = /[0-9a-f]{40}/.exec(await dialog(page).innerText())?.[0];
    assert.ok(shown);
    shownKeys.push(shown);
    await press('Copy');
    await row(/Reads configurations, 2 methods/).waitFor();
  });

  it('changes a token, sending all that it was', async () => {
    await onRow(/Build server/, 'Change Access Token…');
    await answer(page, 'What is the token for?', 'Build server at night');
    await asked('What may the token do?');
    await page.keyboard.press('Enter');
    const request = requestTo('EditToken');
    await pick(page, 'as it is');
    const { parameters } = await request;
    assert.equal(parameters['tokenTemplate'], 'Maven Plugin');
    assert.match(parameters['expiresAt'] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await row(/Build server at night, Maven Plugin · ends soon/).waitFor();
  });

  it('asks before it narrows the token that this window uses', async () => {
    await onRow(/used here/, 'Change Access Token…');
    await page.locator('.quick-input-widget').filter({ hasText: 'What is the token for?' }).waitFor();
    await page.keyboard.press('Enter');
    await pick(page, 'Marketplace');
    await pick(page, 'as it is');
    await dialog(page).getByText('Take away what it needs?').waitFor();
    await picture(page, 'token-narrowed');
    await press('Cancel');
    assert.equal(
      platform.journal.count(({ operation }) => operation === 'EditToken'),
      1,
    );
  });

  it('gives the token of this window a new value and goes on with it', async () => {
    await onRow(/used here/, 'Regenerate Access Token…');
    const request = requestTo('RegenerateToken');
    await dialogButton(page, 'Regenerate').click();
    await request;
    await dialog(page).getByText('Gantry uses it already').waitFor();
    const shown = /[0-9a-f]{40}/.exec(await dialog(page).innerText())?.[0];
    assert.ok(shown);
    shownKeys.push(shown);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await demandStillSignedIn();
  });

  it('signs out the sessions of chosen tokens, and of all', async () => {
    const ofOne = requestTo('SignoutSessions');
    await onRow(/Build server/, 'Sign Out Sessions of Access Tokens…');
    await press('Sign Out');
    assert.match((await ofOne).parameters['ids'] ?? '', /^\d+$/);
    const ofAll = requestTo('SignoutSessions');
    await onRow('Sessions', 'Sign Out Sessions of All Access Tokens…');
    await dialog(page).getByText('The tokens stay good').waitFor();
    await picture(page, 'sessions-signed-out');
    await press('Sign Out');
    assert.equal((await ofAll).parameters['ids'], '*');
  });

  it('shows the policies as a document that cannot be edited', async () => {
    await runCommand(page, 'Gantry: Show Token Policies');
    await editorTab(page, /Token policies/).waitFor();
    await editor(page).locator('.view-line').filter({ hasText: 'environment.' }).first().waitFor();
    await editor(page).locator('.view-line').first().click();
    const text = await editor(page).locator('.view-lines').innerText();
    await page.keyboard.type('x');
    await page.locator('.monaco-editor-overlaymessage').filter({ hasText: 'read-only' }).waitFor();
    await picture(page, 'policies');
    assert.equal(await editor(page).locator('.view-lines').innerText(), text);
    await runCommand(page, 'View: Close All Editors');
    await editorTab(page, /Token policies/).waitFor({ state: 'detached' });
  });

  it('deletes a token by key, naming it', async () => {
    await clickRow(row(/Old laptop/));
    const request = requestTo('DeleteTokens');
    await page.keyboard.press('Delete');
    await dialog(page).getByText('Delete the access token “Old laptop”?').waitFor();
    await picture(page, 'token-deleted');
    await press('Delete');
    await request;
    await row(/Old laptop/).waitFor({ state: 'detached' });
  });

  it('locks by signing its session out, and never signs out a token', async () => {
    const request = requestTo('Signout');
    await onRow('Unlocked until', 'Lock');
    await request;
    await row('Unlock with your password…').waitFor();
    // At the sign-in, and at the lock: each ended a session that a password had opened.
    assert.equal(
      platform.journal.count(({ operation }) => operation === 'Signout'),
      2,
    );
    await demandStillSignedIn();
  });

  it('says that deleting the token of this window signs it out, and asks to sign in again', async () => {
    await unlock();
    await onRow(/used here/, 'Delete Access Tokens…');
    await dialog(page).getByText('is signed out of').waitFor();
    await picture(page, 'token-used-deleted');
    await press('Delete');
    await asked('How do you sign in?');
    await page.keyboard.press('Escape');
    await row(/Signed out/).waitFor();
    await picture(page, 'access-signed-out');
  });

  it('leaves no shown value behind, neither in the window nor in its console', async () => {
    assert.equal(shownKeys.length, 2);
    const page_ = await page.content();
    for (const key of shownKeys) {
      assert.ok(!page_.includes(key));
      assert.ok(!gantry.window.console.some((line) => line.includes(key)));
    }
  });
});
