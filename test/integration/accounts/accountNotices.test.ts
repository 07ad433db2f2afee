import assert from 'node:assert/strict';
import { after, before, describe, it, afterEach, beforeEach } from 'mocha';
import { type Memento, commands, type Disposable } from 'vscode';
import {
  offerCompatibilityCheck,
  watchTokenExpiry,
  watchForgottenAccounts,
} from '../../../src/accounts/accountNotices';
import { Person } from '../support/person';
import { accountScene, Keychain, PersonsAccounts } from '../support/personsAccounts';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { accountsKey, storedAccountsKey } from '../../../src/storage/storageKeys';

describe('the offer to check a platform after the first sign-in', () => {
  let person: Person;
  const kept = new Map<string, unknown>();
  const memory: Memento = {
    keys: () => [...kept.keys()],
    get: <T>(key: string, otherwise?: T) => (kept.has(key) ? (kept.get(key) as T) : (otherwise as T)),
    update: (key, value) => Promise.resolve(void kept.set(key, value)),
  };
  const at = (host: string) => ({ slug: 'no-such-account', host, address: `https://${host}` });

  before(() => {
    person = new Person();
  });
  after(() => person.leave());

  const offersAt = async (host: string) => {
    await person.answering([], () => offerCompatibilityCheck(at(host), memory));
    return person.seen.filter((text) => text.includes('supports?')).length;
  };

  it('appears once for each platform', async () => {
    assert.equal(await offersAt('app.one.example.com'), 1);
    assert.equal(await offersAt('app.one.example.com'), 0);
    assert.equal(await offersAt('app.two.example.com'), 1);
  });

  it('does not appear for a platform on this computer', async () => {
    assert.equal(await offersAt('127.0.0.1'), 0);
  });
});

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
  const scene = accountScene();
  let account: StoredAccount;
  let window: PersonsAccounts;
  let person: Person;

  before(async () => {
    const token = await scene.platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
    const address = scene.platform.origin;
    account = { slug: 'a', label: 'A', address, transport: 'form', token, since: Date.now() };
  });
  beforeEach(() => {
    person = new Person();
  });
  afterEach(() => person.leave());

  const works = async () => {
    const signedIn = window.accounts.find('a') ?? assert.fail('signed in');
    await signedIn.call('GetEnvs', {});
  };

  for (const defect of ['refuses', 'forgets'] as const) {
    it(`keeps the sign-in for the window, and says so, if it ${defect}`, async () => {
      const keychain = new BrokenKeychain(defect);
      window = scene.open(keychain);
      await person.answering([], () => window.accounts.add(account));
      assert.deepEqual(person.seen, ["VS Code can't store your sign-in. It lasts until you close this window."]);
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
    window = scene.open(keychain);
    await window.accounts.firstRead;
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
      window = scene.open(keychain);
      const { accounts, store } = window;
      const countStored = () => store.countStored;
      const watching = watchForgottenAccounts({ accounts, memory, countStored, onForgotten: () => (forgotten += 1) });
      await accounts.firstRead;
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
