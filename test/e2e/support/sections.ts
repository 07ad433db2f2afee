import type { Locator, Page } from 'playwright-core';
import {
  clickRow,
  oneTry,
  pointNowhere,
  pick,
  quickInput,
  restingPlace,
  runCommand,
  tryAgain,
} from '../../host/vscode/workbench';
import { openSubmenu, pressMenuItem } from './menus';
import { picture, takesLooks, takesPictures } from './picture';

/** Returns a view of the side bar by its title. Rows with the same name may be in several views. */
export function section(page: Page, name: string): Locator {
  return page.locator('.sidebar .pane').filter({ has: page.locator(`.pane-header[aria-label="${name} Section"]`) });
}

/** Where a view's header has no buttons, even in a narrow side bar. */
export const besideButtons = { position: { x: 30, y: 10 } } as const;

export async function unfoldSection(page: Page, name: string): Promise<void> {
  // VS Code hides it at first.
  if (name === 'Access' && (await section(page, name).count()) === 0) {
    await runCommand(page, 'Gantry: Focus on Access View');
    await section(page, name).waitFor();
  }
  const header = section(page, name).locator('.pane-header');
  if ((await header.getAttribute('aria-expanded')) !== 'true') {
    await header.click(besideButtons);
  }
}

/** Collapses a view to give its height to the others, because a list renders only visible rows. */
export async function foldSection(page: Page, name: string): Promise<void> {
  const header = section(page, name).locator('.pane-header');
  if ((await header.count()) === 0) return;
  if ((await header.getAttribute('aria-expanded')) === 'true') {
    await header.click(besideButtons);
  }
}

/** Collapses all other views. */
export async function onlySection(page: Page, name: string): Promise<void> {
  const others = page.locator('.sidebar .pane-header[aria-expanded="true"]').filter({ hasNotText: name });
  for (let left = await others.count(); left > 0; left -= 1) {
    await others.first().click();
  }
}

/**
 * Returns what matches a text at the beginning, also if it's translated. A row's name has its label first: a layer's has the
 * software of its nodes, too.
 */
export function beginningWith(text: string | RegExp): RegExp {
  return typeof text === 'string' ? new RegExp(`^[\\s⟦]*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'i') : text;
}

/** Returns the row of a view whose label begins with the text. */
export function rowIn(page: Page, sectionName: string, label: string | RegExp): Locator {
  return section(page, sectionName)
    .getByRole('treeitem', { name: beginningWith(label) })
    .first();
}

/** Returns a button of the text that a view shows while it has no rows. */
export function welcomeButton(page: Page, sectionName: string, label: string): Locator {
  return section(page, sectionName).locator('.welcome-view-content').getByRole('button', { name: label });
}

/** The view of what was found, which is alone in its place in the panel. */
export function foundIn(page: Page): Locator {
  return page.locator('.part.panel .pane').filter({ has: page.locator('[aria-label^="Search Results"]') });
}

/** Clicks a button above what was found. */
export async function pressAboveFound(page: Page, label: string): Promise<void> {
  await page.locator('.part.panel .title-actions').getByRole('button', { name: label }).click();
}

/** Expands a row and waits until it is expanded. */
export async function unfoldRow(page: Page, sectionName: string, label: string | RegExp): Promise<void> {
  const row = rowIn(page, sectionName, label);
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) === 'false') {
    await clickRow(row.locator('.monaco-tl-twistie'));
  }
  const expanded = section(page, sectionName).getByRole('treeitem', { name: beginningWith(label), expanded: true });
  await expanded.first().waitFor();
}

/** Expands rows one after another, each below the previous one. */
export async function unfoldPath(page: Page, sectionName: string, labels: readonly (string | RegExp)[]): Promise<void> {
  for (const label of labels) await unfoldRow(page, sectionName, label);
}

/** Clicks a button that a row shows while the pointer is over it. */
export async function pressInline(row: Locator, label: string): Promise<void> {
  const page = row.page();
  await pointNowhere(page);
  await restingPlace(row);
  await row.hover();
  const button = row.getByRole('button', { name: label }).or(row.locator(`.action-label[aria-label="${label}"]`));
  const { x, y } = await restingPlace(button.first());
  await page.mouse.click(x, y);
}

/** Clicks a button in a view's title. VS Code shows them while the pointer is over the view. */
export async function pressInTitle(
  page: Page,
  sectionName: string,
  label: string,
  options: { timeout?: number } = {},
): Promise<void> {
  const header = section(page, sectionName).locator('.pane-header');
  await header.hover({ ...besideButtons, ...options });
  await header.getByRole('button', { name: label }).click(options);
}

/** Selects an item in the menu above a view, which closes when what the view shows changes the buttons there. */
export async function chooseInTitle(page: Page, sectionName: string, item: RegExp): Promise<void> {
  const options = { timeout: oneTry() };
  await tryAgain(
    async () => {
      await pressInTitle(page, sectionName, 'More Actions...', options);
      await pressMenuItem(page, item, options);
    },
    () => page.keyboard.press('Escape'),
  );
}

/** The themes in which every view must be readable. */
const themes = { light: 'Light Modern', 'high-contrast': 'Dark High Contrast', dark: 'Dark Modern' } as const;

/** Takes a screenshot in the usual theme and one in high contrast, because one doesn't show problems in the other. */
export async function pictureInThemes(
  page: Page,
  name: string,
  arrange: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  if (!takesPictures) return;
  for (const [shade, theme] of [
    ['high-contrast', themes['high-contrast']],
    ['', themes.light],
  ] as const) {
    await chooseTheme(page, theme);
    await arrange();
    await picture(page, shade === '' ? name : `${name}-${shade}`);
  }
}

/** Takes a screenshot of a row and its menu, which contains the item, in each theme. */
export async function pictureMenus(
  row: Locator,
  { item, name, submenu }: { readonly item: string; readonly name: string; readonly submenu?: string },
): Promise<void> {
  if (!takesPictures) return;
  const page = row.page();
  for (const [shade, theme] of Object.entries(themes)) {
    await chooseTheme(page, theme);
    await clickRow(row, { button: 'right' });
    if (submenu !== undefined) await openSubmenu(page, new RegExp(`^${submenu}$`));
    await page.getByRole('menuitem', { name: item }).waitFor();
    await picture(page, `${name}-${shade}`);
    if (submenu !== undefined) await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
}

export async function chooseTheme(page: Page, name: string): Promise<void> {
  // Then each picture is taken in all of them.
  if (takesLooks) return;
  await runCommand(page, 'Preferences: Color Theme');
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Light Modern' }).first().waitFor();
  await quickInput(page).fill(name);
  await pick(page, name);
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

export async function narrowSideBar(page: Page): Promise<void> {
  await dragSideBar(page, 250);
}

/** Drags the side bar's edge until it is so many pixels wide. */
export async function dragSideBar(page: Page, width: number): Promise<void> {
  const box = await sideBar(page);
  await page.mouse.move(box.x + box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + width, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
}

export async function sideBarWidth(page: Page): Promise<number> {
  const { width } = await sideBar(page);
  return width;
}

async function sideBar(page: Page) {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('The side bar is shown.');
  return box;
}
