import type { Page } from 'playwright-core';
import { hasEnglishWord } from './untranslatedNames';

interface ShownText {
  readonly text: string;
  /** Whether it belongs to a button, a heading, a question, or a menu item, and doesn't fit. */
  readonly isCutOff: boolean;
}

/** Two translations with nothing but a space between them: a sentence that was put together from pieces. */
const pieces = /[^.?!…:)·]·*⟧ ⟦/;

/** Returns what is wrong with the texts in a part of the window: English, cut off, or put together from pieces. */
export async function translationProblems(page: Page, region: string): Promise<readonly string[]> {
  const shown = await page.evaluate<readonly ShownText[]>(`(${collectTexts})(${JSON.stringify(region)})`);
  if (shown.length === 0) throw new Error(`Nothing is shown in ${region}.`);
  return shown.flatMap(({ text, isCutOff }) => [
    ...(hasEnglishWord(text) ? [`English: ${text}`] : []),
    ...(isCutOff ? [`cut off: ${text}`] : []),
    ...(!text.startsWith('Actions for ') && pieces.test(text) ? [`pieces: ${text}`] : []),
  ]);
}

/** Runs in the page. Context menus are inside a shadow root. Rows of lists may be cut off, because they have a tooltip. */
const collectTexts = `async (region) => {
  const whole = [
    '.monaco-button', '.pane-header h3.title', '.quick-input-title', '.quick-input-message',
    '.dialog-message-text', '.dialog-message-detail', '.notification-list-item-message',
    '.action-menu-item .action-label', '.welcome-view-content p', '.step-title', '.category-title', '.category-description',
  ].join();
  const attributes = ['aria-label', 'title', 'placeholder', 'aria-description'];
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap((one) => one.shadowRoot ?? [])];
  // A menu fades in. The animation of a progress bar never ends.
  const ending = roots.flatMap((root) => root.getAnimations()).filter((one) => one.effect.getComputedTiming().endTime < 5000);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const found = [];
  const add = (text, isCutOff = false) => text && found.push({ text: text.trim(), isCutOff });
  const canvas = document.createElement('canvas').getContext('2d');
  const hasLongPlaceholder = (element) => {
    if (!element.placeholder) return false;
    const { font, paddingLeft, paddingRight } = getComputedStyle(element);
    canvas.font = font;
    return canvas.measureText(element.placeholder).width > element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  const isCutOff = (element) =>
    element.matches(whole) &&
    getComputedStyle(element).overflow !== 'visible' &&
    (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 4);
  const visit = (element) => {
    if (element.matches('style, code, .monaco-keybinding') || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    if (hasLongPlaceholder(element)) add(element.placeholder, true);
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (isCutOff(element)) add(element.textContent, true);
    else add(own.map(({ textContent }) => textContent).join(' ').trim());
    // A row of choices is announced by the names of its icons and the texts that it shows.
    if (!element.matches('.quick-input-list .monaco-list-row')) attributes.forEach((name) => add(element.getAttribute(name)));
    for (const child of element.children) visit(child);
  };
  for (const root of roots) root.querySelectorAll(region).forEach(visit);
  return found;
}`;
