import { it } from 'mocha';

/** Set in runs with nightly tests. Started processes get it, too. */
export const nightlyVariable = 'GANTRY_NIGHTLY';

/** Whether this run includes the tests that needn't run before each change. docs/testing.md says which tests prove the same. */
export function isNightly(): boolean {
  return process.env[nightlyVariable] !== undefined;
}

/** Defines a test that runs only at night, because other tests prove nearly the same in less time. */
export const itNightly: (title: string, test: Mocha.AsyncFunc | Mocha.Func) => void = (title, test) => {
  if (isNightly()) it(title, test);
};
