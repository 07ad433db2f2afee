import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { workbenchIsThere } from '../../host/vscode/openWindow';
import { openContainer, runCommand, tidyUp } from '../../host/vscode/workbench';
import type { VsCode } from '../../host/vscode/startVsCode';
import { closeEverything } from './closeEverything';
import { dialogButton } from './dialogs';
import { dragSideBar, foldSection, section, sideBarWidth, unfoldSection } from './sections';
import { signInButton } from './signIn';

/** Which views a new window unfolds as soon as it has an account. */
const views = { Environments: true, Favorites: false, Deployments: true, Mounts: false, Access: false } as const;

/** What a test may change and VS Code keeps. */
export interface Look {
  readonly address: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly sideBar: number;
  readonly settings: ReadonlyMap<string, string>;
}

/** Returns what a new window is like. */
export async function lookOf(page: Page, { stateFolder }: VsCode): Promise<Look> {
  const size = page.viewportSize();
  if (size === null) throw new Error('The window has a size.');
  await openContainer(page, 'Gantry');
  const files = ['User', 'Machine'].map((name) => join(stateFolder, 'user', name, 'settings.json'));
  const settings = new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
  return { address: page.url(), size, sideBar: await sideBarWidth(page), settings };
}

/**
 * Takes back what the tests of a file did to a window, so that the next file gets it like a new one. Signing out makes Gantry
 * forget all that it kept for the account.
 */
export async function leaveAsNew(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(look.size);
  await closeEverything(page);
  if (page.url() !== look.address) {
    await page.goto(look.address);
    await workbenchIsThere(page);
  }
  await openContainer(page, 'Gantry');
  await restoreViews(page);
  await signOut(page);
  for (const [path, text] of look.settings) {
    if ((await readFile(path, 'utf8')) !== text) await writeFile(path, text);
  }
  if (await page.locator('.part.panel').isVisible()) {
    await tidyUp(page, 'workbench.action.terminal.killAll');
    await tidyUp(page, 'workbench.action.closePanel');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
  }
  if ((await sideBarWidth(page)) !== look.sideBar) await dragSideBar(page, look.sideBar);
  await page.evaluate("navigator.clipboard.writeText('')");
  await closeEverything(page);
}

async function restoreViews(page: Page): Promise<void> {
  const account = section(page, 'Favorites').locator('.pane-header');
  await signInButton(page).or(account).first().waitFor();
  if (!(await account.isVisible())) return;
  for (const [view, isUnfolded] of Object.entries(views)) {
    await (isUnfolded ? unfoldSection : foldSection)(page, view);
  }
}

/** Signs out of the only account. */
async function signOut(page: Page): Promise<void> {
  const welcome = signInButton(page);
  if (await welcome.isVisible()) return;
  await runCommand(page, 'Gantry: Sign Out…');
  await dialogButton(page, 'Sign Out').click();
  await welcome.waitFor();
}
