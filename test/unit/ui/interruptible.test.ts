import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { DeadlineExceeded, runWithin } from '../../../src/ui/interruptible';

describe('work with a deadline', () => {
  it('returns its result', () => {
    assert.equal(
      runWithin(1_000, () => 7),
      7,
    );
  });

  it('fails as the work does', () => {
    const failure = new RangeError('own');
    const fail = () =>
      runWithin(1_000, () => {
        throw failure;
      });
    assert.throws(fail, failure);
  });

  it('is stopped at the deadline, even in an expression or an endless loop', () => {
    const begun = performance.now();
    assert.throws(() => runWithin(50, () => /^(a+)+$/.test(`${'a'.repeat(40)}b`)), DeadlineExceeded);
    const endless = () => {
      for (let n = 0; n >= 0; n += 1);
    };
    assert.throws(() => runWithin(50, endless), DeadlineExceeded);
    assert.ok(performance.now() - begun < limit(2_000));
    assert.equal(
      runWithin(1_000, () => 'next'),
      'next',
    );
  });

  it('can contain other work with a deadline', () => {
    const inner = () => runWithin(1_000, () => 2);
    assert.equal(
      runWithin(1_000, () => inner() + 1),
      3,
    );
  });
});
