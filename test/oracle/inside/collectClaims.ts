import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** The title of a test, with those of its suites. */
export interface Claim {
  readonly file: string;
  readonly title: string;
}

/** Loads test files as mocha does, and writes the titles of their tests, without running any. */
export function collectClaims(files: readonly (readonly [string, () => unknown])[], results: string): void {
  // Some tests are only on some systems, and the page has those of Linux, wherever it's written.
  Object.defineProperty(process, 'platform', { value: 'linux' });
  const mocha = new Mocha();
  for (const [file, load] of files) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    mocha.suite.emit('require', load(), file, mocha);
    mocha.suite.emit('post-require', globalThis, file, mocha);
  }
  writeFileSync(results, JSON.stringify(claimsOf(mocha.suite)));
  // Tests may have opened something while they were loaded.
  process.exit(0);
}

function claimsOf(suite: Mocha.Suite): readonly Claim[] {
  const own = suite.tests.map((test) => ({
    file: test.file ?? '',
    // Nobody checks what a test claims that is turned off.
    title: `${titleOf(test)}${test.isPending() ? ' (skipped)' : ''}`,
  }));
  return [...own, ...suite.suites.flatMap(claimsOf)];
}

function titleOf(test: Mocha.Test): string {
  return test
    .titlePath()
    .join(' › ')
    .replaceAll('\n', String.raw`\n`);
}
