import type { Locator, Page } from 'playwright-core';

/** The modal question that is open or is about to be. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

export function dialogButton(page: Page, name: string): Locator {
  return dialog(page).getByRole('button', { name, exact: true });
}
