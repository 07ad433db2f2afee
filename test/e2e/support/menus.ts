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
  const names = label.split(' › ').map((name) => {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`^${escaped}\\s*((Ctrl|Shift|Alt|Del|F\\d|[⌘⇧⌥⌃⌫]).*)?$`);
  });
  await chooseByPath(page, names, { timeout: oneTry() });
}

/**
 * Selects an item in the menu that is open or about to open. A menu ignores clicks in its first 100 ms, but no keys.
 */
export async function pressMenuItem(page: Page, name: RegExp, options: { timeout?: number } = {}): Promise<void> {
  const row = await pointAtMenuItem(page, name, options);
  await row.and(page.locator('.focused')).waitFor(options);
  await page.keyboard.press('Enter');
}

async function pointAtMenuItem(page: Page, name: RegExp, options: { timeout?: number }): Promise<Locator> {
  // The pointer reaches the row, which covers the item's own element. A submenu is inside the item that opens it.
  const rows = page.locator('.monaco-menu .action-item').filter({ has: page.getByRole('menuitem', { name }) });
  await rows.last().hover(options);
  return rows.last();
}

/**
 * Opens the submenu of an item with the pointer alone: after a key, VS Code opens it for the pointer again a moment later, and
 * what was in focus in the first one is gone.
 */
export async function openSubmenu(page: Page, name: RegExp, options: { timeout?: number } = {}): Promise<void> {
  const opener = await pointAtMenuItem(page, name, options);
  await opener.locator('.monaco-menu .action-item').first().waitFor(options);
}

async function chooseByPath(page: Page, names: readonly RegExp[], options: { timeout?: number } = {}): Promise<void> {
  for (const name of names.slice(0, -1)) await openSubmenu(page, name, options);
  for (const name of names.slice(-1)) await pressMenuItem(page, name, options);
}

/** Selects an item in Gantry's submenu of a tab or of a file in the Explorer, or in a submenu of that. */
export async function chooseInSubmenu(page: Page, row: Locator, ...names: readonly RegExp[]): Promise<void> {
  await clickRow(row, { button: 'right' });
  await chooseByPath(page, [/^Gantry$/, ...names]);
}
