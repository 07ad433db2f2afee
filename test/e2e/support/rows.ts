import type { Locator, Page } from 'playwright-core';

interface Clicking {
  readonly button?: 'left' | 'right';
  readonly modifier?: 'Shift' | 'Control';
  readonly times?: 1 | 2;
}

/**
 * Clicks where a row is seen. VS Code's lists show other rows in the same elements after a refresh, so that an element found by
 * its label a moment ago may be another row by the time it is clicked; the place on the screen stays.
 */
export async function clickRow(row: Locator, { button = 'left', modifier, times = 1 }: Clicking = {}): Promise<void> {
  const page = row.page();
  await pointNowhere(page);
  // Nothing lies over it.
  await row.click({ trial: true });
  const { x, y } = await restingPlace(row);
  if (modifier !== undefined) await page.keyboard.down(modifier);
  await page.mouse.click(x, y, { button, clickCount: times });
  if (modifier !== undefined) await page.keyboard.up(modifier);
}

/** Opens what a row stands for to stay, as a double click does; a single one opens it until the next is looked at. */
export async function openRow(row: Locator): Promise<void> {
  await clickRow(row, { times: 2 });
}

/** Drags a row onto another until the result is there: a drop was lost once on a busy machine, for a reason we don't know. */
export async function dragRow(row: Locator, onto: Locator, result: Locator): Promise<void> {
  for (let tries = 1; tries < 3; tries += 1) {
    await row.dragTo(onto);
    const dropped = await result.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (dropped) return;
  }
  await row.dragTo(onto);
  await result.waitFor();
}

/** The tooltip of the row that was clicked last would lie over those below it. */
export async function pointNowhere(page: Page): Promise<void> {
  await page.mouse.move(700, 5);
}

/** The middle of a row once it has stopped moving: sections of the side bar glide when one of them is folded. */
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
