import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { makeSlug } from '../../src/accounts/storedAccount';
import type { VsCodeVersion } from '../host/install/codeServer';
import { isNightly, itNightly } from '../host/nightly';
import {
  answer,
  askForSymbol,
  editorTab,
  notificationShown,
  openContainer,
  pick,
  pressInNotification,
  quickInput,
  runCommand,
} from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything } from './support/closeEverything';
import { dialog, dialogButton } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture } from './support/picture';
import { foundIn, pressAboveFound, pressInline, rowIn, unfoldSection } from './support/sections';
import { browseTo } from './support/signIn';

/** The newest one's own interface for this rarely changes because of Gantry, and integration tests replace text in it. */
const versions: Readonly<Partial<Record<VsCodeVersion, string>>> = {
  ...(isNightly() ? { newest: 'the newest VS Code' } : {}),
  minimum: 'the oldest VS Code that is supported',
};

for (const [version, name] of Object.entries(versions) as [VsCodeVersion, string][]) {
  describe(`finding and replacing in ${name}`, () => {
    let platform: LocalPlatform;
    let gantry: GantryWindow;
    let page: Page;
    let nodeFolder: string;

    before(async () => {
      platform = await startPlatform({ withoutProject: true });
      const [node] = platform.nodes('shop', 'bl');
      assert.ok(node);
      nodeFolder = join(platform.nodeFolder(node.id), 'etc/nginx');
      for (const letter of ['a', 'b', 'c']) {
        await writeFile(path(`${letter}.conf`), `# ${letter}\nkeepalive 10;\nkeepalive 20;\n`);
      }
      gantry = await openGantry({ version });
      page = gantry.page;
      await browseTo(page, platform, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
    });

    after(async () => {
      await gantry.close();
      await platform.dispose();
    });

    const path = (file: string) => join(nodeFolder, 'conf.d', file);
    const text = (file: string) => readFile(path(file), 'utf8');
    const folder = () => rowIn(page, 'Environments', /^conf\.d, /);
    const view = () => foundIn(page);
    const resultRow = (label: string | RegExp) => view().getByRole('treeitem', { name: label }).first();
    /** Each test has to search for something else, because nothing else tells its results from those before. */
    const search = async (words: string, found = '3 results in 3 files.') => {
      await openContainer(page, 'Gantry');
      await unfoldSection(page, 'Environments');
      await chooseInMenu(page, folder(), 'Find in Folder…');
      await answer(page, /Enter the text to find/, words);
      await view().locator('.message').getByText(found).waitFor();
      await resultRow(new RegExp(words)).waitFor();
    };
    const replace = async (prompt: RegExp, replacement: string) => {
      await pressAboveFound(page, 'Replace in Results…');
      await answer(page, prompt, replacement);
      await editorTab(page, 'Replace in Results: Changes').waitFor();
    };

    it('shows all changes before it makes them, and takes all of them back', async () => {
      await search('keepalive 10');
      await replace(/Replacement for “keepalive 10”/, 'keepalive 15');
      await page.locator('.multiDiffEntry').filter({ hasText: 'b.conf' }).first().waitFor();
      assert.match(await text('a.conf'), /keepalive 10;/);
      await picture(page, `replace-preview-${version}`);
      await pick(page, 'Replace 3 matches in 3 files');
      await notificationShown(page, 'Replaced 3 matches in 3 files.');
      for (const letter of ['a', 'b', 'c']) {
        assert.equal(await text(`${letter}.conf`), `# ${letter}\nkeepalive 15;\nkeepalive 20;\n`);
      }
      await picture(page, `replaced-${version}`);
      await pressInNotification(page, 'Replaced 3', 'Undo');
      await notificationShown(page, 'Restored 3 files.');
      assert.match(await text('b.conf'), /keepalive 10;\nkeepalive 20;/);
      await view().locator('.message').getByText('3 results in 3 files.').waitFor();
      await editorTab(page, 'Replace in Results: Changes').waitFor({ state: 'detached' });
      await closeEverything(page);
    });

    itNightly('replaces nothing if the person cancels', async () => {
      await search('# c', '1 result in 1 file.');
      await replace(/Replacement for “# c”/, 'gone');
      await quickInput(page).press('Escape');
      await editorTab(page, 'Replace in Results: Changes').waitFor();
      assert.match(await text('c.conf'), /^# c$/m);
      await closeEverything(page);
    });

    itNightly('replaces one line, and keeps a file that a colleague has changed', async () => {
      await search('keepalive 20');
      await pressInline(resultRow(/^c\.conf, 1 result/), 'Remove from Results');
      await resultRow(/^b\.conf, 1 result/).waitFor();
      await writeFile(path('b.conf'), '# a colleague was here\nkeepalive 20;\n');
      await replace(/Replacement for “keepalive 20”/, 'keepalive 25');
      await pick(page, 'Replace 2 matches in 2 files');
      const told = await notificationShown(page, 'Replaced text in 1 of 2 files.');
      await told.getByRole('button', { name: 'Show Details' }).click();
      await dialog(page).filter({ hasText: 'b.conf: it changed in the meantime, so nothing was written' }).waitFor();
      await picture(page, `replace-conflict-${version}`);
      await dialogButton(page, 'Cancel').click();
      assert.match(await text('a.conf'), /keepalive 25;/);
      assert.equal(await text('b.conf'), '# a colleague was here\nkeepalive 20;\n');
      assert.match(await text('c.conf'), /keepalive 20;/);
      await closeEverything(page);
    });

    itNightly('goes to a file', async () => {
      await openContainer(page, 'Gantry');
      await unfoldSection(page, 'Environments');
      await chooseInMenu(page, folder(), 'Go to File…');
      await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'c.conf' }).waitFor();
      await page.keyboard.type('c.co');
      await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'c.conf' }).waitFor();
      await page.keyboard.press('Enter');
      await editorTab(page, 'c.conf').waitFor();
      await closeEverything(page);
    });

    it('answers # in Quick Open with the names of an open container folder', async () => {
      const [node] = platform.nodes('shop', 'bl');
      const account = makeSlug(platform.sample.email, new URL(platform.origin).host, []);
      const address = `gantry://${account}/shop/bl~${node?.id}/etc/nginx/conf.d`;
      await page.goto(`${gantry.vscode.origin}/?folder=${encodeURIComponent(address)}`);
      await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'a.conf' }).waitFor();
      await page.keyboard.press('ControlOrMeta+p');
      await askForSymbol(
        page,
        '#b.conf',
        page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'b.conf' }),
      );
      await page.keyboard.press('Enter');
      await editorTab(page, 'b.conf').waitFor();
      await closeEverything(page);
    });

    itNightly("says in a window with a container folder what VS Code's own search leaves out", async () => {
      await runCommand(page, 'Search Results: Focus on Search Results View');
      await view().getByText("VS Code's own search covers only").waitFor();
      await picture(page, `search-welcome-${version}`);
      await runCommand(page, 'Search Editor: New Search Editor');
      await notificationShown(page, "VS Code's search covers only open editors");
      await pressInNotification(page, "VS Code's search", 'Find in Folder…');
      await page.locator('.quick-input-widget').filter({ hasText: 'Enter the text to find' }).waitFor();
      await closeEverything(page);
    });
  });
}
