import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BoundedMap } from '../../../src/files/boundedMap';

describe('a bounded map', () => {
  it('drops the entry that was set the longest ago', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    assert.deepEqual(
      [...map],
      [
        ['a', 3],
        ['c', 4],
      ],
    );
  });
});
