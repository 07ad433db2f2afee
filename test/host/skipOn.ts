/** Bundles of tests have copies of this module, so the mark is one that all of them know. */
const mark = Symbol.for('gantry.notOnThisSystem');

/**
 * Skips a test, or the tests of a suite if it's called in their `before`, on systems that lack what it is about. CI
 * accepts that, but not a skipped test of something that could be installed.
 */
export function skipOn(context: Mocha.Context, ...systems: readonly NodeJS.Platform[]): void {
  if (!systems.includes(process.platform)) return;
  const { test } = context;
  if (test !== undefined) Reflect.set(Reflect.get(test, 'type') === 'hook' ? (test.parent ?? test) : test, mark, true);
  context.skip();
}

export function isNotOnThisSystem(test: Mocha.Runnable): boolean {
  for (let one: Mocha.Runnable | Mocha.Suite | undefined = test; one !== undefined; one = one.parent) {
    if (Reflect.has(one, mark)) return true;
  }
  return false;
}
