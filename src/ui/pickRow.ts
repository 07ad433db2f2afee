import { Disposable, type QuickPick, type QuickPickItem } from 'vscode';

/**
 * Shows a list until a row with a value is accepted, or the user hides it.
 * @param valueOf what a row stands for; `undefined` keeps the list open
 */
export function pickRow<R extends QuickPickItem, V>(
  pick: QuickPick<R>,
  valueOf: (row: R) => V | undefined,
  ...listeners: readonly Disposable[]
): Promise<V | undefined> {
  pick.ignoreFocusOut = true;
  return new Promise<V | undefined>((resolve) => {
    pick.onDidHide(() => resolve(undefined));
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      const value = row && valueOf(row);
      if (value !== undefined) {
        resolve(value);
      }
    });
    pick.show();
  }).finally(() => {
    Disposable.from(pick, ...listeners).dispose();
  });
}
