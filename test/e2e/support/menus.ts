import type { Locator, Page } from 'playwright-core';
import { clickRow, oneTry, tryAgain } from '../../host/vscode/workbench';

/** Selects an item in a row's context menu by its full label, which may be followed by a keyboard shortcut. */
export async function chooseInMenu(page: Page, row: Locator, label: string): Promise<void> {
  await row.waitFor();
  // A menu closes when its view reveals a new item, so open it again as a user would.
  await tryAgain(
    () => openAndChoose(page, row, label),
    () => page.keyboard.press('Escape'),
  );
}

async function openAndChoose(page: Page, row: Locator, label: string): Promise<void> {
  await clickRow(row, { button: 'right', timeout: oneTry() });
  const escaped = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  await pressMenuItem(page, new RegExp(`^${escaped}\\s*((Ctrl|Shift|Alt|Del|F\\d).*)?$`), { timeout: oneTry() });
}

/**
 * Selects an item in the menu that is open or about to open. A menu ignores clicks in its first 100 ms, but no keys.
 */
export async function pressMenuItem(page: Page, name: RegExp, options: { timeout?: number } = {}): Promise<void> {
  // The pointer reaches the row, which covers the item's own element.
  const row = page.locator('.monaco-menu .action-item').filter({ has: page.getByRole('menuitem', { name }) });
  await row.first().hover(options);
  await row.and(page.locator('.focused')).first().waitFor(options);
  await page.keyboard.press('Enter');
}

/** Selects an item in Gantry's submenu of a tab or of a file in the Explorer. */
export async function chooseInSubmenu(page: Page, row: Locator, name: RegExp): Promise<void> {
  await clickRow(row, { button: 'right' });
  await pressMenuItem(page, /^Gantry$/);
  // The submenu is inside the item that opens it.
  const item = page.locator('.monaco-submenu .action-item').filter({ has: page.getByRole('menuitem', { name }) });
  await item.first().hover();
  await item.and(page.locator('.focused')).first().waitFor();
  await page.keyboard.press('Enter');
}
