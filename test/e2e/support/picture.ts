import { join } from 'node:path';
import { it } from 'mocha';
import type { Page } from 'playwright-core';
import { cacheFolder, projectFolder } from '../../host/folders';
import { takePicture } from '../../host/vscode/openWindow';

/** The screenshots in README and docs. The others are only for review. */
const published: readonly string[] = ['favorites', 'redeployed'];

export const takesPictures = process.env['GANTRY_PICTURES'] !== undefined;
export const takesLooks = process.env['GANTRY_PICTURES'] === 'looks';

/** How the system wants the window to look, and VS Code's class for that. */
const looks = {
  light: { wish: { colorScheme: 'light', forcedColors: 'none' }, theme: 'vs' },
  dark: { wish: { colorScheme: 'dark', forcedColors: 'none' }, theme: 'vs-dark' },
  'high-contrast': { wish: { colorScheme: 'dark', forcedColors: 'active' }, theme: 'hc-black' },
} as const;

/** Defines a test that only takes screenshots for review. It runs with the option `--pictures`. */
export const itIsPictured: (title: string, test: () => Promise<void>) => void = (title, test) => {
  if (takesPictures) it(`are shown ${title}`, test);
};

/**
 * Takes a screenshot if the run has the option `--pictures`: a hundred screenshots take as long as ten tests. With `--looks`,
 * takes one in each theme, while menus and questions stay open.
 * If UPDATE_SCREENSHOTS is set, replaces the screenshots for README and the pages in `docs`.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const publish = process.env['UPDATE_SCREENSHOTS'] !== undefined && published.includes(name);
  if (!publish && !takesPictures) return;
  const folder = publish ? join(projectFolder, 'docs', 'screenshots') : join(cacheFolder, 'screenshots');
  if (publish || !takesLooks) {
    await takePicture(page, join(folder, `${name}.png`));
    return;
  }
  for (const [look, { wish, theme }] of Object.entries(looks)) {
    await page.emulateMedia(wish);
    await page.locator(`.monaco-workbench.${theme}`).first().waitFor();
    await takePicture(page, join(folder, `${name}-${look}.png`));
  }
}
