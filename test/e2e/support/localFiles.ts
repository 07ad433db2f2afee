import type { Page } from 'playwright-core';
import { oneTry, quickInput, tryAgain } from '../../host/vscode/workbench';

/** Enters a path in VS Code's file dialog after the path's folder is listed, which also contains `beside`. */
export async function chooseLocalPath(page: Page, path: string, beside: string): Promise<void> {
  // The dialog overwrites input that was entered before it listed files. The rows are found by their label and not by
  // their text, because VS Code reuses row elements and leaves hidden text in them.
  const parentRow = page.locator('.quick-input-widget:visible .monaco-list-row[aria-label=".."]').first();
  await parentRow.waitFor();
  await quickInput(page).fill(path);
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: beside }).first().waitFor();
  // The dialog ignores Enter while it lists a folder, so press it again as a user would.
  await tryAgain(async () => {
    await page.keyboard.press('Enter');
    await parentRow.waitFor({ state: 'hidden', timeout: oneTry() });
  });
}
