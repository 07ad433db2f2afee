import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { projectFolder } from '../host/folders';
import { openWindow, type VsCodeWindow } from '../host/vscode/openWindow';
import type { VsCode } from '../host/vscode/startVsCode';
import { clickRow, editor, openContainer, pick, quickInput, runCommand } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { closeEverything, closePrompts } from './support/closeEverything';
import { takeVsCode } from './support/gantryWindow';
import { picture } from './support/picture';
import { onlySection, rowIn, section, unfoldPath } from './support/sections';

const textsIn = (file: string) => JSON.parse(readFileSync(join(projectFolder, file), 'utf8')) as Record<string, string>;

/** The pseudo-language shows that all texts can be translated, and this that each language reaches the window. */
for (const language of ['de', 'fr']) {
  describe(`the window in the language ${language}`, () => {
    const texts = textsIn(`l10n/bundle.l10n.${language}.json`);
    const words = textsIn(`package.nls.${language}.json`);
    const inWindow = (english: string) => texts[english] ?? assert.fail(english);
    const inManifest = (key: string) => words[key] ?? assert.fail(key);
    let platform: LocalPlatform;
    let vscode: VsCode;
    let window: VsCodeWindow;
    let page: Page;

    before(async () => {
      platform = await startPlatform();
      vscode = await takeVsCode({ settings: { 'gantry.platforms': [platform.origin] } });
      const context = await vscode.newContext();
      // VS Code asks this for the language of the manifest's texts, and passes it on to the extension host.
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${language}'`);
      window = await openWindow(vscode, { context });
      page = window.page;
    });
    afterEach(() => closeEverything(page));
    after(async () => {
      await window.close();
      await vscode.dispose();
      await platform.dispose();
    });

    const enter = async (text: string) => {
      await quickInput(page).fill(text);
      await page.keyboard.press('Enter');
    };
    const asked = (english: string) => {
      const question = page.locator('.quick-input-widget');
      return question
        .getByText(inWindow(english))
        .or(question.getByPlaceholder(inWindow(english)))
        .first()
        .waitFor();
    };
    it('signs in, and shows files and their menu', async () => {
      const environments = inManifest('view.environments');
      await openContainer(page, 'Gantry');
      await section(page, environments).waitFor();
      await picture(page, `${language}-welcome`);
      await page.locator('.welcome-view-content .monaco-button').first().click();
      await pick(page, platform.origin);
      await pick(page, inWindow('Email and password'));
      await asked('Your email address');
      await enter(platform.sample.email);
      await page.locator('.quick-input-widget input[type="password"]').waitFor();
      await picture(page, `${language}-password`);
      await enter(platform.sample.password);
      await page.locator('.quick-input-list').getByText(inWindow('Never expires')).waitFor();
      await page.keyboard.press('Enter');
      await rowIn(page, environments, 'Saltmarsh Tea').waitFor();
      await onlySection(page, environments);
      await unfoldPath(page, environments, ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d']);
      const file = rowIn(page, environments, 'shop.conf');
      await clickRow(file);
      await editor(page).locator('.view-line').first().waitFor();
      await clickRow(file, { button: 'right' });
      const item = page.getByRole('menuitem', { name: inManifest('command.favorite.add') });
      await item.waitFor();
      await picture(page, `${language}-menu`);
      await closePrompts(page);
    });

    it('asks in it', async () => {
      await runCommand(page, `Gantry: ${inManifest('command.environment.goTo')}`);
      await asked('Name, domain, node ID, or project, for example my-shop');
      await picture(page, `${language}-question`);
    });
  });
}
