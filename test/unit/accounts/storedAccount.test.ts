import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { makeSlug, parseAccount, parseAccounts, withTokenData } from '../../../src/accounts/storedAccount';

const account = { slug: 'a.b', label: 'a', address: 'https://app.b', transport: 'form', token: 't' } as const;

describe('an account', () => {
  it('has a readable ID from user and platform', () => {
    assert.equal(makeSlug('Anna.Smith@example.com', 'app.hoster.com', []), 'anna.smith.hoster.com');
    assert.equal(makeSlug('', '127.0.0.1:8080', []), '127.0.0.1-8080');
  });

  it('gets a number if its ID is taken', () => {
    assert.equal(makeSlug('anna@a.com', 'app.h.com', ['anna.h.com', 'anna.h.com-2']), 'anna.h.com-3');
  });

  it('is parsed only in its exact format', () => {
    assert.deepEqual(parseAccount(account), account);
    assert.equal(parseAccount('{'), undefined);
    assert.equal(parseAccount({ ...account, token: '' }), undefined);
    assert.equal(parseAccount({ ...account, slug: 'A@b' }), undefined);
    assert.equal(parseAccount({ ...account, address: 'nowhere' }), undefined);
  });

  it('is stored next to others, even if one of them cannot be parsed', () => {
    assert.deepEqual(
      [...parseAccounts('{"a":{"slug":"a"},"b":7}')],
      [
        ['a', { slug: 'a' }],
        ['b', 7],
      ],
    );
    for (const text of [undefined, '', '{', 'null']) assert.equal(parseAccounts(text).size, 0);
  });

  it('keeps nothing of a replaced token', () => {
    const old = { ...account, login: 'a@b.c', tokenId: 7, tokenTemplate: 'Custom', expiresAt: 1 };
    const { since, ...renewed } = withTokenData(old, { token: 'new' });
    assert.deepEqual(JSON.parse(JSON.stringify(renewed)), { ...account, login: 'a@b.c', token: 'new' });
    assert.ok(since !== undefined && since <= Date.now());
  });

  it('counts a new token as later than the one before, whatever the clock says, and a changed one as the same', () => {
    const old = { ...account, since: Date.now() + 60_000 };
    assert.equal(withTokenData(old, { ...old, token: 'new' }).since, old.since + 1);
    assert.equal(withTokenData(old, { token: old.token, tokenTemplate: 'Custom' }).since, old.since);
  });
});
