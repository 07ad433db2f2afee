import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, type Disposable } from 'vscode';
import { watchTokenExpiry } from '../../../src/accounts/tokenExpiryNotice';
import { PersonsAccounts } from '../support/personsAccounts';

const day = 24 * 60 * 60 * 1000;

describe('a token that expires soon', () => {
  let person: PersonsAccounts;
  let onListing: Disposable | undefined;
  let now: number;
  /** The days on which the user was notified, by account. */
  let told: Record<string, string>[];

  beforeEach(() => {
    person = new PersonsAccounts();
    now = Date.now();
    told = [];
  });

  afterEach(async () => {
    onListing?.dispose();
    person.dispose();
    await commands.executeCommand('notifications.clearAll');
  });

  const account = (slug: string, expiresAt?: number) =>
    ({ slug, label: slug, address: 'http://127.0.0.1:9', transport: 'form', token: 't', expiresAt }) as const;

  const memory = {
    keys: () => [],
    get: <T>(_: string, otherwise?: T): T | undefined => (told.at(-1) as T | undefined) ?? otherwise,
    update: (_: string, value: unknown) => {
      told.push(value as Record<string, string>);
      return Promise.resolve();
    },
  };

  it('causes one notice a day', async () => {
    onListing = watchTokenExpiry({ accounts: person.accounts, memory: { ...memory }, now: () => now });
    await person.accounts.add(account('a', now + 3 * day));
    await person.accounts.add(account('a', now + 3 * day));
    assert.equal(told.length, 1);
    now += day;
    await person.accounts.add(account('a', now + 2 * day));
    assert.equal(told.length, 2);
  });

  it('causes no notice if it expires much later, never expires, or has expired', async () => {
    onListing = watchTokenExpiry({ accounts: person.accounts, memory: { ...memory }, now: () => now });
    await person.accounts.add(account('long', now + 30 * day));
    await person.accounts.add(account('endless'));
    await person.accounts.add(account('ended', now - day));
    assert.deepEqual(told, []);
  });
});
