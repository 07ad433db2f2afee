import { window } from 'vscode';
import { withIcon } from './escapeMarkup';

/** Shows a message in the status bar for so many milliseconds. */
export function showStatusMessage(icon: string, text: string, shownFor: number): void {
  window.setStatusBarMessage(withIcon(icon, text), shownFor);
}
