import { Disposable, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import { withIcon } from './escapeMarkup';

export function showStatusMessage(icon: string, text: string, shownForMs: number): Disposable {
  return window.setStatusBarMessage(withIcon(icon, text), shownForMs);
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
    text = '',
    tooltip,
    command,
  }: {
    readonly icon: string;
    readonly name: string;
    /** As short as can be, because VS Code drops its own items, such as the line and column, where there's no room. */
    readonly text?: string;
    readonly tooltip: string;
    readonly command: NonNullable<StatusBarItem['command']>;
  },
): Disposable {
  const item = createStatusItem(id, name);
  const label = [text, tooltip].filter(Boolean).join(', ');
  const accessibilityInformation = { label, role: 'button' };
  Object.assign(item, { tooltip, command, accessibilityInformation, text: withIcon(icon, text) });
  item.show();
  return Disposable.from(item);
}
