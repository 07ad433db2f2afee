import type { ExtensionContext } from 'vscode';

export function activate(context: ExtensionContext): void {
  void context;
}
