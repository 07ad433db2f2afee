import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { observeRun } from '../../host/events/observeRun';
import { countsOf, type Failure, summary } from '../../host/events/runRecord';
import { limit } from '../../host/limits';
import { runInWindows } from '../../host/windowRuns';

const check = '/test/everyRun.ts';

/**
 * Runs files with one passing test each, in windows that crash during these files.
 *
 * @param crashesAt a file, or `opening` for a window that crashes before its first test
 * @param hookFailsAt a file during which a hook of the whole run fails; if empty, it fails before the first test
 */
async function run(
  files: readonly string[],
  crashesAt: readonly string[] = [],
  failsAt: readonly string[] = [],
  hookFailsAt?: string,
) {
  const windows: string[] = [];
  const result = await runInWindows({
    files,
    check,
    run: async (some) => {
      windows.push(some.join(' '));
      const observed = observeRun({ show: () => undefined, silence: limit(30_000) });
      if (crashesAt.includes('opening')) return ended(observed, some);
      observed.onEvent({ kind: 'begin', tests: some.length, files: some, empty: [] });
      const failHook = (file: string) => {
        const failure = { file, title: 'a hook', problem: 'too late', cause: 'timeout', repeat: '' } as const;
        observed.onEvent({ kind: 'failed', ...failure });
        return completed(observed, some);
      };
      if (hookFailsAt === '') return failHook('');
      for (const file of some) {
        observed.onEvent({ kind: 'started', file, title: file, longest: 0 });
        if (crashesAt.includes(file)) return ended(observed, some);
        if (file === hookFailsAt) return failHook(file);
        if (failsAt.includes(file)) {
          const failure = { file, title: file, problem: 'not so', cause: 'assertion', repeat: file } as const;
          observed.onEvent({ kind: 'failed', ...failure });
        } else observed.onEvent({ kind: 'passed', file, title: file, milliseconds: 1 });
      }
      return await Promise.resolve(completed(observed, some));
    },
  });
  return { windows, counts: summary(countsOf(result)), failures: result.failures.map(toLine) };
}

function ended(observed: ReturnType<typeof observeRun>, files: readonly string[]) {
  observed.stop();
  return observed.result(files, 'the window ended');
}

function completed(observed: ReturnType<typeof observeRun>, files: readonly string[]) {
  observed.onEvent({ kind: 'end', slowness: 1 });
  observed.stop();
  return observed.result(files, undefined);
}

const toLine = ({ file, cause, repeat = [file] }: Failure) => `${file}: ${cause}, repeat ${repeat.join(' ')}`;

describe('the runs of files in windows', () => {
  it('are one run with the check at its end', async () => {
    const { windows, counts } = await run(['a', 'b', 'c']);
    assert.deepEqual([windows, counts], [[`a b c ${check}`], '4 passed, 0 failed']);
  });

  it('repeat all files if the check fails', async () => {
    const { failures } = await run(['a', 'b.test.ts'], [], [check]);
    assert.deepEqual(failures, [`${check} after a, b: assertion, repeat a b.test.ts`]);
  });

  it('continue in another window after a crash, and miss the check of the files before it', async () => {
    const { windows, counts, failures } = await run(['a', 'b', 'c', 'd', 'e'], ['c']);
    assert.deepEqual(windows, [`a b c d e ${check}`, `d e ${check}`]);
    assert.equal(counts, '5 passed, 2 failed');
    assert.deepEqual(failures, ['c: crash, repeat c', `${check} after a, b: crash, repeat a b`]);
  });

  it('miss no check if the first file crashes, because it runs again by itself', async () => {
    const { windows, failures } = await run(['a', 'b'], ['a']);
    assert.deepEqual(windows, [`a b ${check}`, `b ${check}`]);
    assert.deepEqual(failures, ['a: crash, repeat a']);
  });

  it('miss the check if the last file crashes', async () => {
    const { windows, failures } = await run(['a', 'b'], ['b']);
    assert.deepEqual(windows, [`a b ${check}`]);
    assert.deepEqual(failures, ['b: crash, repeat b', `${check} after a: crash, repeat a`]);
  });

  it('repeat all files if the check crashes', async () => {
    const { failures } = await run(['a', 'b'], [check]);
    assert.deepEqual(failures, [`${check} after a, b: crash, repeat a b`]);
  });

  it('continue in another window after a hook of the whole run failed, which ends it', async () => {
    const { windows, counts, failures } = await run(['a', 'b', 'c'], [], [], 'b');
    assert.deepEqual(windows, [`a b c ${check}`, `c ${check}`]);
    assert.equal(counts, '3 passed, 2 failed');
    assert.deepEqual(failures, ['b: timeout, repeat b', `${check} after a: crash, repeat a`]);
  });

  it('repeat all files if a hook of the whole run fails before the first test', async () => {
    const { windows, counts, failures } = await run(['a', 'b', 'c'], [], [], '');
    assert.deepEqual(windows, [`a b c ${check}`]);
    assert.equal(counts, '0 passed, 1 failed');
    assert.deepEqual(failures, ['a: timeout, repeat a b c']);
  });

  it('repeat all files if the window ends before the first test, without another window for each', async () => {
    const { windows, counts, failures } = await run(['a', 'b', 'c'], ['opening']);
    assert.deepEqual(windows, [`a b c ${check}`]);
    assert.equal(counts, '0 passed, 1 failed');
    assert.deepEqual(failures, ['a: crash, repeat a b c']);
  });
});
