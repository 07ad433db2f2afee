import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { AccountStore } from '../../../src/accounts/accountStore';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { Keychain, PersonsAccounts } from '../support/personsAccounts';

/**
 * Keeps secrets like VS Code in a browser: each change saves all secrets in the background, and the saves may finish in
 * any order.
 */
class BrowserKeychain extends Keychain {
  readonly saves: ReadonlyMap<string, string>[] = [];

  override store(key: string, value: string): Promise<void> {
    return super.store(key, value).then(() => void this.saves.push(new Map(this.values)));
  }

  override delete(key: string): Promise<void> {
    return super.delete(key).then(() => void this.saves.push(new Map(this.values)));
  }

  /** What another window would load if one of the saves was the last to finish. */
  asSaved(save: ReadonlyMap<string, string>): Keychain {
    const loaded = new Keychain(this.sharedFolder);
    for (const [key, value] of save) loaded.values.set(key, value);
    return loaded;
  }
}

/** Lets another window store something before this one's reads. */
class InterruptedKeychain extends Keychain {
  readonly interruptions: (() => Promise<void>)[] = [];

  override async get(key: string): Promise<string | undefined> {
    await this.interruptions.shift()?.();
    return await super.get(key);
  }
}

describe('the stored accounts', () => {
  const windows: PersonsAccounts[] = [];
  const open = (keychain: Keychain) => {
    const opened = new PersonsAccounts(keychain);
    windows.push(opened);
    return opened;
  };
  afterEach(() => windows.splice(0).forEach((one) => one.dispose()));

  const account = (slug: string, token = 'token'): StoredAccount => ({
    ...{ slug, label: slug, address: 'https://app.example.com', transport: 'form', token, since: Date.now() },
  });
  const stored = async (keychain: Keychain) => {
    const read = await open(keychain).store.read();
    return read.map(({ slug, token }) => `${slug}: ${token}`).sort();
  };

  it('contain a new account whichever save of the secrets finishes last', async () => {
    const keychain = new BrowserKeychain();
    await open(keychain).store.put(account('a'));
    assert.ok(keychain.saves.length > 0);
    for (const save of keychain.saves) assert.deepEqual(await stored(keychain.asSaved(save)), ['a: token']);
  });

  it('keep the other accounts if one is added, replaced, or removed', async () => {
    const keychain = new Keychain();
    const { store } = open(keychain);
    await Promise.all([store.put(account('a')), store.put(account('b')), store.put(account('c'))]);
    await store.put(account('b', 'new'));
    await store.remove('a');
    assert.deepEqual(await stored(keychain), ['b: new', 'c: token']);
  });

  it('contain an account that another window overwrote at the same time, and that of the other window', async () => {
    const keychain = new InterruptedKeychain();
    const elsewhere = open(Object.assign(new Keychain(keychain.sharedFolder), { values: keychain.values }));
    await elsewhere.accounts.loaded;
    const overwrite = async () => {
      // The other window read before this one stored.
      keychain.values.clear();
      await elsewhere.store.put(account('b'));
    };
    // Without a window's accounts, which read again on their own after each change.
    const { failures, markers } = open(new Keychain(keychain.sharedFolder));
    const here = new AccountStore(keychain, markers, (error) => failures.push(error));
    keychain.interruptions.push(() => Promise.resolve(), overwrite);
    await here.put(account('a'));
    assert.equal(here.state, 'works');
    assert.deepEqual(await stored(elsewhere.keychain), ['a: token', 'b: token']);
    assert.deepEqual(failures, []);
  });
});
