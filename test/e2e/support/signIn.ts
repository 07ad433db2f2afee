import type { Locator, Page } from 'playwright-core';
import { answer, openContainer, pick, quickInput } from '../../host/vscode/workbench';
import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { onlySection, rowIn, unfoldPath } from './sections';

/** The platform, and who signs in there. */
interface SignInTarget {
  readonly origin: string;
  readonly sample: Pick<LocalPlatform['sample'], 'email' | 'password'>;
}

/** Signs in with email and password through the welcome view, as a person does, and waits for the environments. */
export async function signInWithPassword(page: Page, platform: SignInTarget): Promise<void> {
  await openContainer(page, 'Gantry');
  await signInButton(page).click();
  await answerWithPassword(page, platform);
  await rowIn(page, 'Environments', 'Saltmarsh Tea').waitFor();
}

/** Waits until VS Code has stored the first sign-in. It encrypts in the background, and a reload before that loses it. */
export async function waitForStoredSignIn(page: Page): Promise<void> {
  await page.waitForFunction("localStorage.getItem('secrets.provider') !== null");
}

/** Signs in and expands the environments down to a folder, with all other views collapsed. */
export async function browseTo(page: Page, platform: SignInTarget, path: readonly (string | RegExp)[]): Promise<void> {
  await signInWithPassword(page, platform);
  await onlySection(page, 'Environments');
  await unfoldPath(page, 'Environments', path);
}

/** Returns the sign-in button of the first view that has one. */
export function signInButton(page: Page): Locator {
  return page.locator('.welcome-view-content').getByRole('button', { name: 'Sign In', exact: true }).first();
}

/** Answers the questions of a running sign-in. */
export async function answerWithPassword(page: Page, { origin, sample }: SignInTarget): Promise<void> {
  await chooseAddress(page, origin);
  await pick(page, 'Email and password');
  await answer(page, 'Your email address', sample.email);
  await answer(page, 'Your password', sample.password);
  await pick(page, '90 days');
}

/** Types an address into the list of the platforms in the settings. */
export async function typeAddress(page: Page, address: string): Promise<void> {
  const list = page.locator('.quick-input-widget');
  await list.getByPlaceholder('Select a platform').waitFor();
  await quickInput(page).fill(address);
  await list.getByText('Use this address').waitFor();
  await page.keyboard.press('Enter');
}

/** Selects the platform if the settings suggest it, and types it otherwise. */
export async function chooseAddress(page: Page, origin: string): Promise<void> {
  const offered = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: origin }).first();
  const typed = page.locator('.quick-input-widget').filter({ hasText: 'Address of your' });
  await offered.or(typed).waitFor();
  if (await offered.isVisible()) {
    await offered.click();
    return;
  }
  await quickInput(page).fill(origin);
  await page.keyboard.press('Enter');
}
