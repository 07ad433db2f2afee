import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import manifest from '../../package.json';
import words from '../../package.nls.json';
import { pick, runCommand } from '../host/vscode/workbench';
import { closeEverything } from './support/closeEverything';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';

/** Each step, with words that are only in its image. */
const steps = [
  { title: words['walkthrough.signIn.title'], drawn: 'Sign In to Platform' },
  { title: words['walkthrough.configuration.title'], drawn: 'Saved and verified.' },
  { title: words['walkthrough.redeploy.title'], drawn: 'your repository' },
];

/**
 * Media settings of the operating system, which VS Code follows. A palette loses its focus if it opens over an image.
 */
const themes = {
  light: { class: 'vs', media: { colorScheme: 'light', forcedColors: 'none' } },
  dark: { class: 'vs-dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  contrast: { class: 'hc-black', media: { colorScheme: 'dark', forcedColors: 'active' } },
} as const;

describe('the walkthrough', () => {
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    gantry = await openGantry({
      settings: { 'window.autoDetectColorScheme': true, 'window.autoDetectHighContrast': true },
    });
    page = gantry.page;
  });

  beforeEach(async () => {
    await page.emulateMedia(themes.light.media);
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words['walkthrough.title'] }).waitFor();
    await pick(page, words['walkthrough.title']);
    await step(steps[0]?.title ?? '').waitFor();
  });

  afterEach(() => closeEverything(page));

  after(async () => {
    await gantry.close();
  });

  const step = (title: string) =>
    page.locator('.gettingStartedContainer button.getting-started-step', { hasText: title });
  /** An image is rendered in a nested web page. */
  const pictureHolding = (words: string) =>
    page.frameLocator('iframe.webview').frameLocator('#active-frame').getByText(words, { exact: true });

  it('has an image for each step, and opens on the first step', async () => {
    assert.equal(manifest.contributes.walkthroughs[0]?.steps.length, steps.length);
    await pictureHolding('Sign In to Platform').waitFor();
  });

  for (const [theme, { media, class: shade }] of Object.entries(themes)) {
    it(`shows each step in a ${theme} theme`, async () => {
      await page.emulateMedia(media);
      await page.locator(`.monaco-workbench.${shade}`).waitFor();
      for (const [index, { title, drawn }] of steps.entries()) {
        await step(title).click();
        await page
          .locator('.gettingStartedContainer button.getting-started-step.expanded', { hasText: title })
          .waitFor();
        await pictureHolding(drawn).waitFor();
        await picture(page, `walkthrough-${theme}-${index + 1}`);
      }
    });
  }

  it('opens the sign-in from its first step', async () => {
    await step(steps[0]?.title ?? '').click();
    await page.locator('.gettingStartedContainer').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.locator('.quick-input-widget').filter({ hasText: 'Sign In to Platform' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  });
});
