import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { FrameLocator, Page } from 'playwright-core';
import { editor, editorTab, notification, notificationShown, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseLocalPath } from './support/localFiles';
import { chooseInMenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import { openRow } from './support/rows';
import { chooseTheme, rowIn, unfoldPath } from './support/sections';
import { browseTo } from './support/signIn';

const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, configuration/];

/** One transparent pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="teal"/></svg>\n';

describe("a file in the window that the platform can't return exactly", () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let folder: string;

  before(async () => {
    platform = await startPlatform();
    folder = join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), 'var/www/webroot');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'logo.png'), png);
    writeFileSync(join(folder, 'mark.svg'), svg);
    writeFileSync(join(folder, 'lieferant.txt'), Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, path);
    await unfoldPath(page, 'Environments', path);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: RegExp) => rowIn(page, 'Environments', label);
  const operations = () => platform.journal.arrivals.map(({ operation }) => operation);
  const shown = (): FrameLocator => page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  const action = (name: string) => shown().getByRole('link', { name });

  it('shows its type, size, time and place, without a request', async () => {
    platform.journal.reset();
    await openRow(row(/logo\.png/));
    await shown().getByRole('heading', { name: 'logo.png' }).waitFor();
    const facts = await shown().locator('dl').innerText();
    assert.match(facts, /PNG image/);
    assert.match(facts, /70 B/);
    assert.match(facts, /just now|minute/);
    assert.match(facts, /\/var\/www\/webroot\/logo\.png/);
    assert.match(facts, /node \d+ \(Application servers\), Saltmarsh Tea/);
    await shown().getByText('use SFTP').waitFor();
    assert.deepEqual(operations(), []);
    await picture(page, 'binary-file');
  });

  it('is replaced by an upload, and then shows the new size', async () => {
    const replacement = join(gantry.vscode.stateFolder, 'replacement.png');
    await writeFile(replacement, Buffer.concat([png, png]));
    await action('Replace by Upload…').click();
    await chooseLocalPath(page, replacement, basename(replacement));
    await shown().getByText('140 B').waitFor();
    assert.equal((await readFile(join(folder, 'logo.png'))).length, 140);
  });

  it('can be handled with the keyboard alone', async () => {
    await runCommand(page, 'View: Focus Active Editor Group');
    await action('Replace by Upload…').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // Enter was pressed on Copy Container Path. No event of the page tells when VS Code has copied.
    await page.waitForFunction("navigator.clipboard.readText().then((text) => text === '/var/www/webroot/logo.png')");
    await runCommand(page, 'Gantry: Reveal in Environments View');
    await page.locator('.monaco-list-row.focused').filter({ hasText: 'logo.png' }).waitFor();
  });

  it('has its page instead of an error if a read shows that it is no UTF-8 text', async () => {
    await openRow(row(/lieferant\.txt/));
    await shown().getByText("It isn't UTF-8 text").waitFor();
    await editorTab(page, /lieferant\.txt/).waitFor();
    assert.equal(await page.locator('.tab').filter({ hasText: 'lieferant.txt' }).count(), 1);
    assert.equal(await notification(page, /lieferant/).count(), 0);
    await picture(page, 'inexact-file');
    await runCommand(page, 'View: Close Editor');
    // A double-click keeps the editor open, so VS Code doesn't replace it itself.
    await row(/lieferant\.txt/)
      .first()
      .dblclick();
    await shown().getByText("It isn't UTF-8 text").waitFor();
    await page.locator('.tab.active:not(.preview)').filter({ hasText: 'lieferant.txt' }).waitFor();
    assert.equal(await page.locator('.tab').filter({ hasText: 'lieferant.txt' }).count(), 1);
  });

  itIsPictured('in light, dark, and high contrast, and in a narrow editor', async () => {
    for (const [shade, theme] of [
      ['contrast', 'Dark High Contrast'],
      ['dark', 'Dark Modern'],
      ['light', 'Light Modern'],
    ] as const) {
      await chooseTheme(page, theme);
      await action('Copy Container Path').focus();
      await picture(page, `inexact-file-${shade}`);
    }
    await page.setViewportSize({ width: 640, height: 700 });
    await picture(page, 'inexact-file-narrow');
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  it('shows the text that the platform returns on request', async () => {
    await action('Show as Read-Only Text').click();
    await editor(page).getByText('Gr').first().waitFor();
  });

  it('is downloaded only if its bytes are exact: no destination is asked for otherwise', async () => {
    await chooseInMenu(page, row(/logo\.png/), 'Download…');
    await notificationShown(page, /Couldn't download .*logo\.png/);
    await picture(page, 'binary-download');
  });

  it('shows a picture that is text', async () => {
    await openRow(row(/mark\.svg/));
    const image = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('img');
    await image.waitFor();
    await picture(page, 'svg');
  });
});
