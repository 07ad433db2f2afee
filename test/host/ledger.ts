import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './folders';

/** A flaky test in `test/flaky.json`. */
export interface LedgerEntry {
  readonly test: string;
  readonly file: string;
  /** The days on which it failed once, and the commits. */
  readonly seen: readonly string[];
  readonly cause: string;
  readonly plan: string;
  /** The day of its repair. */
  readonly repaired?: string;
}

const mostSeen = 3;
const day = /^\d{4}-\d\d-\d\d(?=$| )/;

/** Returns what is wrong with the entries: a flaky test must have a cause and a plan, and be repaired soon and for good. */
export function ledgerProblems(entries: readonly LedgerEntry[]): readonly string[] {
  return entries.flatMap((entry) => problemsOf(entry).map((problem) => `${entry.test}: ${problem}`));
}

function problemsOf({ file, seen, cause, plan, repaired }: LedgerEntry): readonly string[] {
  const days = seen.map((time) => day.exec(time)?.[0]);
  const repairedOn = repaired === undefined ? undefined : day.exec(repaired)?.[0];
  const problems: readonly (readonly [boolean, string])[] = [
    [!existsSync(join(projectFolder, 'test', file)), `test/${file} doesn't exist`],
    [cause.trim() === '', 'it has no cause'],
    [plan.trim() === '', 'it has no plan'],
    [seen.length === 0 || days.includes(undefined), 'each time it was seen begins with a date, such as 2026-11-25'],
    [seen.length > mostSeen, `it was seen ${seen.length} times, so repair it`],
    [repaired !== undefined && repairedOn !== repaired, '“repaired” is a date, such as 2026-11-25'],
    [
      repairedOn !== undefined && days.some((one) => one !== undefined && one > repairedOn),
      'it was seen after its repair',
    ],
  ];
  return problems.flatMap(([isSo, problem]) => (isSo ? [problem] : []));
}
