import type { Page } from 'playwright-core';
import { evidenceKept } from '../../host/evidence';
import { limit } from '../../host/limits';
import { tidyUp } from '../../host/vscode/workbench';

/**
 * Closes everything that a test left open, even a failed one: menus, prompts, messages, and editors with unsaved text.
 */
export async function closeEverything(page: Page): Promise<void> {
  // A screenshot of a failed test may still be in progress.
  await evidenceKept();
  await closePrompts(page);
  const unsaved = page.locator('.tab.dirty');
  for (let count = await unsaved.count(); count > 0; count -= 1) {
    await unsaved.first().click();
    await tidyUp(page, 'workbench.action.revertAndCloseActiveEditor');
    await unsaved.nth(count - 1).waitFor({ state: 'detached' });
  }
  const tabs = page.locator('.tabs-container .tab');
  if ((await tabs.count()) > 0) await tidyUp(page, 'workbench.action.closeAllEditors');
  await tabs.first().waitFor({ state: 'detached' });
  const notified = page.locator('.statusbar-item .codicon-bell-dot, .notifications-toasts .notification-list-item');
  if ((await notified.count()) > 0) await tidyUp(page, 'notifications.clearAll');
  await notified.first().waitFor({ state: 'detached' });
}

/** Dismisses open prompts and menus. Dismissing one may open another, and a prompt ignores the key until it has focus. */
export async function closePrompts(page: Page): Promise<void> {
  const open = page.locator('.monaco-dialog-box, .quick-input-widget:visible, .context-view:visible .monaco-menu');
  for (let attempts = 5, count = await open.count(); attempts > 0 && count > 0; attempts -= 1) {
    await page.keyboard.press('Escape');
    // A submenu closes before the menu that contains it.
    await open
      .nth(count - 1)
      .waitFor({ state: 'hidden', timeout: limit(2_000) })
      .catch(() => undefined);
    count = await open.count();
  }
}
