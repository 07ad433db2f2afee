import { Disposable, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import { withIcon } from './escapeMarkup';

export function showStatusMessage(icon: string, text: string, shownForMs: number): void {
  window.setStatusBarMessage(withIcon(icon, text), shownForMs);
}

/** Shows an item that can be clicked, unlike a message in the status bar. */
export function showStatusItem(
  id: string,
  {
    icon,
    text,
    ...properties
  }: Pick<StatusBarItem, 'name' | 'text' | 'tooltip' | 'command'> & { readonly icon: string },
): Disposable {
  const item = window.createStatusBarItem(id, StatusBarAlignment.Left, 8);
  Object.assign(item, properties, { text: withIcon(icon, text) });
  item.show();
  return Disposable.from(item);
}
