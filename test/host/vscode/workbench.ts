import { type Locator, type Page } from 'playwright-core';
import { limit } from '../limits';
import { tidyingKeys } from './tidyingKeys';

/** The actions of a user in the window, with keys and visible names. */

/** Runs a command from the palette by its full title, such as `Gantry: Sign In`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  // Anything that takes the focus, such as revealing a row, closes the palette.
  await tryAgain(
    () => runInPalette(page, title, { timeout: oneTry() }),
    // One that opened before an extension's commands were known never lists them, and F1 only selects its text.
    () => closePalette(page),
  );
}

async function closePalette(page: Page): Promise<void> {
  if (await paletteInput(page).isVisible()) await page.keyboard.press('Escape');
}

/** Another question may still be open, and its input is not the palette's. */
function paletteInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible').getByPlaceholder('Type the name of a command');
}

/** How long one try of an action may take that something else in the window can interrupt. */
export function oneTry(): number {
  return limit(6_000);
}

/** Repeats an action that something else in the window can interrupt, as a user would. */
export async function tryAgain(action: () => Promise<void>, between?: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries < 4; tries += 1) {
    const hasWorked = await action().then(
      () => true,
      () => false,
    );
    if (hasWorked) return;
    await between?.();
  }
  await action();
}

async function runInPalette(page: Page, title: string, options: { readonly timeout: number }): Promise<void> {
  await page.keyboard.press('F1');
  await paletteInput(page).fill(`>${title}`, options);
  // The palette's first row may be another command that contains these words.
  const label = page.locator('.label-name').getByText(title, { exact: true });
  await clickRow(page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first(), options);
}

/** Runs a command that isn't the subject of a test. */
export async function tidyUp(page: Page, command: keyof typeof tidyingKeys): Promise<void> {
  await page.keyboard.press(tidyingKeys[command]);
}

/** Answers an input box or a quick pick that is open or about to open. */
export async function answer(page: Page, prompt: string | RegExp, text: string): Promise<void> {
  await page.locator('.quick-input-widget').filter({ hasText: prompt }).waitFor();
  await quickInput(page).fill(text);
  await page.keyboard.press('Enter');
}

/** Selects the row of an open quick pick that contains the text. */
export async function pick(page: Page, text: string | RegExp): Promise<void> {
  await clickRow(page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first());
}

interface Clicking {
  readonly button?: 'left' | 'right';
  readonly modifier?: 'Shift' | 'ControlOrMeta';
  readonly times?: 1 | 2;
  /** How long to wait until nothing covers the row, in milliseconds. */
  readonly timeout?: number;
}

/**
 * Clicks at the position of a row. After a refresh, VS Code's lists show other rows in the same elements, so an element
 * that was found by its label may be another row when it is clicked. The position stays the same.
 */
export async function clickRow(row: Locator, clicking: Clicking = {}): Promise<void> {
  const { button = 'left', modifier, times = 1, ...options } = clicking;
  const page = row.page();
  await pointNowhere(page);
  // Wait until nothing covers the row.
  await row.click({ trial: true, ...options });
  const { x, y } = await restingPlace(row);
  if (modifier !== undefined) await page.keyboard.down(modifier);
  await page.mouse.click(x, y, { button, clickCount: times });
  if (modifier !== undefined) await page.keyboard.up(modifier);
}

/** Moves the pointer away, because the tooltip of the row that was clicked last would cover the rows below it. */
export async function pointNowhere(page: Page): Promise<void> {
  await page.mouse.move(700, 5);
}

/**
 * Returns the middle of a row once it has stopped moving. Sections of the side bar are animated when one of them
 * collapses.
 */
export async function restingPlace(row: Locator): Promise<{ readonly x: number; readonly y: number }> {
  let before = await row.boundingBox();
  for (let looks = 0; looks < 100; looks += 1) {
    await row.page().evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const now = await row.boundingBox();
    if (before !== null && now?.x === before.x && now.y === before.y) {
      return { x: now.x + now.width / 2, y: now.y + now.height / 2 };
    }
    before = now;
  }
  throw new Error(`${row.toString()} does not come to rest.`);
}

/** Types into Quick Open until it shows the answer: VS Code gives a slow symbol provider half a second. */
export async function askForSymbol(page: Page, typed: string, row: Locator): Promise<void> {
  await tryAgain(
    async () => {
      await quickInput(page).fill(typed);
      await row.first().waitFor({ timeout: oneTry() });
    },
    () => quickInput(page).fill('#'),
  );
}

export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible input.input').first();
}

/** Opens a view container by its name in the activity bar unless it is open. */
export async function openContainer(page: Page, name: string): Promise<void> {
  await restored(page);
  const tab = page.locator('.activitybar').getByRole('tab', { name }).first();
  await tab.waitFor();
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** Waits until VS Code has restored the open view. A click before that would close it again. */
async function restored(page: Page): Promise<void> {
  await page.waitForFunction("performance.getEntriesByName('code/didStartWorkbench').length > 0");
}

export function editorTab(page: Page, name: string | RegExp): Locator {
  return page.locator('.tabs-container').getByRole('tab', { name }).first();
}

/** The text area of the active editor. */
export function editor(page: Page): Locator {
  return page.locator('.editor-group-container.active .monaco-editor').first();
}

/** Types into the active editor, which is read-only, and waits for the reason in the status bar. */
export async function refusesTyping(page: Page, reason: RegExp): Promise<void> {
  await editor(page).locator('.view-line').first().click();
  await page.keyboard.type('x');
  await editor(page)
    .getByText(/read-only/)
    .waitFor();
  await page
    .locator('.statusbar-item')
    .filter({ has: page.locator('.codicon-bracket-dot') })
    .first()
    .hover();
  await page.getByText(reason).first().waitFor();
  await page.locator('.tab.dirty').waitFor({ state: 'detached' });
}

/** A notification, in a toast or in the list of notifications. To wait for one, use `notificationShown`. */
export function notification(page: Page, text: string | RegExp): Locator {
  const items = '.notification-list-item';
  return page
    .locator(`.notifications-toasts ${items}, .notifications-center ${items}`)
    .filter({ hasText: text })
    .first();
}

/**
 * Waits until a notification has appeared. VS Code shows at most three toasts within 800 ms, which is what a stalled
 * window catches up on, and hides each after some seconds, so the list of notifications is opened if there's no toast.
 */
export async function notificationShown(page: Page, text: string | RegExp): Promise<Locator> {
  const shown = notification(page, text);
  const isToast = await shown.waitFor({ timeout: oneTry() }).then(
    () => true,
    () => false,
  );
  if (!isToast) {
    await tidyUp(page, 'notifications.showList');
    await shown.waitFor();
  }
  return shown;
}

/** Presses a button of a notification that is shown or about to appear. */
export async function pressInNotification(page: Page, text: string | RegExp, button: string): Promise<void> {
  await (await notificationShown(page, text)).getByRole('button', { name: button }).click();
}
