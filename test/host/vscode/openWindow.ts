import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { offerEvidence } from '../evidence';
import { scratchFolder } from '../folders';
import { findBrowser } from '../install/browser';
import { homes } from './environment';
import { type VsCode } from './startVsCode';
import { withDevelopmentOptions } from './webConfiguration';

export interface VsCodeWindow {
  readonly page: Page;
  /** Holds what a person's browser would: cookies, and VS Code's secrets. Give it to another openWindow to be the same person. */
  readonly context: BrowserContext;
  /** What the window printed, with the extension host's own output. */
  readonly console: readonly string[];
  /** Settles with the exit code when a test module given as `tests` has ended. */
  readonly testsEnded: Promise<number>;
  close(): Promise<void>;
}

export interface WindowOptions {
  /** A module that exports `run()`, for the extension host. */
  readonly tests?: string;
  readonly context?: BrowserContext;
  /** Opens this in place of what the VS Code was started with: a folder or a `.code-workspace` file. */
  readonly workspace?: string;
}

const size = { width: 1400, height: 900 };

export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser();
  const home = scratchFolder('browser');
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...definedEnvironment(), ...homes(home), ...found.env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-features=LocalNetworkAccessChecks',
    ],
  });
  browser.once('disconnected', () => void rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return browser;
}

/** Opens VS Code in a browser and waits until the workbench is there. */
export async function openWindow(vscode: VsCode, options: WindowOptions = {}): Promise<VsCodeWindow> {
  const browser = options.context === undefined ? await launchBrowser() : undefined;
  const context = options.context ?? (await newContext(browser));
  const page = await context.newPage();
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
    await browser?.close();
  };
  try {
    await page.goto(windowAddress(vscode, options), { waitUntil: 'domcontentloaded' });
    if (vscode.options.auth === undefined || vscode.options.auth === 'none') await workbenchIsThere(page);
  } catch (error) {
    await close();
    throw error;
  }
  return { page, context, console: printed, testsEnded, close };
}

export async function workbenchIsThere(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
}

async function newContext(browser: Browser | undefined): Promise<BrowserContext> {
  if (browser === undefined) throw new Error('A window needs a browser or a context.');
  const context = await browser.newContext({ viewport: size, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(45_000);
  return context;
}

function windowAddress(vscode: VsCode, options: WindowOptions): string {
  const workspace = options.workspace ?? vscode.options.workspace;
  if (workspace === undefined) return `${vscode.origin}/?ew=true`;
  const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return `${vscode.origin}/?${kind}=${encodeURIComponent(workspace)}`;
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

async function keepWindow(page: Page, printed: readonly string[], folder: string): Promise<void> {
  const name = page.isClosed() ? 'closed-window' : `window-${page.context().pages().indexOf(page) + 1}`;
  await writeFile(join(folder, `${name}.log`), printed.join('\n'));
  // What a person has closed cannot be looked at any more.
  if (!page.isClosed()) await page.screenshot({ path: join(folder, `${name}.png`) });
}
