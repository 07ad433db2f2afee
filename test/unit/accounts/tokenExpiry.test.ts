import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { daysLeft, isEndingToken } from '../../../src/accounts/storedAccount';

const day = 24 * 60 * 60 * 1000;
const now = Date.now();

describe('the expiration of a token', () => {
  it('is never, far away, within a week, or past', () => {
    assert.equal(isEndingToken(undefined, now), 'none');
    assert.equal(isEndingToken(new Date(now + 30 * day), now), 'far');
    assert.equal(isEndingToken(new Date(now + 7 * day), now), 'far');
    assert.equal(isEndingToken(new Date(now + 3 * day), now), 'soon');
    assert.equal(isEndingToken(new Date(now), now), 'past');
  });

  it('is mentioned a week ahead, and not earlier', () => {
    assert.equal(daysLeft(undefined, now), undefined);
    assert.equal(daysLeft(new Date(now + 8 * day), now), undefined);
    assert.equal(daysLeft(new Date(now + 7 * day), now), 7);
    assert.equal(daysLeft(new Date(now + 1000), now), 1);
    assert.equal(daysLeft(new Date(now - 1000), now), undefined);
  });
});
