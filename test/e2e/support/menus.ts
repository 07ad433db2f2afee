import type { Locator, Page } from 'playwright-core';
import { clickRow } from './rows';

/** Chooses an item of a row's context menu by its whole label; a key that does the same stands behind it. */
export async function chooseInMenu(page: Page, row: Locator, label: string): Promise<void> {
  await clickRow(row, { button: 'right' });
  const escaped = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const item = page.getByRole('menuitem', { name: new RegExp(`^${escaped}\\s*((Ctrl|Shift|Alt|Del|F\\d).*)?$`) });
  // The item's own element lies under its row's, and a pointer meets the row. A menu does not heed clicks in its first
  // tenth of a second, lest the click that opened it chooses something; keys it heeds at once.
  await page.locator('.monaco-menu .action-item').filter({ has: item }).first().hover();
  await page.locator('.monaco-menu .action-item.focused').filter({ has: item }).first().waitFor();
  await page.keyboard.press('Enter');
}
