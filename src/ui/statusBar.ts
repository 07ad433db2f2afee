import { window } from 'vscode';
import { withIcon } from './escapeMarkup';

export function showStatusMessage(icon: string, text: string, shownForMs: number): void {
  window.setStatusBarMessage(withIcon(icon, text), shownForMs);
}
