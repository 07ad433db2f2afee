import type { Page } from 'playwright-core';
import { projectFolder } from '../../host/folders';
import type { VsCodeOptions } from '../../host/vscode/options';
import { openWindow, type VsCodeWindow } from '../../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../../host/vscode/startVsCode';

/** A VS Code with the extension from this folder, and its first window. */
export interface GantryWindow {
  readonly vscode: VsCode;
  readonly window: VsCodeWindow;
  readonly page: Page;
  close(): Promise<void>;
}

export async function openGantry(options: Omit<VsCodeOptions, 'extension'> = {}): Promise<GantryWindow> {
  const vscode = await startVsCode({ ...options, extension: { folder: projectFolder } });
  try {
    const window = await openWindow(vscode);
    const close = async (): Promise<void> => {
      await window.close();
      await vscode.dispose();
    };
    return { vscode, window, page: window.page, close };
  } catch (error) {
    await vscode.dispose();
    throw error;
  }
}
