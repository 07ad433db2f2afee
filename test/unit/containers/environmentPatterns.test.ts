import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import {
  type EnvironmentNames,
  isMatchedBySome,
  withEnvironment,
  withoutEnvironment,
} from '../../../src/containers/environmentPatterns';

const isMatched = (ofUser: readonly string[], names: EnvironmentNames) =>
  isMatchedBySome({ ofUser, ofWorkspace: [] }, names);

const shop = { account: 'anna.hosting', name: 'shop-prod', title: 'Saltmarsh Tea' };

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

  it('make exceptions by name only, because another environment can have the same display name', () => {
    const namesake = { ...shop, name: 'env-2', title: 'shop-prod' };
    assert.ok(isMatched(['*', '!shop-prod'], namesake));
    assert.ok(isMatched(['*', '!Saltmarsh Tea'], shop));
    assert.ok(isMatched(withoutEnvironment(['*'], shop, { isOnly: true }), namesake));
  });

  it('are extended by the name of an environment that is marked, unless they match it already', () => {
    assert.deepEqual(withEnvironment(['blog'], shop), ['blog', 'shop-prod']);
    assert.deepEqual(withEnvironment(['*-prod'], shop), ['*-prod']);
    assert.deepEqual(withEnvironment(['*-prod', '!shop-prod'], shop), ['*-prod']);
    assert.deepEqual(withEnvironment(['*', '!shop*'], shop), ['*', '!shop*', 'shop-prod']);
  });

  it('keep a mark when the display name changes', () => {
    const marked = withEnvironment([], shop);
    assert.ok(isMatched(marked, { ...shop, title: 'Renamed' }));
  });

  it('lose the name of an environment that is unmarked, or get an exception for it', () => {
    const unmarked = (patterns: readonly string[]) => withoutEnvironment(patterns, shop, { isOnly: true });
    const exception = '!anna.hosting/shop-prod';
    assert.deepEqual(unmarked(['blog', 'Shop-prod']), ['blog']);
    assert.deepEqual(unmarked(['shop-prod', 'saltmarsh tea']), ['saltmarsh tea', exception]);
    assert.deepEqual(unmarked(['*-prod']), ['*-prod', exception]);
    assert.deepEqual(unmarked(['blog']), ['blog']);
    assert.deepEqual(unmarked(['Anna.hosting/shop-prod']), []);
    assert.deepEqual(withEnvironment(['*-prod', exception], shop), ['*-prod']);
  });

  it('keep the mark of an environment with the same name in another account', () => {
    const other = { ...shop, account: 'bob.hosting' };
    const patterns = withoutEnvironment(withEnvironment([], shop), other, { isOnly: false });
    assert.deepEqual(patterns, ['shop-prod', '!bob.hosting/shop-prod']);
    assert.ok(isMatched(patterns, shop));
    assert.ok(!isMatched(patterns, other));
    assert.ok(isMatched(withEnvironment(patterns, other), other));
  });

  it('are for one account only if they contain a slash', () => {
    assert.ok(isMatched(['anna.hosting/*'], shop));
    assert.ok(!isMatched(['bob.hosting/*'], shop));
    assert.ok(!isMatched(['anna*'], shop));
    assert.ok(isMatched(['*', '!anna*'], shop));
  });

  it('match at once, also with many asterisks, because a folder can bring its own patterns', () => {
    const started = Date.now();
    assert.ok(
      !isMatched([`${'*'.repeat(12)}x`], {
        ...shop,
        name: 'env-1234567',
        title: 'Saltmarsh Tea, orders and warehouse',
      }),
    );
    assert.ok(!isMatched([`${'*a'.repeat(10)}x`], { ...shop, name: 'env-1234567', title: 'a'.repeat(40) }));
    assert.ok(Date.now() - started < limit(100), `took ${Date.now() - started} ms`);
  });

  it('match parts in order, without overlap', () => {
    const named = (name: string) => ({ ...shop, name, title: name });
    for (const [pattern, name] of [
      ['a*a', 'aa'],
      ['a*b*c', 'aXbYc'],
      ['a*b*b', 'abb'],
      ['**shop**', 'shop'],
      ['*-prod', 'shop-prod-prod'],
    ] as const) {
      assert.ok(isMatched([pattern], named(name)), `${pattern} ${name}`);
    }
    for (const [pattern, name] of [
      ['a*a', 'a'],
      ['ab*bc', 'abc'],
      ['a*b*b', 'ab'],
      ['*b*', 'a'],
    ] as const) {
      assert.ok(!isMatched([pattern], named(name)), `${pattern} ${name}`);
    }
  });

  it('match a display name as the tree shows it: with spaces around it, or composed in another way', () => {
    assert.ok(isMatched(['Saltmarsh Tea'], { ...shop, name: 'env-1', title: ' Saltmarsh Tea ' }));
    assert.ok(isMatched(['Caf\u00e9'], { ...shop, name: 'env-1', title: 'Cafe\u0301' }));
  });

  it('keep protecting an environment if another one, displayed with its name, is unmarked', () => {
    const copy = { ...shop, name: 'shop-staging', title: 'shop-prod' };
    assert.ok(isMatched(['shop-prod'], copy));
    const after = withoutEnvironment(['shop-prod'], copy, { isOnly: true });
    assert.ok(!isMatched(after, copy));
    assert.ok(isMatched(after, shop), JSON.stringify(after));
  });

  it('keep protecting an environment if another one with the same display name is unmarked', () => {
    const twin = { ...shop, name: 'shop-staging' };
    const after = withoutEnvironment(['Saltmarsh Tea'], twin, { isOnly: true });
    assert.ok(!isMatched(after, twin));
    assert.ok(isMatched(after, shop), JSON.stringify(after));
  });
});
