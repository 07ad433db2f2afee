import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cacheFolder, projectFolder } from '../../host/folders';

/** The screenshots in README. The others are only for review. */
const published: readonly string[] = ['configuration', 'favorites', 'redeployed'];

/**
 * Takes a screenshot if the run has the option `--pictures`: a hundred screenshots take as long as ten tests.
 * If UPDATE_SCREENSHOTS is set, replaces the screenshots for README in `docs`.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const publish = process.env['UPDATE_SCREENSHOTS'] !== undefined && published.includes(name);
  if (!publish && process.env['GANTRY_PICTURES'] === undefined) return;
  const folder = publish ? join(projectFolder, 'docs', 'screenshots') : join(cacheFolder, 'screenshots');
  // What is just sliding in is shown where it comes to rest.
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
