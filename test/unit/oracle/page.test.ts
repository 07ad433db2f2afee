import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { differencesOf, formatPage, parsePage, problemOf, type Sections } from '../../oracle/page';

const page = (sections: Readonly<Record<string, readonly string[]>>): Sections => new Map(Object.entries(sections));
const saves = page({
  'unit/saves.test.ts': ['a save › asks', 'a save › writes'],
  'unit/other.test.ts': ['other › works'],
});
const problem = (now: Sections) => problemOf('claims', differencesOf(saves, now), 'npm run oracle -- --write claims');

describe('a page of the oracle', () => {
  it('is read as it was written', () => {
    assert.deepEqual(parsePage(formatPage('About it.', saves)), saves);
  });

  it('has no differences if only the order of lines and headings changed', () => {
    const now = page({
      'unit/other.test.ts': ['other › works'],
      'unit/saves.test.ts': ['a save › writes', 'a save › asks'],
    });
    assert.equal(problem(now), undefined);
  });

  it('names lines that are gone, new, or below another heading, and how to accept them', () => {
    const now = page({
      'unit/saves.test.ts': ['a save › asks', 'a save › verifies'],
      'unit/new.test.ts': ['other › works'],
    });
    assert.equal(
      problem(now),
      [
        'test/oracle/claims.txt differs from what is true now.',
        'No longer (1):',
        '  unit/saves.test.ts: a save › writes',
        'New (1):',
        '  unit/saves.test.ts: a save › verifies',
        'Moved (1):',
        '  unit/other.test.ts → unit/new.test.ts: other › works',
        'If all of this is intended, run `npm run oracle -- --write claims`, and commit the page together with the change. The commit says why.',
      ].join('\n'),
    );
  });

  it('counts a line that is there twice', () => {
    const twice = page({ one: ['same', 'same'] });
    const once = page({ one: ['same'] });
    assert.equal(differencesOf(twice, once).gone.length, 1);
    assert.equal(differencesOf(once, twice).added.length, 1);
    assert.equal(differencesOf(page({ one: ['same'], two: ['same'] }), page({ one: ['same'] })).gone.length, 1);
  });

  it('shows 25 lines of a kind, and counts the others', () => {
    const many = page({ one: Array.from({ length: 30 }, (_, index) => `line ${index}`) });
    assert.match(
      problemOf('texts', differencesOf(many, page({})), 'x') ?? '',
      /No longer \(30\):\n(.+\n){25} {2}and 5 more\n/,
    );
  });
});
