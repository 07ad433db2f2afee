import type { Locator, Page } from 'playwright-core';

/** Returns the modal question that is open or about to open. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

export function dialogButton(page: Page, name: string): Locator {
  return dialog(page).getByRole('button', { name, exact: true });
}
