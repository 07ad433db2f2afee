import type { Locator, Page } from 'playwright-core';
import { oneTry, quickInput, tryAgain } from '../../host/vscode/workbench';
import { dialog, dialogButton } from './dialogs';

const onMac = process.platform === 'darwin';

/** Keys that differ between systems by more than Control and Command. */
export const keys = {
  top: onMac ? 'Meta+ArrowUp' : 'Control+Home',
  bottom: onMac ? 'Meta+ArrowDown' : 'Control+End',
  back: onMac ? 'Control+Minus' : process.platform === 'win32' ? 'Alt+ArrowLeft' : 'Control+Alt+Minus',
} as const;

/** The actions of a user without a mouse. Each one waits until the window has reacted. */

/** Runs a command from the palette by its full title. */
export async function command(page: Page, title: string): Promise<void> {
  // The palette offers what was possible when it opened, which may be before the window noticed the active editor.
  await tryAgain(
    async () => {
      await typeInPalette(page, title);
      await focusedRow(page, title).waitFor({ timeout: oneTry() });
    },
    async () => {
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'hidden' });
    },
  );
  await page.keyboard.press('Enter');
  await palette(page).waitFor({ state: 'hidden' });
}

async function typeInPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await question(page, /^/).waitFor();
  await quickInput(page).fill(`>${title}`);
}

/** Types an answer to the question and presses Enter. */
export async function type(page: Page, prompt: string | RegExp, text: string): Promise<void> {
  await question(page, prompt).waitFor();
  await quickInput(page).fill(text);
  await page.keyboard.press('Enter');
}

/** Types the beginning of a row in the question's list, and selects it with Enter. */
export async function choose(page: Page, prompt: string | RegExp, label: string): Promise<void> {
  await question(page, prompt).waitFor();
  await quickInput(page).fill(label);
  await focusedRow(page, label).waitFor();
  await page.keyboard.press('Enter');
}

/** Presses Enter on the focused button of a modal question, and waits until the question is closed. */
export async function accept(page: Page, text: string | RegExp, button: string): Promise<void> {
  const asked = dialog(page).filter({ hasText: text });
  await asked.waitFor();
  await dialogButton(page, button).focus();
  await page.keyboard.press('Enter');
  await asked.waitFor({ state: 'hidden' });
}

/** Returns the input or list with this title, placeholder, or message. */
export function question(page: Page, text: string | RegExp): Locator {
  const widget = page.locator('.quick-input-widget:visible');
  const byWords = widget.filter({ hasText: text });
  return byWords.or(widget.filter({ has: page.getByPlaceholder(text) })).first();
}

function palette(page: Page): Locator {
  return page
    .locator('.quick-input-widget:visible')
    .filter({ has: page.getByPlaceholder('Type the name of a command') });
}

function focusedRow(page: Page, label: string): Locator {
  return page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: label }).first();
}
