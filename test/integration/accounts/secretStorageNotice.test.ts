import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { watchForgottenAccounts } from '../../../src/accounts/secretStorageNotice';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { accountsKey, storedAccountsKey } from '../../../src/storage/storageKeys';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { Keychain, PersonsAccounts } from '../support/personsAccounts';
import { Person } from '../support/person';

/** A keychain like those of hosts that can't store secrets. */
class BrokenKeychain extends Keychain {
  constructor(private readonly defect: 'refuses' | 'forgets') {
    super();
  }

  override store(key: string, value: string): Promise<void> {
    if (this.defect === 'refuses') return Promise.reject(new Error('no keyring'));
    return super.store(key, value).then(() => void this.values.delete(key));
  }
}

describe('a host that stores no secrets', () => {
  let platform: LocalPlatform;
  let account: StoredAccount;
  let window: PersonsAccounts;
  let person: Person;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    const token = await platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
    account = { slug: 'a', label: 'A', address: platform.origin, transport: 'form', token, since: Date.now() };
  });
  beforeEach(() => {
    person = new Person();
  });
  afterEach(() => {
    person.leave();
    window.dispose();
  });
  after(() => platform.dispose());

  const works = async () => {
    const signedIn = window.accounts.find('a') ?? assert.fail('signed in');
    await signedIn.call('GetEnvs', {});
  };

  for (const defect of ['refuses', 'forgets'] as const) {
    it(`keeps the sign-in for the window, and says so, if it ${defect}`, async () => {
      const keychain = new BrokenKeychain(defect);
      window = new PersonsAccounts(keychain);
      await person.answering([], () => window.accounts.add(account));
      assert.deepEqual(person.seen, ["VS Code can't store your sign-in. It lasts for this window."]);
      assert.equal(window.store.state, defect);
      await works();
      // Another window's change makes this one read the accounts again.
      await keychain.store(accountsKey, '{}').catch(() => undefined);
      await window.accounts.demandRead();
      await works();
      await window.accounts.remove('a');
      assert.deepEqual(window.accounts.list, []);
      assert.deepEqual(window.failures, []);
    });
  }

  it('keeps the sign-in for the window if it cannot even be read, overwrites nothing, and says no more, because the sign-in did', async () => {
    const keychain = new Keychain();
    keychain.values.set(accountsKey, '{"other":{}}');
    keychain.locked = new Error('no D-Bus session');
    window = new PersonsAccounts(keychain);
    await window.accounts.loaded;
    await person.answering([], () => window.accounts.add(account));
    assert.deepEqual(person.seen, []);
    await works();
    assert.equal(keychain.values.get(accountsKey), '{"other":{}}');
    assert.equal(window.store.state, 'unreadable');
  });

  it('says in the next session that it forgot the sign-in, but not after a sign-out', async () => {
    const values = new Map<string, unknown>();
    const memory = {
      keys: () => [...values.keys()],
      get: <T>(key: string, otherwise?: T) => (values.get(key) ?? otherwise) as T,
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    };
    let forgotten = 0;
    const open = async (keychain: Keychain) => {
      window = new PersonsAccounts(keychain);
      const { accounts, store } = window;
      const countStored = () => store.countStored;
      const watching = watchForgottenAccounts({ accounts, memory, countStored, onForgotten: () => (forgotten += 1) });
      await accounts.loaded;
      return watching;
    };
    const first = await open(new Keychain());
    await window.accounts.add(account);
    assert.equal(values.get(storedAccountsKey), 1);
    first.dispose();
    window.dispose();
    const second = await person.answering([], () => open(new Keychain()));
    assert.deepEqual(person.seen, ["Your sign-in wasn't saved because VS Code can't store secrets on this computer."]);
    await window.accounts.add(account);
    await window.accounts.remove('a');
    second.dispose();
    window.dispose();
    const third = await person.answering([], () => open(new Keychain()));
    third.dispose();
    assert.deepEqual([person.seen, forgotten, values.get(storedAccountsKey)], [[], 1, 0]);
  });
});
