/** A module whose every property is this function again, so that test files can be loaded outside of VS Code. */
const empty: unknown = new Proxy(class {}, {
  get: (target, name) => {
    if (name === 'prototype') return target.prototype;
    if (name === Symbol.toPrimitive) return () => 'vscode';
    if (name === Symbol.iterator) return () => [][Symbol.iterator]();
    return name === 'then' ? undefined : empty;
  },
  apply: () => empty,
  // Bundled code reads a copy of the module, which gets its properties from here.
  getPrototypeOf: () => empty as object,
});

module.exports = empty;
