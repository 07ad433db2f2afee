/** What a keybinding gives to say that it means the rows selected in a view. */
export const selected = 'selection';

/** What a command was called on from a menu: the rows selected if the one clicked is among them, else that one alone. */
export function clickedRows([first, several]: readonly unknown[]): readonly unknown[] {
  return Array.isArray(several) && several.length > 0 ? several : [first];
}

/** The rows of a view that a command was called on, from a menu, by a key or from the palette. */
export function selectedRows<E>(
  received: readonly unknown[],
  view: { find(received: unknown): E | undefined },
  selection: () => readonly E[],
): E[] {
  const [first] = received;
  return first === selected || first === undefined
    ? [...selection()]
    : clickedRows(received).flatMap((one) => view.find(one) ?? []);
}
