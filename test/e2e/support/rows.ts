import type { Locator } from 'playwright-core';
import { clickRow, oneTry, tryAgain } from '../../host/vscode/workbench';

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
