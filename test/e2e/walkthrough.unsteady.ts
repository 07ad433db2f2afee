import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { projectFolder } from '../host/folders';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../host/vscode/startVsCode';
import { pick, runCommand } from '../host/vscode/workbench';
import { picture } from './support/picture';

describe('the walkthrough', () => {
  let vscode: VsCode;
  let window: VsCodeWindow;
  let page: Page;

  before(async () => {
    vscode = await startVsCode({ extension: { folder: projectFolder } });
    window = await openWindow(vscode);
    page = window.page;
  });

  after(async () => {
    await window.close();
    await vscode.dispose();
  });

  const steps = ['Sign in to your platform', 'Open a configuration', 'Redeploy a project'];

  it('leads from signing in to a redeploy, with a picture for each step', async () => {
    await runCommand(page, 'Open Walkthrough...');
    await pick(page, 'Get Started with Gantry');
    for (const [index, title] of steps.entries()) {
      await page
        .getByRole('button', { name: title })
        .or(page.getByText(title, { exact: true }))
        .first()
        .click();
      await page
        .locator('.getting-started-media svg, .getting-started-media iframe, .getting-started-media img')
        .first()
        .waitFor();
      await picture(page, `walkthrough-${index + 1}`);
    }
  });
});
