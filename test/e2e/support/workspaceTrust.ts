import type { Page } from 'playwright-core';

/** Trusts the workspace in the editor that is open or about to open. */
export async function trustWorkspace(page: Page): Promise<void> {
  await page.locator('.workspace-trust-buttons-row').getByRole('button', { name: 'Trust', exact: true }).click();
}

/** Closes the editor that covers the window. */
export async function closeModalEditor(page: Page): Promise<void> {
  const modal = page.locator('.monaco-modal-editor-block');
  await modal
    .getByRole('button', { name: /^Close/ })
    .last()
    .click();
  await modal.waitFor({ state: 'detached' });
}
