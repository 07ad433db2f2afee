import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { makeSlug, parseAccounts } from '../../../src/accounts/account';

describe('an account', () => {
  it('is named readably, by person and platform', () => {
    assert.equal(makeSlug('Anna.Smith@example.com', 'app.hoster.com', []), 'anna.smith.hoster.com');
    assert.equal(makeSlug('', '127.0.0.1:8080', []), '127.0.0.1-8080');
  });

  it('gets a number when its name is taken', () => {
    assert.equal(makeSlug('anna@a.com', 'app.h.com', ['anna.h.com', 'anna.h.com-2']), 'anna.h.com-3');
  });

  it('is read back only as what was written', () => {
    const account = { slug: 'a.b', label: 'a', address: 'https://app.b', transport: 'form', token: 't' };
    assert.deepEqual(parseAccounts(JSON.stringify([account])), [account]);
    assert.equal(parseAccounts('{'), undefined);
    assert.equal(parseAccounts(JSON.stringify([{ ...account, token: '' }])), undefined);
    assert.equal(parseAccounts(JSON.stringify([{ ...account, slug: 'A@b' }])), undefined);
  });
});
