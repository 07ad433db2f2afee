import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PlatformError, type PlatformErrorKind } from '../../../../src/platform/errors';
import { FailureStreak } from '../../../../src/features/search/failureStreak';

type Result = PlatformErrorKind | 'read';

/** After how many results the streak ends, if it does. */
function endOf(results: readonly Result[]): number | undefined {
  const streak = new FailureStreak();
  const end = results.findIndex((kind) => {
    if (kind !== 'read') return streak.endsWith(new PlatformError({ kind, operation: 'GetList', message: kind }));
    streak.broken();
    return false;
  });
  return end < 0 ? undefined : end + 1;
}

const times = (count: number, kind: Result) => Array.from({ length: count }, () => kind);

describe('failures in a row', () => {
  const table: readonly (readonly [what: string, results: readonly Result[], end: number | undefined])[] = [
    ['three requests without a response', ['timeout', 'unreachable', 'protocol'], 3],
    ['no response, but in between something was read', ['timeout', 'timeout', 'read', 'timeout', 'timeout'], undefined],
    ['no response, but in between the platform failed', ['timeout', 'timeout', 'platform', 'timeout'], undefined],
    ['a missing response after two failures of the platform', ['platform', 'platform', 'timeout'], undefined],
    ['19 failures of the platform', times(19, 'platform'), undefined],
    ['20 failures of the platform', times(30, 'platform'), 20],
    ['20 of both kinds', [...times(19, 'platform'), 'timeout', 'read'], 20],
    ['failures that concern one file', times(30, 'forbidden'), undefined],
    ['a failure that concerns one file in between', [...times(19, 'platform'), 'notFound', 'platform'], undefined],
    ['a session that ended', ['forbidden', 'unauthenticated'], 2],
  ];
  for (const [what, results, end] of table) {
    it(`${what}: ${end === undefined ? 'goes on' : `ends after ${end}`}`, () => assert.equal(endOf(results), end));
  }

  it('ends with an error that is not the platform’s', () => {
    assert.equal(new FailureStreak().endsWith(new TypeError('x is undefined')), true);
  });
});
