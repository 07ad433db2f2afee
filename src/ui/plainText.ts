import { MarkdownString } from 'vscode';

/**
 * Adds a text in which nothing stands for anything but itself. VS Code's own way joins words by spaces at which no line may
 * break, so that a long sentence breaks within its words; only those that would begin a block have to stay.
 */
export function appendPlain(to: MarkdownString, text: string): MarkdownString {
  const escaped = new MarkdownString(undefined, to.supportThemeIcons).appendText(text).value;
  return to.appendMarkdown(escaped.replaceAll(/(?<!^|&nbsp;|^\d{1,9}\.)&nbsp;(?!&nbsp;)/gm, ' '));
}
