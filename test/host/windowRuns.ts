import { basename } from 'node:path';
import { type ObservedResult } from './events/observeRun';
import { failedFile, type RunResult, total } from './events/runRecord';

export interface WindowRuns {
  readonly files: readonly string[];
  /** The file with the checks at the end of each run that apply to the whole run. */
  readonly check: string;
  /** Runs files in a new window. */
  readonly run: (files: readonly string[]) => Promise<ObservedResult>;
}

/**
 * Runs the files and the check in one window. After a crash, the files that it didn't get to run in another window. The
 * file that crashed runs again by itself, but nothing checks the files before it, so that counts as a failure.
 */
export async function runInWindows({ files, check, run }: WindowRuns): Promise<RunResult> {
  const results: RunResult[] = [];
  for (let left = files; left.length > 0;) {
    const result = await run([...left, check]);
    const { notRun } = result;
    const reached = left.filter((file) => !notRun.includes(file));
    results.push(withOwnCheck(result, check, reached));
    const before = reached.slice(0, -1);
    if (notRun.includes(check) && before.length > 0) {
      const problem = 'the window ended before this check';
      results.push(failedFile({ file: nameAfter(before, check), cause: 'crash', problem, repeat: before }));
    }
    left = notRun.filter((file) => file !== check);
  }
  return total(results);
}

/** Gives the check the name of its run, and lets all files of the run be repeated if it fails. */
function withOwnCheck({ byFile, failures }: RunResult, check: string, files: readonly string[]): RunResult {
  const own = nameAfter(files, check);
  const named = (file: string): string => (file === check ? own : file);
  return {
    byFile: new Map([...byFile].map(([file, counts]) => [named(file), counts])),
    failures: failures.map((one) => {
      if (one.file === check) return { ...one, file: own, repeat: files };
      return one.repeat === undefined ? one : { ...one, repeat: files };
    }),
  };
}

function nameAfter(files: readonly string[], check: string): string {
  return `${check} after ${files.map((file) => basename(file, '.test.ts')).join(', ')}`;
}
