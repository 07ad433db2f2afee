import { spawnSync } from 'node:child_process';

export interface ChangedTests {
  /** The paths of changed window tests, the newest change first. */
  readonly files: readonly string[];
  /** Why the change isn't known. */
  readonly unknown?: string;
}

const hours = 60 * 60;
const age = 4 * hours;

/**
 * Returns the window tests that changed since the newest commit that is at least four hours older than HEAD: those that
 * a submission brings along. Goes by the dates of the commits, because nothing else tells where it began.
 */
export function changedWindowTests(folder: string): ChangedTests {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
    return status === 0 ? stdout.trim() : undefined;
  };
  if (git('rev-parse', '--is-shallow-repository') !== 'false') {
    return { files: [], unknown: 'this is no complete clone of a Git repository' };
  }
  const head = Number(git('log', '-1', '--format=%ct'));
  const base = git('rev-list', '-1', `--before=${head - age}`, 'HEAD');
  if (base === undefined || base === '') return { files: [], unknown: 'no commit is four hours older than HEAD' };
  const changed = git('diff', '--name-only', '--no-renames', '--diff-filter=d', base, 'HEAD', '--', 'test') ?? '';
  const files = changed.split('\n').filter((file) => /^test\/(e2e|integration)\/.*\.test\.ts$/.test(file));
  const changedAt = (file: string): number => Number(git('log', '-1', '--format=%ct', '--', file));
  return { files: files.sort((one, other) => changedAt(other) - changedAt(one)) };
}
