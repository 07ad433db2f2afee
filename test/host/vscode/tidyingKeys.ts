/**
 * Keyboard shortcuts for the cleanup commands of tests. The palette filters and renders a thousand commands, which
 * takes half a second each time.
 */
export const tidyingKeys = {
  'notifications.clearAll': 'Control+Alt+Shift+F1',
  'notifications.showList': 'Control+Alt+Shift+F4',
  'workbench.action.closePanel': 'Control+Alt+Shift+F5',
  'workbench.action.terminal.killAll': 'Control+Alt+Shift+F6',
  'workbench.action.closeAllEditors': 'Control+Alt+Shift+F2',
  'workbench.action.revertAndCloseActiveEditor': 'Control+Alt+Shift+F3',
} as const satisfies Record<string, string>;

/** In the format of VS Code's keybindings.json. */
export const tidyingKeybindings: readonly object[] = Object.entries(tidyingKeys).map(([command, key]) => ({
  command,
  key: key.toLowerCase().replace('control', 'ctrl'),
}));
