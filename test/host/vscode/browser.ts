import { rm } from 'node:fs/promises';
import { type Browser, type BrowserContext } from 'playwright-core';
import { scratchFolder } from '../folders';
import { limit } from '../limits';
import { findBrowser } from '../install/browser';
import { homes } from './environment';

const size = { width: 1400, height: 900 };

export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser();
  const home = scratchFolder('browser');
  // Loaded here, because that takes longer than all else that the runner loads, and unit tests don't need it.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    timeout: limit(30_000),
    env: { ...definedEnvironment(), ...homes(home), ...found.env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Several windows keep all processors busy, so V8's own threads only take time from them.
      '--js-flags=--single-threaded',
      '--disable-features=LocalNetworkAccessChecks',
    ],
  });
  browser.once('disconnected', () => void rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return browser;
}

/** Opens a browser context with its own cookies and VS Code secrets, as for a new user. */
export async function newBrowserContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: size,
    permissions: ['clipboard-read', 'clipboard-write'],
    // On the loopback interface, VS Code's server takes longer to compress 22 MB than to send it uncompressed.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  });
  context.setDefaultTimeout(limit(25_000));
  return context;
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
