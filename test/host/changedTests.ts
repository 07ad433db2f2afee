import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suiteAtNight } from '../suites';

/** What changed below `test`, by its path in the project, the newest change first. */
export interface ChangedTests {
  /** Window tests. */
  readonly files: readonly string[];
  /** Files with tests that otherwise run only at night, and the suites that run them. */
  readonly nightly: readonly NightlyTests[];
  /** What runs only at night, and takes too long or needs too much to run before. */
  readonly elsewhere: readonly string[];
  /** Why the change isn't known. */
  readonly unknown?: string;
}

interface NightlyTests {
  readonly suite: string;
  readonly file: string;
}

export const noChangedTests: ChangedTests = { files: [], nightly: [], elsewhere: [] };

const hours = 60 * 60;
const age = 4 * hours;

/**
 * Returns the tests that changed since the newest commit that is at least four hours older than HEAD: those that a
 * submission brings along. Goes by the dates of the commits, because nothing else tells where it began.
 */
export function changedTests(folder: string): ChangedTests {
  const git = gitIn(folder);
  if (git('rev-parse', '--is-shallow-repository') !== 'false') {
    return { ...noChangedTests, unknown: 'this is no complete clone of a Git repository' };
  }
  const base = earlierCommit(folder);
  if (base === undefined) {
    return { ...noChangedTests, unknown: 'no commit is four hours older than HEAD' };
  }
  const changed = git('diff', '--name-only', '--no-renames', '--diff-filter=d', base, 'HEAD', '--', 'test') ?? '';
  // One that is deleted may not be committed yet.
  const isTest = (file: string): boolean =>
    /\.test\.ts$|^test\/(soak|bench)\/.*\.ts$/.test(file) && existsSync(join(folder, file));
  const files = changed.split('\n').filter(isTest);
  const changedAt = new Map(files.map((file) => [file, Number(git('log', '-1', '--format=%ct', '--', file))]));
  const sorted = [...changedAt].sort(([, one], [, other]) => other - one).map(([file]) => file);
  return {
    files: sorted.filter((file) => /^test\/(e2e|integration)\//.test(file)),
    nightly: nightlyTests(folder, sorted),
    elsewhere: testsElsewhere(sorted),
  };
}

/** Returns the newest commit that is at least four hours older than HEAD, if there is one. */
export function earlierCommit(folder: string): string | undefined {
  const git = gitIn(folder);
  const head = Number(git('log', '-1', '--format=%ct'));
  const commit = git('rev-list', '-1', `--before=${head - age}`, 'HEAD');
  return commit === '' ? undefined : commit;
}

/** Returns what Git prints in the folder, or undefined if it fails. */
function gitIn(folder: string): (...args: readonly string[]) => string | undefined {
  return (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
    return status === 0 ? stdout.trim() : undefined;
  };
}

function nightlyTests(folder: string, changed: readonly string[]): readonly NightlyTests[] {
  const files = changed.map((file) => soakTestOf(folder, file) ?? file);
  return [...new Set(files)].flatMap((file) => {
    const suite = suiteAtNight(file, readFileSync(join(folder, file), 'utf8'));
    return suite === undefined ? [] : [{ suite, file }];
  });
}

/** Returns what runs a file of the soak tests: a unit test, with fewer seeds, or the program that runs all of them. */
function soakTestOf(folder: string, file: string): string | undefined {
  const [, name] = /^test\/soak\/(.+)\.ts$/.exec(file) ?? [];
  if (name === undefined) return undefined;
  const test = `test/unit/soak/${name}.test.ts`;
  return existsSync(join(folder, test)) ? test : 'test/soak/run.ts';
}

function testsElsewhere(changed: readonly string[]): readonly string[] {
  const within = (name: string): readonly string[] => changed.filter((file) => file.startsWith(`test/${name}/`));
  const windows = within('integration').length;
  return [
    ...within('bench').map((file) => `${file} (npm run bench)`),
    ...(windows === 0 ? [] : [`integration tests in a desktop VS Code (${windows} files; npm run test:desktop)`]),
  ];
}
