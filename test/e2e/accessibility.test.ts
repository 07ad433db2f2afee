import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { answer, editor, runCommand, tidyUp } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { callPlatform } from './support/callPlatform';
import { closeEverything } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { chooseInMenu } from './support/menus';
import { picture, takesPictures } from './support/picture';
import {
  beginningWith,
  chooseTheme,
  foldSection,
  foundIn,
  narrowSideBar,
  rowIn,
  section,
  unfoldPath,
  unfoldRow,
  unfoldSection,
  welcomeButton,
} from './support/sections';
import { signInWithPassword } from './support/signIn';

const day = 24 * 60 * 60 * 1000;
const views = ['Environments', 'Favorites', 'Deployments', 'Mounts', 'Access'] as const;
/** The only view in the panel. */
const results = 'Search Results';

/** The text in a row, and the text that a screen reader reads. */
interface Row {
  readonly role: string | null;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly level: string | null;
}

describe('the views with a keyboard and a screen reader', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    await furnish(platform);
    gantry = await openGantry();
    page = gantry.page;
    await signInWithPassword(page, platform);
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const rows = async (view: string): Promise<Row[]> => {
    const pane = view === results ? foundIn(page) : section(page, view);
    const found = await pane.locator('.monaco-list-row').all();
    return Promise.all(
      found.map(async (row) => ({
        role: await row.getAttribute('role'),
        name: (await row.getAttribute('aria-label')) ?? '',
        label: await row.locator('.label-name').first().innerText(),
        description: (await row.locator('.label-description').allInnerTexts()).join(),
        level: await row.getAttribute('aria-level'),
      })),
    );
  };

  /** Collapses all other views, so that this one has room for all its rows. */
  const alone = async (view: string) => {
    for (const other of views) {
      await (other === view ? unfoldSection : foldSection)(page, other);
    }
  };

  it('lead to an editor with keys alone', async () => {
    await runCommand(page, 'Gantry: Focus on Environments View');
    await alone('Environments');
    await section(page, 'Environments').locator('.monaco-list').focus();
    // Collapses all rows.
    await page.keyboard.press('ControlOrMeta+ArrowLeft');
    const focused = section(page, 'Environments').locator('.monaco-list:focus-within .monaco-list-row.focused');
    await page.keyboard.press('Home');
    const path = ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d', 'old #2'];
    for (const [index, name] of path.entries()) {
      await focused.filter({ hasText: beginningWith(name) }).waitFor();
      const below = path[index + 1];
      if (below === undefined) break;
      await page.keyboard.press('ArrowRight');
      await rowIn(page, 'Environments', below).waitFor();
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('ArrowDown');
    await focused.filter({ hasText: 'shop.conf' }).waitFor();
    await page.keyboard.press('Enter');
    await editor(page).locator('.view-line').first().waitFor();
  });

  const unfolded: Readonly<Record<(typeof views)[number], () => Promise<void>>> = {
    Environments: async () => {
      await unfoldPath(page, 'Environments', [/^Saltmarsh Tea/, /^Load balancer/, /^NGINX 1\.26/, /^conf\.d/]);
      await rowIn(page, 'Environments', /^shop\.conf/).waitFor();
    },
    Favorites: () => rowIn(page, 'Favorites', /^logs/).waitFor(),
    Deployments: async () => {
      await unfoldRow(page, 'Deployments', /^ROOT/);
      await rowIn(page, 'Deployments', /^master/).waitFor();
    },
    Mounts: async () => {
      for (const name of [/^Saltmarsh Tea/, /^Application servers/, /^NGINX PHP 8\.3/]) {
        await unfoldRow(page, 'Mounts', name);
      }
      await rowIn(page, 'Mounts', /^\/mnt\/backup/).waitFor();
    },
    Access: async () => {
      const locked = welcomeButton(page, 'Access', 'Unlock Access View…');
      const token = rowIn(page, 'Access', /^Old laptop/);
      await locked.or(token).first().waitFor();
      if (await locked.isVisible()) {
        await locked.click();
        await answer(page, 'password', platform.sample.password);
      }
      await token.waitFor();
      await unfoldRow(page, 'Access', /^Sessions/);
    },
  };

  const find = async () => {
    await show('Environments');
    await chooseInMenu(page, rowIn(page, 'Environments', /^conf\.d/), 'Find in Folder…');
    await answer(page, /Enter the text to find/, 'server_name');
    await foundIn(page)
      .locator('.message')
      .getByText(/ results in \d files\./)
      .waitFor();
    await foundIn(page)
      .getByRole('treeitem', { name: /^Line \d+: server_name/ })
      .first()
      .waitFor();
  };

  const show = async (view: (typeof views)[number] | typeof results): Promise<void> => {
    if (view === results) {
      await find();
      return;
    }
    await unfoldSection(page, view);
    await alone(view);
    await unfolded[view]();
  };

  for (const view of [...views, results] as const) {
    it(`${view}: a screen reader reads everything that a row shows, and announces it as a tree item`, async () => {
      await show(view);
      const shown = await rows(view);
      assert.ok(shown.length > 1, `${shown.length} rows`);
      for (const { role, name, label, description, level } of shown) {
        assert.equal(role, 'treeitem', name);
        assert.ok(Number(level) > 0, name);
        // The number of a line that was found is heard as that.
        assert.ok(label.trim() !== '' && name.replace(/^Line (?=\d)/, '').startsWith(label), `“${label}”: “${name}”`);
        let heard = name.indexOf(label) + label.length;
        for (const part of description.split(' · ').map((one) => one.trim())) {
          const at = name.indexOf(part, heard);
          assert.ok(at >= heard, `“${part}” of “${label}” is heard in another order: “${name}”`);
          heard = at + part.length;
        }
        assert.doesNotMatch(name, /undefined|\[object|\$\(/);
      }
      for (const theme of takesPictures ? ['Dark High Contrast', 'Light High Contrast'] : []) {
        await chooseTheme(page, theme);
        await picture(page, `${view}-${theme}`.toLowerCase().replaceAll(' ', '-'));
      }
      if (view === results) await tidyUp(page, 'workbench.action.closePanel');
    });
  }

  it('show expired and soon-to-expire tokens in words, not only by color', async () => {
    await show('Access');
    for (const [row, words] of [
      [/^Old laptop/, 'expired'],
      [/^Build server/, 'expires soon'],
    ] as const) {
      const name = (await rowIn(page, 'Access', row).getAttribute('aria-label')) ?? '';
      assert.ok(name.includes(words), name);
    }
  });

  it('begin with something useful in a small window, whichever is opened', async () => {
    const usual = page.viewportSize();
    assert.ok(usual);
    // As they are at first.
    for (const view of views) {
      await (['Environments', 'Deployments'].includes(view) ? unfoldSection : foldSection)(page, view);
    }
    await narrowSideBar(page);
    for (const theme of takesPictures ? ['Dark High Contrast', 'Light Modern'] : ['Light Modern']) {
      if (takesPictures) await chooseTheme(page, theme);
      // A window of 1280 x 800 pixels at a zoom of 150 %.
      await page.setViewportSize({ width: 853, height: 533 });
      for (const view of views) {
        const isOpen = await section(page, view).locator('.pane-header[aria-expanded="true"]').isVisible();
        await unfoldSection(page, view);
        const content = section(page, view).locator('.monaco-list-row, .welcome-view-content .monaco-button');
        await content.first().waitFor();
        assert.ok(await isInWindow(content.first()), `what ${view} begins with isn't cut off`);
        await picture(page, `small-window-${view.toLowerCase()}-${theme.toLowerCase().replaceAll(' ', '-')}`);
        if (!isOpen) await foldSection(page, view);
      }
      await page.setViewportSize(usual);
    }
  });

  /** VS Code gives each unfolded view at least 120 pixels. If there isn't enough room, the side bar scrolls. */
  const isInWindow = async (part: Locator) => {
    const [box, bar] = await Promise.all([part.boundingBox(), page.locator('.part.sidebar').boundingBox()]);
    return box !== null && bar !== null && box.y + box.height <= bar.y + bar.height && box.width <= bar.width;
  };
});

/** Creates something to show in every view. */
async function furnish(platform: LocalPlatform): Promise<void> {
  await platform.createToken({ description: 'Old laptop', tokenTemplate: 'Marketplace', expiresAt: Date.now() - day });
  const soon = { description: 'Build server', tokenTemplate: 'Maven Plugin', expiresAt: Date.now() + 2 * day };
  await platform.createToken(soon);
  const nodeId = (layer: string) => platform.nodes('shop', layer)[0]?.id ?? 0;
  const favorite = { path: '/var/log/nginx', keyword: 'logs', isDir: true };
  await callPlatform(platform, 'AddFavorite', { envName: 'shop', nodeGroup: 'bl', ...favorite });
  const mount = { path: '/mnt/backup', sourceNodeId: nodeId('sqldb'), sourcePath: '/var/lib/backup' };
  await callPlatform(platform, 'AddMountPointById', { envName: 'shop', nodeId: nodeId('cp'), ...mount });
}
