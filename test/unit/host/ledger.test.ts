import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';

/** A flaky test in `test/flaky.json`. */
interface LedgerEntry {
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
function ledgerProblems(entries: readonly LedgerEntry[]): readonly string[] {
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

const entry: LedgerEntry = {
  test: 'saves',
  file: 'e2e/saving.test.ts',
  seen: ['2026-11-24 1c572ad', '2026-11-25'],
  cause: 'a toast that VS Code hides',
  plan: 'wait for the announcement',
};

describe('the ledger of flaky tests', () => {
  it('has no problem', () => {
    const entries = JSON.parse(readFileSync(join(projectFolder, 'test', 'flaky.json'), 'utf8')) as LedgerEntry[];
    assert.deepEqual(ledgerProblems(entries), []);
  });

  it('may name a test with a cause and a plan, and the day of its repair', () => {
    assert.deepEqual(ledgerProblems([entry, { ...entry, repaired: '2026-11-25' }]), []);
  });

  const wrong: readonly (readonly [Partial<LedgerEntry>, string])[] = [
    [{ file: 'e2e/no.test.ts' }, "test/e2e/no.test.ts doesn't exist"],
    [{ cause: ' ' }, 'it has no cause'],
    [{ plan: '' }, 'it has no plan'],
    [{ seen: [] }, 'each time it was seen begins with a date, such as 2026-11-25'],
    [{ seen: ['yesterday'] }, 'each time it was seen begins with a date, such as 2026-11-25'],
    [{ seen: ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'] }, 'it was seen 4 times, so repair it'],
    [{ repaired: 'yes' }, '“repaired” is a date, such as 2026-11-25'],
    [{ repaired: '2026-11-24' }, 'it was seen after its repair'],
  ];
  for (const [change, problem] of wrong) {
    it(`must not contain ${JSON.stringify(change)}`, () => {
      assert.deepEqual(ledgerProblems([{ ...entry, ...change }]), [`saves: ${problem}`]);
    });
  }
});
