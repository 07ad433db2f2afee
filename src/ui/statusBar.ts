import { Disposable, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import { withIcon } from './escapeMarkup';

export function showStatusMessage(icon: string, text: string, shownForMs: number): void {
  window.setStatusBarMessage(withIcon(icon, text), shownForMs);
}

/** From left to right. Each has a place of its own, so that none moves when another one comes back. */
const order = [
  'gantry.container',
  'gantry.project',
  'gantry.logState',
  'gantry.otherNodes',
  'gantry.restart',
  'gantry.keepVersions',
] as const;

type StatusItemId = (typeof order)[number];

export function createStatusItem(id: StatusItemId, name: string): StatusBarItem {
  const item = window.createStatusBarItem(id, StatusBarAlignment.Left, 10 - order.indexOf(id));
  item.name = name;
  return item;
}

/** Shows an item that can be clicked, unlike a message in the status bar. */
export function showStatusItem(
  id: StatusItemId,
  {
    icon,
    name,
    text,
    ...properties
  }: { readonly name: string } & Pick<StatusBarItem, 'text' | 'tooltip' | 'command'> & { readonly icon: string },
): Disposable {
  const item = createStatusItem(id, name);
  Object.assign(item, properties, { text: withIcon(icon, text) });
  item.show();
  return Disposable.from(item);
}
