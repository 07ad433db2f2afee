import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isMatched,
  isMatchedBySome,
  withEnvironment,
  withoutEnvironment,
} from '../../../src/containers/environmentPatterns';

const shop = { name: 'shop-prod', title: 'Saltmarsh Tea' };

describe('patterns of protected environments', () => {
  it('match the name or the display name as a whole, in any case', () => {
    for (const pattern of ['shop-prod', 'SHOP-prod', 'saltmarsh tea', '*-prod', 'shop*', '*', ' shop-prod ']) {
      assert.ok(isMatched([pattern], shop), pattern);
    }
    for (const pattern of ['shop', 'prod', 'Tea', '', 'shop.prod', 's[a-z]+-prod', '!shop-prod']) {
      assert.ok(!isMatched([pattern], shop), pattern);
    }
    assert.ok(!isMatched([], shop));
  });

  it('make exceptions, and the last one that matches decides', () => {
    assert.ok(!isMatched(['*', '!shop-*'], shop));
    assert.ok(isMatched(['!shop-*', '*'], shop));
    assert.ok(isMatched(['*', '!shop-*', 'Saltmarsh*'], shop));
  });

  it("protect more environments in a workspace's settings than the user's do, but not fewer", () => {
    assert.ok(isMatchedBySome({ ofUser: ['shop-prod'], ofWorkspace: [['!*']] }, shop));
    assert.ok(isMatchedBySome({ ofUser: ['!*'], ofWorkspace: [['blog'], ['*-prod']] }, shop));
    assert.ok(!isMatchedBySome({ ofUser: [], ofWorkspace: [[]] }, shop));
  });

  it('are extended by the name of an environment that is marked, unless they match it already', () => {
    assert.deepEqual(withEnvironment(['blog'], shop), ['blog', 'shop-prod']);
    assert.deepEqual(withEnvironment(['*-prod'], shop), ['*-prod']);
    assert.deepEqual(withEnvironment(['*-prod', '!shop-prod'], shop), ['*-prod']);
    assert.deepEqual(withEnvironment(['*', '!shop*'], shop), ['*', '!shop*', 'shop-prod']);
  });

  it('lose the name of an environment that is unmarked, or get an exception for it', () => {
    assert.deepEqual(withoutEnvironment(['blog', 'shop-prod', 'saltmarsh tea'], shop), ['blog']);
    assert.deepEqual(withoutEnvironment(['*-prod'], shop), ['*-prod', '!shop-prod']);
    assert.deepEqual(withoutEnvironment(['blog'], shop), ['blog']);
  });
});
