import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { itNightly } from '../host/nightly';
import { openWindow } from '../host/vscode/openWindow';
import type { VsCodeOptions } from '../host/vscode/options';
import { startVsCode } from '../host/vscode/startVsCode';
import { editor, notification, notificationShown, openContainer } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { dialog, dialogButton } from './support/dialogs';
import { closeEverything } from './support/closeEverything';
import { hosts } from './support/gantryWindow';
import { extensionWithout, type MissingPart } from './support/hostParts/extensionInHost';
import { keys } from './support/keyboard';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import {
  pictureInThemes,
  narrowSideBar,
  onlySection,
  pressInline,
  rowIn,
  unfoldPath,
  unfoldSection,
  welcomeButton,
} from './support/sections';
import { answerWithPassword, signInButton, signInWithPassword } from './support/signIn';

const inThisWindow = "message: VS Code can't store your sign-in. It lasts until you close this window.";
const locked =
  "message: Couldn't read your accounts from this computer's keychain (The keyring is locked). Unlock the keychain, then try again.";
const notSaved = "message: Your sign-in wasn't saved because VS Code can't store secrets on this computer.";
const noAccountsMenu =
  'log: This editor has no Accounts menu for extensions. Sign in from the Environments view instead.';

type HostOptions = Pick<VsCodeOptions, 'builtInExtensions' | 'settings' | 'version'>;

