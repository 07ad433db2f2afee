import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, it } from 'mocha';
import { findTests } from '../../host/findTests';
import { projectFolder } from '../../host/folders';
import { suiteAtNight } from '../../suites';

interface Claim {
  readonly byDay: string;
  readonly atNight: string;
}

/** The rows of the table “which claim is proved where”. */
function claims(): readonly Claim[] {
  const text = readFileSync(join(projectFolder, 'docs/testing.md'), 'utf8');
  const [, rows = ''] = /^\| claim .*\n\| -.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|'))
    .map(([, , byDay = '', atNight = '']) => ({ byDay, atNight }));
}

const tests = ['unit', 'integration', 'e2e'].flatMap((folder) => findTests(join(projectFolder, 'test', folder)));
const names = new Set(tests.map((file) => basename(file, '.test.ts')));

describe('the table of what runs only at night', () => {
  it('names only tests that exist', () => {
    assert.ok(claims().length > 10);
    for (const { byDay, atNight } of claims()) {
      for (const [name] of `${byDay} ${atNight}`.matchAll(/(?<!`)\b[a-z]+[A-Z]\w+\b(?!`)/g)) {
        assert.ok(names.has(name) || name === 'macOS', `docs/testing.md names ${name}, but there is no such test.`);
      }
    }
  });

  it('names each file with nightly tests, and what proves the same by day', () => {
    const nightly = tests.flatMap((path) => {
      const file = relative(projectFolder, path).replaceAll('\\', '/');
      const suite = suiteAtNight(file, readFileSync(path, 'utf8'));
      return suite === 'unit' || suite === 'e2e' ? [file] : [];
    });
    const missing = nightly.filter((file) => {
      const isNamed = ({ byDay, atNight }: Claim): boolean => {
        const name = file.includes('/soak/') ? 'unit/soak' : basename(file, '.test.ts');
        return `${byDay} ${atNight}`.includes(name) && byDay.trim() !== '' && atNight.trim() !== '';
      };
      return !claims().some(isNamed);
    });
    assert.deepEqual(missing, []);
  });
});
