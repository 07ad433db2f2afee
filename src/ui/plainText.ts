import { MarkdownString } from 'vscode';

/**
 * Appends text without interpreting it. Unlike `appendText`, doesn't use non-breaking spaces between words, because
 * long sentences would then break inside words. Keeps only those that prevent the start of a Markdown block.
 */
export function appendPlain(to: MarkdownString, text: string): MarkdownString {
  // `appendText` leaves HTML, which VS Code then drops, and entities.
  const literal = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const escaped = new MarkdownString(undefined, to.supportThemeIcons).appendText(literal).value;
  return to.appendMarkdown(escaped.replaceAll(/(?<!^|&nbsp;|^\d{1,9}\.)&nbsp;(?!&nbsp;)/gm, ' '));
}

/** Returns Markdown that shows the text without interpreting it. */
export function plainMarkdown(text: string): string {
  return appendPlain(new MarkdownString(), text).value;
}
