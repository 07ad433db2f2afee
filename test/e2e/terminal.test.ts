import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { skipOn } from '../host/skipOn';
import { notificationShown, oneTry, pressInNotification, tryAgain } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { SshServer } from '../unit/features/terminal/sshServer';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';
import { step } from './support/step';

describe('a terminal in the window, with a real SSH server', () => {
  let platform: LocalPlatform;
  let server: SshServer;
  let gantry: GantryWindow;
  let page: Page;

  before(async function () {
    // There is no sshd that the user of the tests may start.
    skipOn(this, 'win32');
    const program = SshServer.findProgram();
    // OpenSSH's server isn't installed on this machine.
    if (program === undefined) this.skip();
    server = await SshServer.start(program);
    platform = await startPlatform({ withoutProject: true });
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
    await onlySection(page, 'Environments');
    await unfoldPath(page, 'Environments', ['Saltmarsh Tea', 'Application servers']);
  });

  after(async () => {
    await (gantry as GantryWindow | undefined)?.close();
    await (platform as LocalPlatform | undefined)?.dispose();
    await (server as SshServer | undefined)?.stop();
  });

  it("asks for the gate in the settings, asks about the server's key as ssh does, and says how to add the person's key", async () => {
    const open = () => chooseInMenu(page, rowIn(page, 'Environments', 'NGINX PHP'), 'Open Terminal');
    await step('opens the setting if the gate is unknown, where the person adds it', async () => {
      await open();
      await pressInNotification(page, /the sample platform has no SSH gate/, 'Open Settings');
      const setting = page.locator('.settings-editor .setting-item-contents').filter({ hasText: 'Ssh: Gate' });
      const inputs = setting.locator('.setting-list-edit-row input');
      const [host, gate] = [new URL(platform.origin).host, `127.0.0.1:${server.port}`];
      // When the search has ended, VS Code draws the page again, without the row that is being added.
      await tryAgain(async () => {
        if (!(await inputs.first().isVisible())) await setting.getByText('Add Item').click({ timeout: oneTry() });
        await inputs.first().fill(host, { timeout: oneTry() });
        await inputs.last().fill(gate, { timeout: oneTry() });
        await setting.getByRole('button', { name: 'OK' }).click({ timeout: oneTry() });
        await setting.getByText(host).waitFor({ timeout: oneTry() });
        await setting.getByText(gate).waitFor({ timeout: oneTry() });
      });
      // VS Code stores it a second later, unless its editor was closed meanwhile.
      await setting.and(page.locator('.is-configured')).waitFor();
      await picture(page, 'terminal-gate');
      await page.locator('.modal-editor-action-container').getByLabel('Close Modal Editor').click();
      await setting.waitFor({ state: 'hidden' });
    });
    const rows = page.locator('.terminal-wrapper.active .xterm-rows');
    await open();
    await rows.getByText(/The\sauthenticity\sof\shost/).waitFor();
    await picture(page, 'terminal-host-key');
    // The person's list of known hosts stays as it is.
    await page.keyboard.type('no\n');
    await notificationShown(page, /Couldn't connect to .+NGINX PHP.+Settings › SSH Keys › Public Keys/);
    await picture(page, 'terminal-no-key');
  });
});
