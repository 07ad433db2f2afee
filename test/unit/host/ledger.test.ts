import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';
import { type LedgerEntry, ledgerProblems } from '../../host/ledger';

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
