import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';

/** A flaky test in `test/flaky.json`. */
interface LedgerEntry {
  readonly test: string;
  readonly file: string;
  /** The commits at which it failed once, with their times. */
  readonly seen: readonly string[];
  readonly cause: string;
  readonly plan: string;
  /** When it was repaired. */
  readonly repaired?: string;
}

const mostSeen = 3;
/** The time of a commit in UTC, and its short name, which a repair can't know yet. */
const time = /^(\d{4}-\d\d-\d\d \d\d:\d\d)(?: [0-9a-f]{7,})?$/;

/** The present in UTC, or the time of the commit that is checked out: this machine's clock may be slow. */
const now = [commitTime(), new Date().toISOString().slice(0, 16).replace('T', ' ')].sort().at(-1) ?? '';

function commitTime(): string {
  const args = ['log', '-1', '--date=format-local:%Y-%m-%d %H:%M', '--format=%cd'];
  const env = { ...process.env, TZ: 'UTC' };
  const { status, stdout } = spawnSync('git', args, { cwd: projectFolder, encoding: 'utf8', env });
  return status === 0 ? stdout.trim() : '';
}

/** Returns what is wrong with the entries: a flaky test must have a cause and a plan, and be repaired soon and for good. */
function ledgerProblems(entries: readonly LedgerEntry[]): readonly string[] {
  return entries.flatMap((entry, index) => {
    const isAnother = ({ test, file }: LedgerEntry): boolean => test === entry.test && file === entry.file;
    const again = entries.slice(0, index).some(isAnother)
      ? ['it has another entry, which must say when it was seen']
      : [];
    return [...problemsOf(entry), ...again].map((problem) => `${entry.test}: ${problem}`);
  });
}

function problemsOf({ file, seen, cause, plan, repaired }: LedgerEntry): readonly string[] {
  const times = seen.map((one) => time.exec(one)?.[1]);
  const repairedAt = repaired === undefined ? undefined : time.exec(repaired)?.[1];
  const problems: readonly (readonly [boolean, string])[] = [
    [!existsSync(join(projectFolder, 'test', file)), `test/${file} doesn't exist`],
    [cause.trim() === '', 'it has no cause'],
    [plan.trim() === '', 'it has no plan'],
    [seen.length === 0 || times.includes(undefined), 'each time it was seen begins like 2026-11-25 14:03'],
    [seen.length > mostSeen, `it was seen ${seen.length} times, so repair it`],
    [repaired !== undefined && repairedAt === undefined, '“repaired” begins like 2026-11-25 14:03'],
    [repairedAt !== undefined && repairedAt > now, 'its repair is in the future, so nothing is seen after it'],
    [
      repairedAt !== undefined && times.some((one) => one !== undefined && one > repairedAt),
      'it was seen after its repair',
    ],
  ];
  return problems.flatMap(([isSo, problem]) => (isSo ? [problem] : []));
}

const entry: LedgerEntry = {
  test: 'saves',
  file: 'e2e/saving.test.ts',
  seen: ['2026-11-24 09:12 1c572ad', '2026-11-25 10:00'],
  cause: 'a toast that VS Code hides',
  plan: 'wait for the announcement',
};

describe('the ledger of flaky tests', () => {
  it('has no problem', () => {
    const entries = JSON.parse(readFileSync(join(projectFolder, 'test', 'flaky.json'), 'utf8')) as LedgerEntry[];
    assert.deepEqual(ledgerProblems(entries), []);
  });

  it('may name a test with a cause and a plan, and when it was repaired', () => {
    const repaired = { ...entry, test: 'reads', repaired: '2026-11-25 10:01' };
    assert.deepEqual(ledgerProblems([entry, repaired, { ...entry, file: 'e2e/mounts.test.ts' }]), []);
  });

  const wrong: readonly (readonly [Partial<LedgerEntry>, string])[] = [
    [{ file: 'e2e/no.test.ts' }, "test/e2e/no.test.ts doesn't exist"],
    [{ cause: ' ' }, 'it has no cause'],
    [{ plan: '' }, 'it has no plan'],
    [{ seen: [] }, 'each time it was seen begins like 2026-11-25 14:03'],
    [{ seen: ['yesterday'] }, 'each time it was seen begins like 2026-11-25 14:03'],
    [{ seen: [1, 2, 3, 4].map((n) => `2026-11-2${n} 10:00`) }, 'it was seen 4 times, so repair it'],
    [{ repaired: 'yes' }, '“repaired” begins like 2026-11-25 14:03'],
    [{ repaired: '9999-11-25 10:01' }, 'its repair is in the future, so nothing is seen after it'],
    // On the same day, too.
    [{ repaired: '2026-11-25 09:59' }, 'it was seen after its repair'],
  ];
  for (const [change, problem] of wrong) {
    it(`must not contain ${JSON.stringify(change)}`, () => {
      assert.deepEqual(ledgerProblems([{ ...entry, ...change }]), [`saves: ${problem}`]);
    });
  }

  it('must not contain a test twice, whose repair would then not count', () => {
    const repaired = { ...entry, repaired: '2026-11-25 10:01' };
    assert.deepEqual(ledgerProblems([repaired, { ...entry, seen: ['2026-11-26 10:00'] }]), [
      'saves: it has another entry, which must say when it was seen',
    ]);
  });
});
