import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { improved, worsened } from '../../figures/recorded';
import { sourceText } from '../../figures/sources';
import { helperLines, nearDuplicates, testLines } from '../../figures/testFigures';

const pairs = (claims: Readonly<Record<string, readonly string[]>>) => nearDuplicates(new Map(Object.entries(claims)));

describe('near duplicates among test titles', () => {
  it('have nearly the same words, in any order and form', () => {
    const one = { 'unit/a.test.ts': ['a save › keeps the tab dirty if the write fails'] };
    assert.equal(pairs({ ...one, 'e2e/b.test.ts': ['saving › the write failed: keeps tab dirty'] }).length, 1);
    assert.equal(
      pairs({ ...one, 'e2e/b.test.ts': ['saving › keeps the tab dirty if the account is locked'] }).length,
      0,
    );
  });

  it('are in different files', () => {
    assert.deepEqual(pairs({ 'unit/a.test.ts': ['a › keeps the open tab dirty', 'b › keeps the open tab dirty'] }), []);
  });

  it('count once if their titles are made in a loop', () => {
    const titles = [1, 2, 3].map((nodes) => `a save › verifies each file on ${nodes} nodes`);
    assert.equal(pairs({ 'unit/a.test.ts': titles, 'integration/b.test.ts': titles }).length, 1);
  });

  it('have at least four words that say something', () => {
    assert.deepEqual(
      pairs({ 'unit/a.test.ts': ['a › is read as it was'], 'unit/b.test.ts': ['b › is read as it was'] }),
      [],
    );
  });
});

describe('the lines of test files', () => {
  it('are sorted into imports, hooks, tests, and all others, wherever a test is defined', () => {
    const text = [
      "import { it } from 'mocha';",
      'const helper = () => {',
      '  it.length;',
      '};',
      "describe('a file', () => {",
      '  before(() => helper());',
      '  for (const one of [1, 2]) {',
      '    it(`works ${one}`, () => {',
      '      helper();',
      '    }).timeout(5);',
      '  }',
      '});',
      '',
    ].join('\n');
    const file = sourceText('a.test.ts', text);
    assert.deepEqual(testLines([file]), { imports: 1, hooks: 1, tests: 3, helpers: 7, functions: 3 });
    assert.deepEqual(helperLines([file]), ['a.test.ts: 7 of 12, 3 in functions and classes']);
  });
});

describe('recorded figures', () => {
  it('may improve, but not get worse, and name exactly what is counted', () => {
    assert.deepEqual(worsened({ deps: 3, exports: 5 }, { deps: 3, exports: 4 }), []);
    assert.deepEqual(improved({ deps: 3, exports: 5 }, { deps: 3, exports: 4 }), ['exports 4']);
    assert.deepEqual(worsened({ deps: 3, gone: 1 }, { deps: 4, new: 2 }), [
      'deps: 4, and 3 was reached before.',
      'gone: it is recorded, but no longer counted.',
      "new: 2 isn't recorded.",
    ]);
  });
});
