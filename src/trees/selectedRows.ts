/** What a keybinding gives to say that it means the rows selected in a view. */
const selected = 'selection';

/** The rows that a command was called on: those selected where the one clicked is among them, the one alone, or by a key. */
export function selectedRows<E>(
  received: readonly unknown[],
  view: { find(received: unknown): E | undefined },
  selection: () => readonly E[],
): E[] {
  const [first, several] = received;
  if (first === selected || first === undefined) {
    return [...selection()];
  }
  const meant: readonly unknown[] = Array.isArray(several) && several.length > 0 ? several : [first];
  return meant.flatMap((one) => view.find(one) ?? []);
}
