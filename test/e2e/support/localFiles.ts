import type { Page } from 'playwright-core';

/** Waits until the dialog that chooses among files shows some: what is entered before that, it overwrites. */
export async function localFilesAreShown(page: Page): Promise<void> {
  // Not by its text: VS Code uses the elements of other rows again, with hidden words left in them.
  await page.locator('.quick-input-widget:visible .monaco-list-row[aria-label=".."]').first().waitFor();
}
