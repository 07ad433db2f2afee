import type { Page } from 'playwright-core';

/** Waits until the dialog that chooses among files shows some: what is entered before that, it overwrites. */
export async function localFilesAreShown(page: Page): Promise<void> {
  const folderAbove = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^\.\.$/ });
  await folderAbove.first().waitFor({ state: 'attached' });
}
