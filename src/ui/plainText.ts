import { MarkdownString } from 'vscode';

/**
 * Appends text without interpreting it. Unlike `appendText`, doesn't use non-breaking spaces between words, because
 * long sentences would then break inside words. Keeps only those that prevent the start of a Markdown block.
 */
export function appendPlain(to: MarkdownString, text: string): MarkdownString {
  const escaped = new MarkdownString(undefined, to.supportThemeIcons).appendText(text).value;
  return to.appendMarkdown(escaped.replaceAll(/(?<!^|&nbsp;|^\d{1,9}\.)&nbsp;(?!&nbsp;)/gm, ' '));
}
