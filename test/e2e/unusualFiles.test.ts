import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { limit } from '../host/limits';
import { itNightly } from '../host/nightly';
import {
  clickRow,
  editor,
  editorTab,
  notification,
  notificationShown,
  pick,
  quickInput,
  runCommand,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { callPlatform } from './support/callPlatform';
import { closeEverything } from './support/closeEverything';
import { dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { keys } from './support/keyboard';
import { chooseLocalPath } from './support/localFiles';
import { chooseInMenu } from './support/menus';
import { itIsPictured, picture } from './support/picture';
import { openRow } from './support/rows';
import {
  chooseTheme,
  onlySection,
  pressInline,
  pressInTitle,
  rowIn,
  section,
  unfoldPath,
  unfoldRow,
  unfoldSection,
} from './support/sections';
import { browseTo } from './support/signIn';

const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, .*shortcut/];
const oddName = '100% done #2 & a+b; “ä” (draft).txt';
/** VS Code makes a button of this where it renders links, and a picture where it renders icons. */
const linkName = '[Restore backup](command:workbench.action.togglePanel) $(trash)';
const many = 20_000;
const nameOf = (index: number) => `page-${String(index).padStart(6, '0')}.html`;

/** One transparent pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="teal"/></svg>\n';

describe('unusual files in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;
  let folder: string;

  before(async () => {
    platform = await startPlatform();
    folder = join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), 'var/www/webroot');
    writeFileSync(join(folder, 'logo.png'), png);
    writeFileSync(join(folder, 'mark.svg'), svg);
    writeFileSync(join(folder, 'lieferant.txt'), Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
    writeFileSync(join(folder, 'access.log'), 'GET /tea HTTP/1.1\n'.repeat(400_000));
    writeFileSync(join(folder, 'stockroom/counts', oddName), 'counted\n');
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, path);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const row = (label: string | RegExp) => rowIn(page, 'Environments', label);
  const operations = () => platform.journal.arrivals.map(({ operation }) => operation);

  describe("a file that the platform can't return exactly", () => {
    const shown = (): FrameLocator => page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const action = (name: string) => shown().getByRole('link', { name });

    it('shows its type, size, time and place, without a request', async () => {
      await row(/logo\.png/).waitFor();
      platform.journal.reset();
      await openRow(row(/logo\.png/));
      await shown().getByRole('heading', { name: 'logo.png' }).waitFor();
      const facts = await shown().locator('dl').innerText();
      assert.match(facts, /PNG image/);
      assert.match(facts, /70 B/);
      assert.match(facts, /, \d{1,2}:\d\d [AP]M\n/);
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

  describe('other unusual files', () => {
    beforeEach(async () => {
      await closeEverything(page);
      await section(page, 'Environments').locator('.monaco-list').focus();
      await page.keyboard.press('Home');
      // Collapses all rows, because a list renders only visible rows.
      await page.keyboard.press('ControlOrMeta+ArrowLeft');
      await unfoldPath(page, 'Environments', path);
    });

    it('show their size if they are large, and open when the user chooses Open Anyway', async () => {
      const reads = () => operations().filter((operation) => operation === 'Read').length;
      const openAnyway = page.locator('.monaco-editor-pane-placeholder').getByText('Open Anyway');
      platform.journal.reset();
      await openRow(row(/access\.log/));
      await openAnyway.waitFor();
      await page.locator('.statusbar-item').filter({ hasText: 'access.log is 6.9 MB' }).waitFor();
      assert.equal(reads(), 0);

      await openAnyway.click();
      await editor(page).getByText('GET').first().waitFor();
      assert.equal(reads(), 1);
    });

    it('open and are saved if their names contain characters with a meaning in URLs', async () => {
      const counts = join(folder, 'stockroom/counts');
      const before = await readdir(counts);
      await unfoldRow(page, 'Environments', /stockroom, folder/);
      await unfoldRow(page, 'Environments', /counts, folder/);
      await openRow(row(oddName));
      await page.locator('.tab.active').filter({ hasText: oddName }).waitFor();
      await editor(page).getByText('counted').click();
      await page.keyboard.press(keys.top);
      await page.keyboard.type('well ');
      await page.locator('.tab.active.dirty').waitFor();
      await page.keyboard.press('ControlOrMeta+S');
      await page.locator('.tab.active:not(.dirty)').waitFor();
      await picture(page, 'odd-name');
      assert.equal(await readFile(join(counts, oddName), 'utf8'), 'well counted\n');
      assert.deepEqual(await readdir(counts), before);
    });

    itNightly('are listed with one request if there are 20,000, and the last one opens', async () => {
      mkdirSync(join(folder, 'cache'));
      for (let index = 0; index < many; index += 1) writeFileSync(join(folder, 'cache', nameOf(index)), '');
      await pressInTitle(page, 'Environments', 'Refresh Environments');
      platform.journal.reset();
      await clickRow(row(/cache, folder/));
      await row(nameOf(0)).waitFor({ timeout: limit(60_000) });
      await picture(page, 'many-files');
      assert.equal(
        platform.journal.count(
          ({ operation, parameters }) => operation === 'GetList' && parameters['path'] === '/var/www/webroot/cache',
        ),
        1,
      );
      await clickRow(row(nameOf(0)));
      await page.keyboard.press('End');
      const below = row(/^log/);
      await below.waitFor();
      await openRow(row(nameOf(many - 1)));
      await editorTab(page, nameOf(many - 1)).waitFor();
      await picture(page, 'many-files-end');
      await clickRow(row(nameOf(many - 1)));
      // To the folder, and then to fold it, because VS Code takes long to refresh so many rows.
      await page.keyboard.press('ArrowLeft');
      await row(/^cache, folder/).waitFor();
      await page.keyboard.press('ArrowLeft');
      await row(/^cache, folder/)
        .and(page.locator('[aria-expanded="false"]'))
        .waitFor();
    });
  });

  describe('names that look like links and icons', () => {
    const fileName = `${linkName}.txt`;
    const counts = '/var/www/webroot/stockroom/counts';

    before(async () => {
      writeFileSync(join(folder, 'stockroom/counts', fileName), `counted ${linkName}\n`);
      mkdirSync(join(folder, 'stockroom/counts', linkName));
      for (const [path, isDir] of [
        [`${counts}/${fileName}`, false],
        [`${counts}/${linkName}`, true],
      ] as const) {
        const keyword = isDir ? 'a folder' : 'a file';
        await callPlatform(platform, 'AddFavorite', { envName: 'shop', nodeGroup: 'cp', keyword, path, isDir });
      }
      await platform.addEnvironment({
        envName: 'linked',
        displayName: linkName,
        layers: [
          { name: 'cp', nodeType: 'nginxphp', isVcsSupport: true, containerUser: 'nginx', owned: ['/var/www/webroot'] },
        ],
      });
      const { href: url, username: login, password } = withoutCredentials(platform.sample.repository ?? '');
      const project = { type: 'GIT', context: 'LINKED', url, login, password, branch: 'master' } as const;
      await callPlatform(platform, 'CreateProject', { envName: 'linked', nodeGroup: 'cp', ...project });
      await onlySection(page, 'Environments');
      await unfoldPath(page, 'Environments', path);
      writeFileSync(join(folder, 'a new file.txt'), '');
      await pressInTitle(page, 'Environments', 'Refresh Environments');
      // A row that is unfolded while VS Code refreshes the view may be folded again.
      await row(/^a new file/).waitFor();
    });

    beforeEach(() => closeEverything(page));

    after(() => platform.faults.clear());

    /** Waits for a text, and checks that it's shown exactly, with no links but Gantry's own. */
    const isExact = async (shown: Locator, lead: string, text: string, own: readonly string[] = []) => {
      await shown.filter({ hasText: lead }).waitFor();
      const found = withoutJoiners(await shown.innerText());
      assert.ok(found.includes(text), found);
      assert.deepEqual(await shown.locator('a[href]').allInnerTexts(), own, 'links');
      const icons = shown.locator('.codicon-trash');
      assert.equal(await icons.count(), 0, 'icons');
    };
    const belowInput = () => page.locator('.quick-input-widget:visible .quick-input-message');
    const openPath = async () => {
      await onlySection(page, 'Environments');
      await unfoldPath(page, 'Environments', [...path, /^stockroom, folder/, /^counts, folder/]);
    };
    const favorite = async (label: string) => {
      await unfoldSection(page, 'Favorites');
      await pressInTitle(page, 'Favorites', 'Refresh Favorites');
      const shown = rowIn(page, 'Favorites', label);
      await shown.waitFor();
      return shown;
    };

    it('are text in the list and in the input of Append Text', async () => {
      await openPath();
      await openRow(row(fileName));
      await editor(page).getByText('counted').first().click();
      await page.keyboard.press('ControlOrMeta+A');
      await runCommand(page, 'Gantry Advanced: Append Text…');
      const rows = page.locator('.quick-input-list .monaco-list-row');
      await isExact(rows.filter({ hasText: 'From editor selection' }).first(), 'From editor selection', linkName);
      await pick(page, 'Enter a line…');
      await isExact(belowInput(), 'Line to append to', `Line to append to ${counts}/${fileName}`);
    });

    it('are text in the message that a name is taken', async () => {
      await openPath();
      await chooseInMenu(page, row(/^counts, folder/), 'New File…');
      await quickInput(page).fill(fileName);
      await isExact(belowInput(), 'already exists', `“${fileName}” already exists.`);
    });

    it('are text where a favorite is renamed, and where its filter is edited', async () => {
      await chooseInMenu(page, await favorite('a file'), 'Rename Favorite…');
      await isExact(belowInput(), 'Enter a name for', `${counts}/${fileName}`);
      await page.keyboard.press('Escape');
      await chooseInMenu(page, await favorite('a folder'), 'Edit Filter…');
      await isExact(belowInput(), 'Regular expression', `${counts}/${linkName}`);
    });

    it("are text in a redeploy's progress, if an environment is called so", async () => {
      await onlySection(page, 'Deployments');
      await unfoldSection(page, 'Deployments');
      const updating = platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
      const project = rowIn(page, 'Deployments', /^LINKED/);
      await project.filter({ hasText: 'not deployed' }).waitFor();
      await pressInline(project, 'Redeploy');
      await dialogButton(page, 'Deploy').click();
      await updating.reached;
      const progress = await notificationShown(page, 'Deploying LINKED');
      await isExact(
        progress.locator('.notification-list-item-message'),
        'Deploying',
        `Deploying LINKED on ${linkName}`,
        ['Show Log'],
      );
      // Its result would appear in the next test.
      updating.release();
      await notificationShown(page, /Deployed [0-9a-f]{7} .*to LINKED/);
    });
  });
});

/** Gantry breaks links and icons up with a character that nobody sees. */
function withoutJoiners(text: string): string {
  return text.replaceAll('\u2060', '');
}

function withoutCredentials(address: string): Pick<URL, 'href' | 'username' | 'password'> {
  const { username, password } = new URL(address);
  return { href: Object.assign(new URL(address), { username: '', password: '' }).href, username, password };
}
