import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { notificationShown } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { SshServer } from '../unit/terminal/sshServer';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { onlySection, rowIn, unfoldPath } from './support/sections';
import { signInWithPassword } from './support/signIn';

// Windows has no sshd that the user of the tests may start.
const whereSshdRuns = process.platform === 'win32' ? (): undefined => undefined : describe;

whereSshdRuns('a terminal in the window, with a real SSH server', () => {
  let platform: LocalPlatform;
  let server: SshServer;
  let gantry: GantryWindow;
  let page: Page;

  before(async function () {
    const program = SshServer.findProgram();
    // OpenSSH's server isn't installed on this machine.
    if (program === undefined) this.skip();
    server = await SshServer.start(program);
    platform = await startPlatform({ withoutProject: true });
    const gate = { [new URL(platform.origin).host]: `127.0.0.1:${server.port}` };
    // Tests read what a terminal shows from the page.
    const settings = { 'gantry.ssh.gate': gate, 'terminal.integrated.gpuAcceleration': 'off' };
    gantry = await openGantry({ settings });
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

  it("asks about the server's key as ssh does, and says how to add the person's key if that fails", async () => {
    await chooseInMenu(page, rowIn(page, 'Environments', 'NGINX PHP'), 'Open Terminal');
    const rows = page.locator('.terminal-wrapper.active .xterm-rows');
    await rows.getByText(/The\sauthenticity\sof\shost/).waitFor();
    await picture(page, 'terminal-host-key');
    // The person's list of known hosts stays as it is.
    await page.keyboard.type('no\n');
    await notificationShown(page, /Couldn't connect to .+NGINX PHP.+Settings › SSH Keys › Public Keys/);
    await picture(page, 'terminal-no-key');
  });
});
