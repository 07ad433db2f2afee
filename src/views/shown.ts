/** The elements a tree has handed out: a command's argument is one of them, or none of ours. */
export class Shown<E extends object> {
  private readonly elements = new WeakMap<object, E>();

  add(elements: E[]): E[] {
    for (const element of elements) {
      this.elements.set(element, element);
    }
    return elements;
  }

  find(received: unknown): E | undefined {
    return typeof received === 'object' && received !== null ? this.elements.get(received) : undefined;
  }
}
