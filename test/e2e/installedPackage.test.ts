import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { projectFolder, scratchFolder } from '../host/folders';
import type { VsCodeVersion } from '../host/install/codeServer';
import { itNightly } from '../host/nightly';
import { runToEnd } from '../host/processes';
import { openWindow } from '../host/vscode/openWindow';
import { startVsCode } from '../host/vscode/startVsCode';
import { clickRow, editor } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { keys } from './support/keyboard';
import { rowIn } from './support/sections';
import { browseTo } from './support/signIn';

const versions: Readonly<Record<VsCodeVersion, string>> = {
  newest: 'the newest VS Code',
  minimum: 'the oldest VS Code that it supports',
};

describe('the package, installed from its file into a new profile', () => {
  const scratch = scratchFolder('installed');
  let vsix: string;
  let platform: LocalPlatform;

  before(async () => {
    vsix = process.env['GANTRY_VSIX'] ?? join(scratch, 'gantry.vsix');
    if (process.env['GANTRY_VSIX'] === undefined) {
      const pack = ['--import', 'tsx', join(projectFolder, 'test', 'package.ts'), vsix];
      await runToEnd(process.execPath, pack, { cwd: projectFolder });
    }
    platform = await startPlatform();
  });

  after(async () => {
    await platform.dispose();
    await rm(scratch, { recursive: true, force: true });
  });

  for (const [version, name] of Object.entries(versions) as [VsCodeVersion, string][]) {
    // `npm start` installs the same package in the newest one.
    const test = version === 'newest' ? itNightly : it;
    test(`signs in, opens a file, and saves it in ${name}`, async () => {
      const vscode = await startVsCode({ version, extension: { vsix } });
      try {
        const window = await openWindow(vscode);
        await editFile(window.page, `# edited in ${version}`).finally(() => window.close());
      } finally {
        await vscode.dispose();
      }
    });
  }

  async function editFile(page: Page, line: string): Promise<void> {
    await browseTo(page, platform, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
    await clickRow(rowIn(page, 'Environments', 'shop.conf'), { times: 2 });
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type(`${line}\n`);
    const written = platform.journal.next(({ operation }) => operation === 'Write');
    await page.keyboard.press('ControlOrMeta+S');
    await written;
    await page.locator('.tab.active:not(.dirty)').waitFor();
    const [node] = platform.nodes('shop', 'bl');
    const text = await readFile(join(platform.nodeFolder(node?.id ?? 0), 'etc/nginx/conf.d/shop.conf'), 'utf8');
    assert.ok(text.startsWith(`${line}\n`), text.slice(0, 60));
  }
});
