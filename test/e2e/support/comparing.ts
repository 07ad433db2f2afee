import type { Page } from 'playwright-core';

/** Waits until both sides of the active comparison show the expected text. Spaces in an editor are non-breaking. */
export async function sidesShow(
  page: Page,
  sides: { readonly original: RegExp; readonly modified: RegExp },
): Promise<void> {
  for (const [side, text] of Object.entries(sides)) {
    const lines = page.locator(`.editor-group-container.active .${side}-in-monaco-diff-editor .view-lines`);
    await lines.filter({ hasText: text }).first().waitFor();
  }
}
