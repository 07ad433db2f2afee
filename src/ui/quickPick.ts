import {
  Disposable,
  type InputBoxOptions,
  type QuickInput,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
  window,
} from 'vscode';

/** What a person typed or is deciding must not vanish when the window loses the focus. */
const staysOpen = { ignoreFocusOut: true };

/** A row of a quick pick, and what choosing it means. */
export interface Choice<T = string> extends QuickPickItem {
  readonly value: T;
}

/** Puts a heading above the rows, if there are any. */
export function underHeading(label: string, rows: readonly QuickPickItem[]): readonly QuickPickItem[] {
  return rows.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...rows];
}

/** Shows a quick pick until `listen` resolves, or the person gives up. */
export function showPick<T extends QuickPickItem, R>(
  look: Partial<QuickPick<T>>,
  listen: (pick: QuickPick<T>, resolve: (answer: R | undefined) => void) => Disposable[],
  signal?: AbortSignal,
): Promise<R | undefined> {
  const pick = Object.assign(window.createQuickPick<T>(), { matchOnDescription: true }, look);
  return answered(pick, signal, (resolve) => listen(pick, resolve));
}

/**
 * Shows a list until a row with a value is accepted, or the user hides it.
 * @param valueOf returns the value of a row; `undefined` keeps the list open
 */
export function pickRow<R extends QuickPickItem, V>(
  pick: QuickPick<R>,
  valueOf: (row: R) => V | undefined,
  ...listeners: readonly Disposable[]
): Promise<V | undefined> {
  return answered<V>(pick, undefined, (resolve) => [
    ...listeners,
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      const value = row && valueOf(row);
      if (value !== undefined) {
        resolve(value);
      }
    }),
  ]);
}

/**
 * Lets the person choose one of several things, or give up. Rows without a value only say something. If the choices
 * aren't known yet, the list opens empty and shows that it's busy.
 */
export async function askChoice<T>(
  choices: readonly (QuickPickItem | Choice<T>)[] | Promise<readonly (QuickPickItem | Choice<T>)[]>,
  options: QuickPickOptions,
): Promise<T | undefined> {
  const chosen = await window.showQuickPick(choices, { matchOnDescription: true, ...options, ...staysOpen });
  return chosen !== undefined && 'value' in chosen ? chosen.value : undefined;
}

/** Lets the person enter a value, or give up. */
export function askValue(options: InputBoxOptions): Thenable<string | undefined> {
  return window.showInputBox({ ...options, ...staysOpen });
}

/** Shows an input until the user answers or dismisses it, or the signal is aborted. */
export function answered<R>(
  input: QuickInput,
  signal: AbortSignal | undefined,
  listen: (resolve: (answer: R | undefined) => void) => Disposable[],
): Promise<R | undefined> {
  const gaveUp = new AbortController();
  let listeners: Disposable[] = [];
  return new Promise<R | undefined>((resolve) => {
    Object.assign(input, staysOpen);
    listeners = [...listen(resolve), input.onDidHide(() => resolve(undefined))];
    signal?.addEventListener('abort', () => resolve(undefined), { once: true, signal: gaveUp.signal });
    if (signal?.aborted === true) {
      resolve(undefined);
    } else {
      input.show();
    }
  }).finally(() => {
    gaveUp.abort();
    Disposable.from(input, ...listeners).dispose();
  });
}
