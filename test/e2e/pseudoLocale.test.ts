import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import words from '../../package.nls.json';
import type { FilePlace } from '../../src/containers/place';
import { backupsIn, closedWindow } from '../unit/files/journal/journalSetUp';
import { journalFolder } from '../../src/storage/storageKeys';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import type { VsCode } from '../host/vscode/startVsCode';
import {
  clickRow,
  editor,
  notificationShown,
  oneTry,
  openContainer,
  pick,
  pointNowhere,
  quickInput,
  runCommand,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { callPlatform } from './support/callPlatform';
import { closeEverything, closePrompts } from './support/closeEverything';
import { hosts } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { createPseudoExtension, pseudoLanguage } from './support/pseudoLocale/pseudoExtension';
import { accentedLetters, pseudoText } from './support/pseudoLocale/pseudoText';
import { translationProblems } from './support/pseudoLocale/translationProblems';
import { hasEnglishWord } from './support/pseudoLocale/untranslatedNames';
import {
  onlySection,
  pressAboveFound,
  pressInline,
  pressInTitle,
  rowIn,
  unfoldPath,
  unfoldRow,
  unfoldSection,
  welcomeButton,
} from './support/sections';

const sideBar = '.part.sidebar';
const question = '.quick-input-widget, .monaco-dialog-box';
const message = ':is(.notifications-toasts, .notifications-center) .notification-list-item';
const menu = '.monaco-menu';
const documentLine = '.editor-group-container.active .view-line';

/** Runs in the page. The elements of an editor's lines aren't in the order of the lines. */
const linesInOrder = `(selector) =>
  [...document.querySelectorAll(selector)]
    .sort((one, other) => parseFloat(one.style.top) - parseFloat(other.style.top))
    .map(({ textContent }) => textContent.replaceAll('\\u00a0', ' ').trim())`;

const environments = pseudoText('Environments');
const favorites = pseudoText('Favorites');
const deployments = pseudoText('Deployments');
const mounts = pseudoText('Mounts');
const access = pseudoText('Access');

/** All of Gantry's texts are translated into a pseudo-language, 40 % longer and with accents. VS Code's stay English. */
describe('the window in another language', () => {
  let platform: LocalPlatform;
  let vscode: VsCode;
  let window: VsCodeWindow;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    platform = await startPlatform();
    const [database] = platform.nodes('shop', 'sqldb');
    await callPlatform(platform, 'AddMountPointByGroup', {
      envName: 'shop',
      nodeGroup: 'cp',
      path: '/mnt/backup',
      protocol: 'NFS4',
      readOnly: true,
      sourceNodeId: database?.id ?? 0,
      sourcePath: '/var/lib/backup',
    });
    await platform.createToken({
      description: 'Build server',
      tokenTemplate: 'Maven Plugin',
      expiresAt: Date.now() - 1,
    });
    const [balancer] = platform.nodes('shop', 'bl');
    const image = join(platform.nodeFolder(balancer?.id ?? 0), 'etc/nginx/conf.d/logo.png');
    await writeFile(image, Buffer.from('\u0089PNG\r\n\u001a\n\u00ff'.repeat(300), 'latin1'));
    const folder = await createPseudoExtension();
    vscode = await hosts.newest.take({ extension: { folder }, settings: { 'gantry.platforms': [platform.origin] } });
    const context = await vscode.newContext();
    // VS Code asks this for the language of the manifest's texts, and passes it on to the extension host.
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${pseudoLanguage}'`);
    // The search for untranslated text asks what is visible.
    window = await openWindow(vscode, { context, isDrawn: true });
    page = window.page;
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await window.close();
    await vscode.dispose();
    await platform.dispose();
  });

  /** Defines a test that fails if any of its checks found a problem. */
  const itHas = (title: string, look: () => Promise<void>) =>
    it(`has ${title}`, async () => {
      await look();
      assert.deepEqual(problems.splice(0), []);
    });
  /** The text or placeholder that contains this English text. */
  const shown = (english: string, region: string): Locator => {
    const text = accentedLetters(english);
    const within = page.locator(region);
    return within.getByText(text).or(within.getByPlaceholder(text)).filter({ visible: true }).first();
  };

  /** Checks all texts of a part of the window once it shows this English text. */
  const check = async (name: string, region: string, english: string, wait: { timeout?: number } = {}) => {
    await shown(english, region).waitFor(wait);
    await picture(page, `pseudo-${name}`);
    problems.push(...(await translationProblems(page, region)).map((problem) => `${name}: ${problem}`));
  };
  /** Checks a notification, at this element of it. */
  const checkMessage = async (name: string, english: string, element = ''): Promise<void> => {
    await notificationShown(page, accentedLetters(english));
    await check(name, `${message} ${element}`, english);
  };
  /** Opens a menu and checks it. A menu closes when its view is refreshed, so this opens it again as a user would. */
  const checkMenu = async (row: Locator, name: string, item: string, tries = 3): Promise<void> => {
    await clickRow(row, { button: 'right' });
    const failed = await check(`menu-${name}`, menu, item, { timeout: oneTry() }).catch((error: unknown) => ({
      error,
    }));
    await page.keyboard.press('Escape');
    await pointNowhere(page);
    if (failed !== undefined && tries === 1) throw failed.error;
    if (failed !== undefined) await checkMenu(row, name, item, tries - 1);
  };
  const run = (title: string, category = 'Gantry') => runCommand(page, `${category}: ${pseudoText(title)}`);
  const runAdvanced = (title: string) => run(title, pseudoText('Gantry Advanced'));
  const choose = (english: string) => pick(page, accentedLetters(english));
  const enter = async (text: string) => {
    await quickInput(page).fill(text);
    await page.keyboard.press('Enter');
  };
  const alone = async (view: string) => {
    await unfoldSection(page, view);
    await onlySection(page, view);
  };

  /** Stores what a window leaves behind if it's closed during a save. */
  const keepUnsavedText = async () => {
    const storage = join(vscode.stateFolder, 'user', 'User', 'globalStorage', 'gantry.gantry');
    const [check = ''] = await readdir(join(storage, 'compatibility'));
    const [node] = platform.nodes('shop', 'bl');
    const place: FilePlace = {
      kind: 'file',
      account: check.replace(/\.json$/, ''),
      environment: 'shop',
      target: { nodeGroup: 'bl', nodeId: node?.id ?? 0 },
      path: '/etc/nginx/conf.d/upstream.conf',
    };
    const closed = backupsIn(join(storage, journalFolder), closedWindow('closed'));
    await closed.keep({
      place,
      base: { kind: 'unknown' },
      reportedStat: undefined,
      text: '# unsaved\n',
      scope: 'place',
    });
  };

  itHas('a translated welcome view and sign-in', async () => {
    await openContainer(page, 'Gantry');
    await check('welcome', sideBar, 'Sign In');
    await page.locator('.welcome-view-content .monaco-button').first().click();
    await check('platform', question, 'Enter Another Address…');
    await pick(page, platform.origin);
    await check('sign-in', question, 'Select how to sign in');
    await choose('Email and password');
    await check('email', question, 'Your email address');
    await enter(platform.sample.email);
    await check('password', question, 'Your password for ');
    await enter(platform.sample.password);
    await check('lifetime', question, 'Never expires');
    const noEnvironments = { kind: 'answer', body: JSON.stringify({ result: 0, infos: [] }) } as const;
    platform.faults.add({ operation: 'GetEnvs', times: 'always', fault: noEnvironments });
    await page.keyboard.press('Enter');
    await check('no-environments', sideBar, 'No environments found.');
    for (const [name, view] of Object.entries({ favorites, deployments, mounts })) {
      await alone(view);
      await check(`no-environments-${name}`, sideBar, 'No environments found.');
    }
    platform.faults.clear();
    await alone(environments);
    await pressInTitle(page, environments, pseudoText('Refresh Environments'));
    await rowIn(page, environments, 'Saltmarsh Tea').waitFor();
    await unfoldSection(page, deployments);
    await check('signed-in', sideBar, 'Deployments');
  });

  itHas('translated rows and menus in the Environments view, and a translated status of an open file', async () => {
    await alone(environments);
    await unfoldPath(page, environments, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
    const file = rowIn(page, environments, 'shop.conf');
    await clickRow(file);
    await editor(page).locator('.view-line').first().waitFor();
    await check('tree', `${sideBar}, .statusbar-item[id^="gantry"]`, 'main node');
    await checkMenu(rowIn(page, environments, 'Saltmarsh Tea'), 'environment', 'Open in Browser');
    await checkMenu(rowIn(page, environments, 'Load balancer'), 'layer', 'Add Mount Point…');
    await checkMenu(rowIn(page, environments, 'NGINX 1.26'), 'node', 'Upload');
    await checkMenu(rowIn(page, environments, 'conf.d'), 'folder', 'New Folder…');
    await checkMenu(file, 'file', 'Compare');
    await chooseInMenu(page, file, pseudoText('Add to Favorites'));
    await unfoldSection(page, favorites);
    await rowIn(page, favorites, 'shop.conf').waitFor();
  });

  itHas('a translated page for a binary file', async () => {
    await clickRow(rowIn(page, environments, 'logo.png'));
    const details = page.frameLocator('iframe.webview').frameLocator('#active-frame').locator('body');
    await details.getByText(accentedLetters('Location')).waitFor();
    await picture(page, 'pseudo-binary');
    problems.push(...(await details.innerText()).split('\n').filter(hasEnglishWord));
  });

  itHas('translated rows and menus in the other views', async () => {
    await alone(favorites);
    await check('favorites', sideBar, 'Favorites');
    await checkMenu(rowIn(page, favorites, 'shop.conf'), 'favorite', 'Rename Favorite…');
    await alone(deployments);
    await unfoldRow(page, deployments, /^ROOT/);
    await check('deployments', sideBar, 'Auto-update');
    await checkMenu(rowIn(page, deployments, /^ROOT/), 'project', 'Roll Back…');
    await alone(mounts);
    await unfoldPath(page, mounts, ['Saltmarsh Tea', 'Application servers']);
    await check('mounts', sideBar, 'read-only');
    await checkMenu(rowIn(page, mounts, /^\/mnt\/backup/), 'mount', 'Unmount…');
    await runCommand(page, `Gantry: Focus on ${access} View`);
    await alone(access);
    await check('access-locked', sideBar, 'Unlock Access View…');
    await welcomeButton(page, access, accentedLetters('Unlock Access View…')).click();
    await check('unlock', question, 'kept in memory');
    await enter(platform.sample.password);
    await rowIn(page, access, 'Build server').waitFor();
    await check('access', sideBar, 'Unlocked until');
    await checkMenu(rowIn(page, access, 'Build server'), 'token', 'Regenerate Access Token…');
  });

  itHas('a translated search and Go to File', async () => {
    await alone(environments);
    const folder = rowIn(page, environments, 'conf.d');
    await chooseInMenu(page, folder, `${pseudoText('Open')} › ${pseudoText('Go to File…')}`);
    await check('go-to-file', question, 'File name or path');
    await closePrompts(page);
    await chooseInMenu(page, folder, pseudoText('Find in Folder…'));
    await check('find-in-folder', question, 'Enter the text to find');
    await enter('80');
    await page.locator('.part.panel').getByRole('treeitem', { name: 'listen 80' }).first().waitFor();
    await picture(page, 'pseudo-results');
    await pressAboveFound(page, pseudoText('Replace in Results…'));
    await check('replace', question, 'Replacement for');
    await enter('81');
    await check('review', question, 'Review the changes');
    await closePrompts(page);
    await pressAboveFound(page, pseudoText('Clear Search Results'));
    await runCommand(page, 'View: Hide Panel');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
  });

  itHas('translated questions', async () => {
    await run('New Project…');
    await check('repository', question, 'Select a repository');
    await enter('https://git.example.com/tea.git');
    await check('branch', question, 'Enter the branch to deploy');
    await enter('main');
    await check('layer', question, 'Select the layer to deploy to');
    await page.keyboard.press('Enter');
    await check('project', question, 'Zero-downtime deployment');
    await closePrompts(page);
    await run('Go to Environment, Node, or Project…');
    await check('go-to', question, 'Name, domain, node ID');
    await closePrompts(page);
    await run('Roll Back…');
    await pick(page, 'ROOT');
    await check('roll-back', question, 'Select a commit to deploy');
    await closePrompts(page);
    await runAdvanced('Check Platform Compatibility…');
    await check('compatibility', question, 'Select a node to check');
    await closePrompts(page);
    await run('Add Mount Point…');
    await check('mount', question, 'Select the layer or node to mount on');
    await closePrompts(page);
    await run('Add Environment…');
    await check('environment', question, 'Environment name');
    await closePrompts(page);
    await alone(access);
    await pressInTitle(page, access, pseudoText('New Access Token…'));
    await check('token', question, 'Token name');
    await enter('Reads');
    await check('permissions', question, 'Custom methods');
    await closePrompts(page);
    await run('Sign Out…');
    await check('sign-out', question, 'Sign Out and Delete Token');
    await closePrompts(page);
    await alone(environments);
    await clickRow(rowIn(page, environments, 'upstream.conf'));
    await page.keyboard.press('Delete');
    await check('delete', question, 'This permanently deletes it from');
    await closePrompts(page);
  });

  itHas(
    'translated documents: the report of a compatibility check, the settings page, and interrupted saves',
    async () => {
      await runAdvanced('Check Platform Compatibility…');
      await pick(page, 'NGINX 1.26');
      await check('check-by-writing', question, 'Run Write Check…');
      await choose('Show Report');
      await check('report', `${documentLine}, ${message}`, 'Gantry only read from the platform');
      await page.keyboard.press(keys.bottom);
      await check('report-end', documentLine, "Couldn't be checked");
      await runAdvanced('Copy Redacted Compatibility Report');
      await closeEverything(page);
      await run('Copy Diagnostics');
      await checkMessage('diagnostics', 'Copied diagnostics');
      await closeEverything(page);
      await run('Project Settings…');
      await pick(page, 'ROOT');
      await check('project-settings', question, 'Repository');
      await closePrompts(page);
      await keepUnsavedText();
      await run('Show Interrupted Saves');
      await check('interrupted-saves', question, 'Interrupted Saves');
      await page.locator('.quick-input-list .monaco-list-row').first().click();
      await page.keyboard.press('Enter');
      // The list before it is also about discarding.
      await check('interrupted-save', question, 'Select what to do with');
      await closePrompts(page);
    },
  );

  itHas('translated messages after a conflict, a failure, and a redeploy', async () => {
    await alone(environments);
    await clickRow(rowIn(page, environments, 'shop.conf'), { times: 2 });
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.type('# mine\n');
    const [node] = platform.nodes('shop', 'bl');
    await writeFile(join(platform.nodeFolder(node?.id ?? 0), 'etc/nginx/conf.d/shop.conf'), '# theirs\n');
    await page.keyboard.press('ControlOrMeta+S');
    await check('conflict-question', '.monaco-dialog-box', 'Overwrite');
    await page.keyboard.press('Escape');
    await checkMessage('conflict', 'Overwrite', '.notification-list-item-message a');
    await closeEverything(page);
    platform.faults.add({ operation: 'GetList', times: 'always', fault: { kind: 'reset' } });
    await unfoldRow(page, environments, /home/);
    await check('failure', sideBar, "platform can't be reached");
    platform.faults.clear();
    await alone(deployments);
    await pressInline(rowIn(page, deployments, /^ROOT/), pseudoText('Redeploy'));
    await checkMessage('redeployed', ' still runs ');
    await closeEverything(page);
    await run('Show Last Redeploy');
    await pick(page, 'ROOT');
    await page.locator(documentLine).first().waitFor();
    await picture(page, 'pseudo-redeploy-log');
    const lines = await page.evaluate<readonly string[]>(`(${linesInOrder})(${JSON.stringify(documentLine)})`);
    // The platform's own log follows after an empty line.
    problems.push(...lines.slice(0, lines.indexOf('')).filter(hasEnglishWord));
    assert.ok(lines.indexOf('') > 2, lines.join('\n'));
  });

  itHas('translated settings, commands, and a translated walkthrough', async () => {
    await page.keyboard.press('F1');
    await quickInput(page).fill('>Gantry: ');
    // VS Code shows the English title of each command below the translated one.
    await check('commands', '.quick-input-list .quick-input-list-row:first-child', 'Add Environment…');
    await closePrompts(page);
    await runCommand(page, 'Preferences: Open Settings (UI)');
    await page.locator('.settings-editor .suggest-input-container').click();
    await page.keyboard.type('@ext:gantry.gantry');
    await page.locator('.settings-tabs-widget .action-label').filter({ hasText: 'Remote' }).click();
    const descriptions = '.settings-editor .setting-item-description';
    await check('settings', descriptions, 'Addresses of platforms');
    // The others don't fit into the window.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('@id:gantry.redeploy.confirm,gantry.networkStack,gantry.transport');
    await check('more-settings', descriptions, 'How Gantry sends request parameters');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await choose(words['walkthrough.title']);
    const parts = ['.step-title', '.step-description-container', '.category-title', '.category-description'];
    const walkthrough = parts.map((part) => `.gettingStartedDetailsContent ${part}`).join();
    await check('walkthrough', walkthrough, 'Sign In');
  });
});
