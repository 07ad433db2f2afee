function nothing(): undefined {
  return undefined;
}

/** A module whose every property is this function again, so that test files can be loaded outside of VS Code. */
const empty: object = new Proxy(nothing, {
  get: (target, name): unknown => {
    if (name === 'prototype') return Reflect.get(target, name);
    if (name === Symbol.toPrimitive) return () => 'vscode';
    if (name === Symbol.iterator) return () => [][Symbol.iterator]();
    return name === 'then' ? undefined : empty;
  },
  apply: () => empty,
  // Bundled code reads a copy of the module, which gets its properties from here.
  getPrototypeOf: () => empty,
});

export = empty;
