import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { makeSlug, parseAccount, parseSlugs, withTokenData } from '../../../src/accounts/storedAccount';

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
    assert.deepEqual(parseAccount(JSON.stringify(account)), account);
    assert.equal(parseAccount('{'), undefined);
    assert.equal(parseAccount(JSON.stringify({ ...account, token: '' })), undefined);
    assert.equal(parseAccount(JSON.stringify({ ...account, slug: 'A@b' })), undefined);
    assert.equal(parseAccount(JSON.stringify({ ...account, address: 'nowhere' })), undefined);
    assert.deepEqual(parseSlugs('["a","b"]'), ['a', 'b']);
    assert.equal(parseSlugs('{"a":1}'), undefined);
  });

  it('keeps nothing of a replaced token', () => {
    const old = { ...account, login: 'a@b.c', tokenId: 7, tokenTemplate: 'Custom', expiresAt: 1 };
    const renewed = JSON.parse(JSON.stringify(withTokenData(old, { token: 'new' }))) as unknown;
    assert.deepEqual(renewed, { ...account, login: 'a@b.c', token: 'new' });
  });
});
