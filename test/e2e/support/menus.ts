import type { Locator, Page } from 'playwright-core';
import { clickRow, oneTry, tryAgain } from '../../host/vscode/workbench';

/**
 * Selects an item in a row's context menu by its full label, which may be followed by a keyboard shortcut. For an item in a
 * submenu: “Compare › Select for Compare”.
 */
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
  for (const name of label.split(' › ')) {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    await pressMenuItem(page, new RegExp(`^${escaped}\\s*((Ctrl|Shift|Alt|Del|F\\d).*)?$`), { timeout: oneTry() });
  }
}

/**
 * Selects an item in the menu that is open or about to open. A menu ignores clicks in its first 100 ms, but no keys.
 */
export async function pressMenuItem(page: Page, name: RegExp, options: { timeout?: number } = {}): Promise<void> {
  // The pointer reaches the row, which covers the item's own element. A submenu is inside the item that opens it.
  const row = page.locator('.monaco-menu .action-item').filter({ has: page.getByRole('menuitem', { name }) });
  await row.last().hover(options);
  await row.last().and(page.locator('.focused')).waitFor(options);
  await page.keyboard.press('Enter');
}

/** Selects an item in Gantry's submenu of a tab or of a file in the Explorer, or in a submenu of that. */
export async function chooseInSubmenu(page: Page, row: Locator, ...names: readonly RegExp[]): Promise<void> {
  await clickRow(row, { button: 'right' });
  for (const name of [/^Gantry$/, ...names]) await pressMenuItem(page, name);
}
