import assert from 'node:assert/strict';
import { projectFolder } from '../host/folders';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../host/vscode/startVsCode';

describe('the window', () => {
  const open: { vscode?: VsCode; window?: VsCodeWindow } = {};

  before(async () => {
    open.vscode = await startVsCode({ extension: { folder: projectFolder } });
    open.window = await openWindow(open.vscode);
  });

  after(async () => {
    await open.window?.close();
    await open.vscode?.dispose();
  });

  it('shows Gantry in the activity bar', async () => {
    assert.ok(open.window);
    await open.window.page.locator('.activitybar').getByLabel('Gantry').first().waitFor();
  });
});
