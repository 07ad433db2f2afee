import type { Locator, Page } from 'playwright-core';
import { oneTry, tryAgain } from '../../host/vscode/workbench';

interface Clicking {
  readonly button?: 'left' | 'right';
  readonly modifier?: 'Shift' | 'Control';
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

/** Opens a row with a double click, which keeps the tab open. A single click opens only a preview. */
export async function openRow(row: Locator): Promise<void> {
  await clickRow(row, { times: 2 });
}

/** Drags a row onto another until the result appears. A drop was once lost on a busy machine, and we don't know why. */
export async function dragRow(row: Locator, onto: Locator, result: Locator): Promise<void> {
  for (const one of [row, onto]) await one.waitFor();
  await tryAgain(async () => {
    await row.dragTo(onto, { timeout: oneTry() });
    await result.waitFor({ timeout: oneTry() });
  });
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
