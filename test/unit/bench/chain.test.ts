import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { longestChain, median } from '../../bench/chain';

describe('a chain of requests', () => {
  it('counts requests that waited for each other', () => {
    assert.equal(longestChain([]), 0);
    assert.equal(longestChain([{ start: 0, end: 5 }]), 1);
    assert.equal(
      longestChain([
        { start: 0, end: 5 },
        { start: 1, end: 6 },
      ]),
      1,
    );
    assert.equal(
      longestChain([
        { start: 0, end: 5 },
        { start: 0, end: 4 },
        { start: 5, end: 9 },
        { start: 9, end: 12 },
        { start: 9, end: 11 },
      ]),
      3,
    );
  });

  it('counts short requests during a long one', () => {
    assert.equal(
      longestChain([
        { start: 0, end: 100 },
        { start: 1, end: 2 },
        { start: 3, end: 4 },
      ]),
      2,
    );
  });
});

describe('a median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 2, 100]), 3);
    assert.equal(median([7]), 7);
  });
});
