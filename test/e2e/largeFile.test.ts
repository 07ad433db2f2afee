import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editor } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { openRow } from './support/rows';
import { rowIn, unfoldPath } from './support/sections';
import { browseTo } from './support/signIn';

const path = ['Saltmarsh Tea', 'Application servers', 'NGINX PHP', /webroot, .*configuration/];

describe('a large file in the window', () => {
  let platform: LocalPlatform;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    const webroot = join(platform.nodeFolder(platform.nodes('shop', 'cp')[0]?.id ?? 0), 'var/www/webroot');
    writeFileSync(join(webroot, 'access.log'), 'GET /tea HTTP/1.1\n'.repeat(400_000));
    gantry = await openGantry();
    page = gantry.page;
    await browseTo(page, platform, path);
    await unfoldPath(page, 'Environments', path);
  });

  after(async () => {
    await gantry.close();
    await platform.dispose();
  });

  const reads = () => platform.journal.arrivals.filter(({ operation }) => operation === 'Read').length;
  const openAnyway = () => page.locator('.monaco-editor-pane-placeholder').getByText('Open Anyway');

  it('shows its size and opens when the user chooses Open Anyway', async () => {
    platform.journal.reset();
    await openRow(rowIn(page, 'Environments', /access\.log/));
    await openAnyway().waitFor();
    await page.locator('.statusbar-item').filter({ hasText: 'access.log is 6.9 MB' }).waitFor();
    assert.equal(reads(), 0);

    await openAnyway().click();
    await editor(page).getByText('GET').first().waitFor();
    assert.equal(reads(), 1);
  });
});
