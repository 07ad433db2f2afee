/**
 * Commands by which tests tidy up, each with a key of its own: through the palette, which draws and filters a thousand
 * commands, each would take half a second.
 */
export const tidyingKeys = {
  'notifications.clearAll': 'Control+Alt+Shift+F1',
  'workbench.action.closeAllEditors': 'Control+Alt+Shift+F2',
  'workbench.action.revertAndCloseActiveEditor': 'Control+Alt+Shift+F3',
} as const satisfies Record<string, string>;

/** As in VS Code's keybindings.json. */
export const tidyingKeybindings: readonly object[] = Object.entries(tidyingKeys).map(([command, key]) => ({
  command,
  key: key.toLowerCase().replace('control', 'ctrl'),
}));
