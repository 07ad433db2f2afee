import type { BrowserContext } from 'playwright-core';

/** VS Code's own storage for secrets, which it encrypts. */
const secretStorage = 'secrets.provider';

/** Returns everything in the browser's storage for VS Code as JSON, except the storage for secrets. */
export async function storedInBrowser(context: BrowserContext): Promise<string> {
  const { cookies, origins } = await context.storageState({ indexedDB: true });
  const kept = origins.map(({ localStorage, ...others }) => ({
    ...others,
    localStorage: localStorage.filter(({ name }) => name !== secretStorage),
  }));
  return JSON.stringify({ cookies, kept });
}
