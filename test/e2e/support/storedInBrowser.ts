import type { BrowserContext } from 'playwright-core';

/** VS Code's own place for secrets, which it encrypts. */
const secretStorage = 'secrets.provider';

/** All that a browser keeps of VS Code, as JSON, but for the place that is meant for secrets. */
export async function storedInBrowser(context: BrowserContext): Promise<string> {
  const { cookies, origins } = await context.storageState({ indexedDB: true });
  const kept = origins.map(({ localStorage, ...others }) => ({
    ...others,
    localStorage: localStorage.filter(({ name }) => name !== secretStorage),
  }));
  return JSON.stringify({ cookies, kept });
}
