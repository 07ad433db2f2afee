import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, type Page } from 'playwright-core';
import { offerEvidence } from '../evidence';
import { limit, noteOpening } from '../limits';
import { type VsCode } from './startVsCode';
import { withDevelopmentOptions } from './webConfiguration';

export interface VsCodeWindow {
  readonly page: Page;
  /** The user's browser data: cookies and VS Code's secrets. Pass it to another openWindow for the same user. */
  readonly context: BrowserContext;
  /** The console output of the window and the extension host. */
  readonly console: readonly string[];
  /** Settles with the exit code when the test module in `tests` has ended. */
  readonly testsEnded: Promise<number>;
  close(): Promise<void>;
}

export interface WindowOptions {
  /** A module that exports `run()`, for the extension host. */
  readonly tests?: string;
  readonly context?: BrowserContext;
  /** Opens this folder or `.code-workspace` file instead of the one VS Code was started with. */
  readonly workspace?: string;
  /** Draws the window. By default, only pictures are drawn. */
  readonly isDrawn?: boolean;
}

/**
 * Nobody looks at these windows, and drawing takes a sixth of their time. Each element has its place and can be clicked,
 * but is transparent. To the page's own `checkVisibility`, it's hidden.
 */
const leaveUndrawn = `if (window === top) {
  addEventListener('DOMContentLoaded', () => (document.documentElement.style.opacity = '0'));
}`;

/**
 * VS Code reads each message of its server as a blob. The browser keeps blobs in another process, so that takes more time
 * than all scripts of the window. Here, the messages arrive as what VS Code makes of them.
 */
const receiveBuffers = `if (window === top) {
  window.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      this.binaryType = 'arraybuffer';
    }
  };
  const readBlob = FileReader.prototype.readAsArrayBuffer;
  FileReader.prototype.readAsArrayBuffer = function (data) {
    if (data instanceof ArrayBuffer) queueMicrotask(() => this.onload({ target: { result: data } }));
    else readBlob.call(this, data);
  };
}`;

/** Opens VS Code in a browser and waits until the workbench is there. */
export async function openWindow(vscode: VsCode, options: WindowOptions = {}): Promise<VsCodeWindow> {
  const begun = performance.now();
  const context = options.context ?? (await vscode.newContext());
  const page = await context.newPage();
  if (options.isDrawn !== true) await page.addInitScript(leaveUndrawn);
  await page.addInitScript(receiveBuffers);
  // Laying out a large one takes time, too.
  if (options.tests !== undefined) await page.setViewportSize({ width: 800, height: 500 });
  const printed: string[] = [];
  const testsEnded = new Promise<number>((resolve) => {
    void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code));
  });
  page.on('console', (message) => {
    printed.push(message.text().replace(/^%c\s*(\w+) color: #\w+ /, '$1 '));
  });
  await withDevelopmentOptions(page, vscode, options.tests);
  const withdrawEvidence = offerEvidence((folder) => keepWindow(page, printed, folder));
  const close = async (): Promise<void> => {
    await withdrawEvidence();
    await page.close();
    if (options.context === undefined) await context.close();
  };
  try {
    await page.goto(windowAddress(vscode, options), { waitUntil: 'domcontentloaded' });
    if (options.tests === undefined) {
      await workbenchIsThere(page);
      noteOpening('workbench', performance.now() - begun);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { page, context, console: printed, testsEnded, close };
}

export async function workbenchIsThere(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: limit(40_000) });
}

function windowAddress(vscode: VsCode, options: WindowOptions): string {
  const workspace = options.workspace ?? vscode.options.workspace;
  if (workspace === undefined) return `${vscode.origin}/?ew=true`;
  const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return `${vscode.origin}/?${kind}=${encodeURIComponent(workspace)}`;
}

async function keepWindow(page: Page, printed: readonly string[], folder: string): Promise<void> {
  const name = page.isClosed() ? 'closed-window' : `window-${page.context().pages().indexOf(page) + 1}`;
  await writeFile(join(folder, `${name}.log`), printed.join('\n'));
  // A closed page has no screenshot.
  if (!page.isClosed()) await takePicture(page, join(folder, `${name}.png`));
}

/** Takes a picture of a window, after its animations, and stores it if there's a path. */
export async function takePicture(page: Page, path?: string): Promise<Buffer> {
  const whereTo = path === undefined ? {} : { path };
  return await page.screenshot({ ...whereTo, animations: 'disabled', style: ':root { opacity: 1 !important }' });
}
