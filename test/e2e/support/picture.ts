import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cacheFolder, projectFolder } from '../../host/folders';

/** The screenshots that README shows; the others are for whoever runs the tests to look at. */
const published: readonly string[] = ['configuration', 'favorites', 'redeployed'];

/** Takes a screenshot. With UPDATE_SCREENSHOTS set, those that README shows replace the ones in `docs`. */
export async function picture(page: Page, name: string): Promise<void> {
  const publish = process.env['UPDATE_SCREENSHOTS'] !== undefined && published.includes(name);
  const folder = publish ? join(projectFolder, 'docs', 'screenshots') : join(cacheFolder, 'screenshots');
  // What is just sliding in is shown where it comes to rest.
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
