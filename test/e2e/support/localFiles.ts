import type { Page } from 'playwright-core';

/** Waits until the file dialog lists files, because it overwrites input that was entered earlier. */
export async function localFilesAreShown(page: Page): Promise<void> {
  // Not by its text, because VS Code reuses row elements and leaves hidden text in them.
  await page.locator('.quick-input-widget:visible .monaco-list-row[aria-label=".."]').first().waitFor();
}