describe('a host that lacks', () => {
  let platform: LocalPlatform;
  let edits = 0;

  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.dispose());

  const says: readonly (readonly [part: MissingPart, sentences: readonly string[]])[] = [
    ['nothing', []],
    ['a secret storage that stores', [inThisWindow]],
    ['a secret storage that returns what it stored', [inThisWindow]],
    ['the functions of authentication', [noAccountsMenu]],
    ['authentication providers, and tools of language models', [noAccountsMenu]],
    ['authentication, language models, chat, and everything that Gantry does not use', [noAccountsMenu]],
  ];
  for (const [part, sentences] of says) {
    itNightly(
      `${part}: everything else works, and ${sentences.length === 0 ? 'nothing' : 'one sentence'} is said`,
      async () => {
        await inHostWithout(part, {}, async (page, observed) => {
          await signInWithPassword(page, platform);
          await pictureInThemes(page, `host-${part.replaceAll(/[ ,]+/g, '-').slice(0, 50)}`);
          await editFile(page);
          assert.deepEqual(await observed(), sentences);
        });
      },
    );
  }

  itNightly('language models and more, in the oldest VS Code that is supported: everything else works', async () => {
    const part = 'authentication, language models, chat, and everything that Gantry does not use';
    await inHostWithout(part, { version: 'minimum' }, async (page, observed) => {
      await signInWithPassword(page, platform);
      await editFile(page);
      assert.deepEqual(await observed(), [noAccountsMenu]);
    });
  });

  itNightly('source control: edits of deployed files are still marked in the view', async () => {
    await inHostWithout('source control', {}, async (page, observed) => {
      await signInWithPassword(page, platform);
      await unfoldSection(page, 'Deployments');
      await rowIn(page, 'Deployments', /^ROOT, .*master/).waitFor();
      await onlySection(page, 'Environments');
      const folders = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /^webroot, .*shortcut/, /^ROOT, folder/];
      await unfoldPath(page, 'Environments', folders);
      await openRow(rowIn(page, 'Environments', /^style\.css/));
      await typeAndSave(page, '/* edited */\n');
      await rowIn(page, 'Environments', /^style\.css/)
        .locator('.monaco-icon-label[aria-label*="on the node since the last redeploy"]')
        .waitFor();
      await picture(page, 'host-source-control');
      assert.deepEqual(await observed(), []);
    });
  });

  it('a secret storage that is unlocked: the view says so, and a sign-in works for this window', async () => {
    await inHostWithout('a secret storage that is unlocked', {}, async (page, observed) => {
      await openContainer(page, 'Gantry');
      const signIn = welcomeButton(page, 'Environments', 'Sign In');
      await signIn.waitFor();
      await narrowSideBar(page);
      await pictureInThemes(page, 'host-locked');
      const buttons = page.locator('.welcome-view-content .monaco-button');
      const cutOff = buttons.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
      assert.deepEqual(await cutOff, [false, false]);
      const messages = async () => (await observed()).filter((line) => line.startsWith('message'));
      assert.deepEqual(await messages(), [locked]);
      await signIn.click();
      await dialog(page).waitFor();
      await picture(page, 'host-locked-question');
      await dialogButton(page, 'Sign In for This Window').click();
      await answerWithPassword(page, platform);
      await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
      await picture(page, 'host-locked-signed-in');
      await editFile(page);
      // The second one is the question.
      assert.deepEqual(await messages(), [locked, locked]);
    });
  });

  it('a secret storage that outlives the window: the next window says once that the sign-in was not saved', async () => {
    await inHostWithout('a secret storage that outlives the window', {}, async (page, observed) => {
      await signInWithPassword(page, platform);
      await editFile(page);
      assert.deepEqual(await observed(), []);
      await page.reload();
      await notificationShown(page, 'sign-in');
      await pictureInThemes(page, 'host-forgets');
      await openContainer(page, 'Gantry');
      await signInButton(page).waitFor();
      assert.deepEqual(await observed(), [notSaved]);
      await closeEverything(page);
      await page.reload();
      await signInWithPassword(page, platform);
      // When a window closes, VS Code ends its pending calls with this error.
      const lines = (await observed()).filter((line) => line !== 'log: Canceled');
      assert.deepEqual(lines, [notSaved]);
    });
  });

  const gits: Readonly<Record<string, readonly [options: HostOptions, sentence: RegExp]>> = {
    'the Git extension': [
      { builtInExtensions: 'withoutGit' },
      /because the Git extension isn't available in this window/,
    ],
    'Git, which the settings turn off': [
      { settings: { 'git.enabled': false } },
      /because Git is turned off in this window/,
    ],
  };
  for (const [part, [options, sentence]] of Object.entries(gits)) {
    itNightly(`${part}: everything else works, and the first redeploy says what can't be checked`, async () => {
      await inHostWithout('nothing', options, async (page, observed) => {
        await signInWithPassword(page, platform);
        await editFile(page);
        await onlySection(page, 'Environments');
        await unfoldSection(page, 'Deployments');
        const project = rowIn(page, 'Deployments', /^ROOT/);
        await pressInline(project, 'Redeploy');
        await notificationShown(page, sentence);
        await notificationShown(page, 'still runs');
        await pictureInThemes(page, `host-${part.replaceAll(/[ ,]+/g, '-')}`);
        await closeEverything(page);
        await pressInline(project, 'Redeploy');
        await notificationShown(page, 'still runs');
        assert.equal(await notification(page, sentence).count(), 0);
        assert.deepEqual(await observed(), []);
      });
    });
  }

  /** Runs in a window whose extension host lacks something from the start. */
  async function inHostWithout(
    part: MissingPart,
    { builtInExtensions, settings = {}, version = 'newest' }: HostOptions,
    work: (page: Page, observed: () => Promise<readonly string[]>) => Promise<void>,
  ): Promise<void> {
    const { folder, observed } = await extensionWithout(part);
    const options = { extension: { folder }, settings };
    const vscode = await (builtInExtensions === undefined
      ? hosts[version].take(options)
      : startVsCode({ ...options, builtInExtensions }));
    try {
      const window = await openWindow(vscode);
      try {
        await work(window.page, observed);
        // VS Code itself reports an extension that couldn't be activated only here.
        assert.deepEqual(
          window.console.filter((line) => /gantry/i.test(line) && /Activating extension|failed/.test(line)),
          [],
        );
      } finally {
        await window.close();
      }
    } finally {
      await vscode.dispose();
    }
  }

  /** Types at the start of the active editor. */
  async function typeAndSave(page: Page, text: string): Promise<void> {
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type(text);
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
  }

  /** Lists folders, opens a file, edits it, and saves it. */
  async function editFile(page: Page): Promise<void> {
    await onlySection(page, 'Environments');
    await unfoldPath(page, 'Environments', ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
    await openRow(rowIn(page, 'Environments', 'shop.conf'));
    edits += 1;
    await typeAndSave(page, `# edit ${edits}\n`);
    const [node] = platform.nodes('shop', 'bl');
    const text = await readFile(join(platform.nodeFolder(node?.id ?? 0), 'etc/nginx/conf.d/shop.conf'), 'utf8');
    assert.ok(text.startsWith(`# edit ${edits}\n`), text.slice(0, 60));
  }
});
