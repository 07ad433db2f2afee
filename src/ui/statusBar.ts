import { window } from 'vscode';
import { withIcon } from './escapeMarkup';

export function showStatusMessage(icon: string, text: string, shownFor: number): void {
  window.setStatusBarMessage(withIcon(icon, text), shownFor);
}
