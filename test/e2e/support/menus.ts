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

/** A button of a modal dialog. */
export function dialogButton(page: Page, label: string): Locator {
  return page.locator('.monaco-dialog-box').getByRole('button', { name: label, exact: true });
}

/** Folds all sections of the side bar but one, which then has the room. */
export async function onlySection(page: Page, name: string): Promise<void> {
  const others = page.locator('.sidebar .pane-header[aria-expanded="true"]').filter({ hasNotText: name });
  for (let left = await others.count(); left > 0; left -= 1) {
    await others.first().click();
  }
}
