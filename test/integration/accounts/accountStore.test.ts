import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { AccountStore } from '../../../src/accounts/accountStore';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { accountsKey } from '../../../src/storage/storageKeys';
import { nextEvent } from '../support/event';
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

/** Another window on the same secrets, which lets something happen between its reads and its writes. */
class WindowKeychain extends Keychain {
  readonly beforeWrites: (() => Promise<unknown>)[] = [];
  override readonly onDidChange;

  constructor(private readonly shared: Keychain) {
    super(shared.sharedFolder);
    this.onDidChange = shared.onDidChange;
  }

  override get(key: string): Promise<string | undefined> {
    return this.shared.get(key);
  }

  override async store(key: string, value: string): Promise<void> {
    await this.beforeWrites.shift()?.();
    await this.shared.store(key, value);
  }

  override async delete(key: string): Promise<void> {
    await this.beforeWrites.shift()?.();
    await this.shared.delete(key);
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
    slug,
    label: slug,
    address: 'https://app.example.com',
    transport: 'form',
    token,
    since: Date.now(),
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
    await elsewhere.accounts.firstRead;
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

  describe('and what is kept for them', () => {
    /** Two windows that opened after the account was added, and the accounts that they forgot because of a sign-out. */
    async function openBoth() {
      const keychain = new Keychain();
      const earlier = open(keychain);
      await earlier.accounts.add({ ...account('a'), since: Date.now() - 60_000 });
      earlier.dispose();
      const seenHere = new WindowKeychain(keychain);
      const [here, elsewhere] = [open(seenHere), open(keychain)];
      await Promise.all([here.accounts.firstRead, elsewhere.accounts.firstRead]);
      const forgotten: string[] = [];
      here.accounts.onDidSignOut(({ slug }) => forgotten.push(`${slug} here`));
      elsewhere.accounts.onDidSignOut(({ slug }) => forgotten.push(`${slug} elsewhere`));
      /** Lets both windows read the accounts after a change of the secret. */
      const changing = async (change: () => Promise<void>) => {
        const read = [here, elsewhere].map(({ accounts }) => nextEvent(accounts.onDidChange));
        await change();
        await Promise.all(read);
      };
      const readAgain = () => changing(() => keychain.store(accountsKey, keychain.values.get(accountsKey) ?? ''));
      return { keychain, seenHere, here, elsewhere, forgotten, changing, readAgain };
    }

    it("stay in every window if the token can't be deleted from the keychain, until it can", async () => {
      const { keychain, seenHere, here, elsewhere, forgotten, readAgain } = await openBoth();
      seenHere.beforeWrites.push(async () => {
        await readAgain();
        throw new Error('the collection is locked');
      });
      await assert.rejects(here.accounts.remove('a'), {
        message:
          "Couldn't sign out of a, because its token couldn't be deleted from this computer's keychain (the collection is locked). Unlock the keychain and sign out again, or delete the token in the dashboard under Settings › Access Tokens.",
      });
      await readAgain();
      assert.deepEqual(forgotten, []);
      for (const { accounts } of [here, elsewhere]) assert.ok(accounts.find('a'));

      const both = Promise.all([here, elsewhere].map(({ accounts }) => nextEvent(accounts.onDidSignOut)));
      await here.accounts.remove('a');
      await both;
      assert.deepEqual([...keychain.values.values()], []);
    });

    it('are known to be left before the secret is removed, and not if it stays, or if the account signs in again', async () => {
      const { keychain, seenHere, here } = await openBoth();
      const isSigningOut = () => existsSync(join(keychain.sharedFolder, 'signing-out', 'a.json'));
      const seen: boolean[] = [];
      const note = () => Promise.resolve(seen.push(isSigningOut()));
      seenHere.beforeWrites.push(() => note().then(() => Promise.reject(new Error('the collection is locked'))), note);
      await assert.rejects(here.accounts.remove('a'), /the collection is locked/);
      assert.deepEqual([...seen, isSigningOut()], [true, false]);
      await here.accounts.remove('a');
      // What is kept is forgotten by the features, of which this window has none.
      assert.deepEqual([...seen, isSigningOut()], [true, true, true]);
      await here.accounts.add(account('a'));
      assert.ok(!isSigningOut());
    });

    it("are signed out although it can't be noted before, as on a full disk", async () => {
      const { keychain, here } = await openBoth();
      await writeFile(join(keychain.sharedFolder, 'signing-out'), '');
      await here.accounts.remove('a');
      assert.deepEqual([...keychain.values.values()], []);
      assert.match(String(here.failures.splice(0)), /ENOTDIR|EEXIST|ENOENT/);
    });

    it("stay if VS Code deletes secrets that it can't decrypt, and are forgotten after a sign-out", async () => {
      const { keychain, here, forgotten, changing } = await openBoth();
      const secret = keychain.values.get(accountsKey) ?? '';
      await changing(() => keychain.delete(accountsKey));
      assert.deepEqual(here.accounts.list, []);
      assert.deepEqual(forgotten, []);
      await changing(() => keychain.store(accountsKey, secret));
      assert.deepEqual(
        here.accounts.list.map(({ slug }) => slug),
        ['a'],
      );
      const gone = nextEvent(here.accounts.onDidSignOut);
      await here.accounts.remove('a');
      await gone;
    });

    /** A window that opened with the accounts, and those that it forgot because of a sign-out. */
    async function openWith(...slugs: readonly string[]) {
      const keychain = new Keychain();
      const earlier = open(keychain);
      for (const slug of slugs) await earlier.accounts.add({ ...account(slug), since: Date.now() - 60_000 });
      earlier.dispose();
      const { accounts } = open(keychain);
      await accounts.firstRead;
      const forgotten: string[] = [];
      accounts.onDidSignOut(({ slug }) => forgotten.push(slug));
      const changing = async (change: () => Promise<void>) => {
        const read = nextEvent(accounts.onDidChange);
        await change();
        await read;
      };
      return { keychain, accounts, forgotten, changing };
    }

    it('stay if the user signs in to another account again after VS Code lost them all', async () => {
      const { keychain, accounts, forgotten, changing } = await openWith('a', 'b');
      await changing(() => keychain.delete(accountsKey));
      await accounts.add(account('a'));
      await accounts.replaceToken('a', { token: 'newer' });
      await accounts.add(account('c'));
      assert.deepEqual(forgotten, []);
      await accounts.remove('a');
      assert.deepEqual(forgotten, ['a']);
    });

    for (const where of ['here', 'in another window']) {
      it(`stay if the user signs in again ${where} before this window notices that VS Code lost them`, async () => {
        const { keychain, accounts, forgotten, changing } = await openWith('a', 'b');
        keychain.values.delete(accountsKey);
        const signingIn = where === 'here' ? accounts : open(keychain).accounts;
        await changing(() => signingIn.add(account('a')));
        assert.deepEqual(
          accounts.list.map(({ slug }) => slug),
          ['a'],
        );
        assert.deepEqual(forgotten, []);
      });
    }

    it('stay if VS Code loses them and this window restores one that was just added', async () => {
      const { keychain, accounts, forgotten, changing } = await openWith('a');
      await accounts.add(account('b'));
      await changing(() => keychain.delete(accountsKey));
      await accounts.replaceToken('b', { token: 'newer' });
      assert.deepEqual(
        accounts.list.map(({ slug }) => slug),
        ['b'],
      );
      assert.deepEqual(forgotten, []);
    });

    it('are forgotten if another computer with the same secrets signs out of one of them', async () => {
      const { keychain, forgotten, changing } = await openWith('a', 'b');
      const { a } = JSON.parse(keychain.values.get(accountsKey) ?? '') as { readonly a: StoredAccount };
      await changing(() => keychain.store(accountsKey, JSON.stringify({ a })));
      assert.deepEqual(forgotten, ['b']);
    });

    it('stay if the secret is damaged', async () => {
      const { keychain, forgotten, changing } = await openBoth();
      await changing(() => keychain.store(accountsKey, '{"a":'));
      assert.deepEqual(forgotten, []);
    });

    it("are signed out also if the keychain refuses it, if only this window has them, and says what's left", async () => {
      const { keychain, seenHere, here } = await openBoth();
      const refuses = () => Promise.reject(new Error('the collection is locked'));
      seenHere.beforeWrites.push(refuses, refuses);
      await here.accounts.replaceToken('a', { token: 'new' });
      assert.equal((await here.store.find('a'))?.token, 'new');
      seenHere.beforeWrites.push(refuses);
      const gone = nextEvent(here.accounts.onDidSignOut);
      await here.accounts.remove('a');
      await gone;
      assert.deepEqual(here.failures.map(String), [
        "Error: Signed out of a, but an earlier token is still in this computer's keychain (the collection is locked). Delete the token in the dashboard under Settings › Access Tokens.",
      ]);
      // The next reading tried again.
      assert.deepEqual([...keychain.values.values()], []);
    });
  });

  it("stay if only one window has another account with the same ID, added while the keychain couldn't be read", async () => {
    const keychain = new Keychain();
    await open(keychain).store.put(account('a', 'theirs'));
    keychain.locked = new Error('the collection is locked');
    const { accounts, failures } = open(keychain);
    await accounts.firstRead;
    await accounts.add({ ...account('a', 'mine'), label: 'mine' });
    keychain.locked = undefined;
    const signedOut: string[] = [];
    accounts.onDidSignOut(({ label }) => signedOut.push(label));
    await accounts.replaceToken('a', { token: 'newer' });
    assert.deepEqual(await stored(keychain), ['a: theirs']);
    const own = accounts.find('a');
    assert.deepEqual([own?.label, (await accounts.stored('a'))?.token], ['mine', 'newer']);
    await accounts.remove('a');
    assert.deepEqual(await stored(keychain), ['a: theirs']);
    assert.deepEqual([own?.isSignedOut, accounts.find('a')?.label, signedOut], [true, 'a', []]);
    assert.equal(failures.length, 1, 'of the first reading');
  });

  describe('that two windows change at the same moment', () => {
    const isEarlier = { since: Date.now() - 60_000 };

    /** Two windows that have read the same accounts. */
    async function openTwo(...accounts: readonly StoredAccount[]) {
      const keychain = new Keychain();
      const one = open(keychain);
      for (const each of accounts) await one.accounts.add(each);
      const seenByOther = new WindowKeychain(keychain);
      const other = open(seenByOther);
      await other.accounts.firstRead;
      const signedOut: string[] = [];
      for (const { accounts: each } of [one, other]) each.onDidSignOut(({ slug }) => signedOut.push(slug));
      /** Lets the first window do something after the other has read the accounts, and before it stores its change. */
      const meanwhile = (change: () => Promise<unknown>) => seenByOther.beforeWrites.push(change);
      /** What each window has, and one that opens now. */
      const everywhere = async () => {
        await Promise.all([one.store.read(), other.store.read()]);
        const tokens = async ({ store }: PersonsAccounts) =>
          (await store.read()).map(({ slug, token }) => `${slug}: ${token}`).sort();
        const all = [await tokens(one), await tokens(other), await stored(keychain)];
        assert.deepEqual(all, [all[0], all[0], all[0]]);
        return all[0];
      };
      return { keychain, one, other, meanwhile, everywhere, signedOut };
    }

    it('keep the new token of one if both get one', async () => {
      const { one, other, meanwhile, everywhere, signedOut } = await openTwo(account('a', 'old'), account('b', 'old'));
      meanwhile(() => one.accounts.replaceToken('a', { token: 'new' }));
      await other.accounts.replaceToken('b', { token: 'new' });
      assert.deepEqual(await everywhere(), ['a: new', 'b: new']);
      assert.deepEqual(signedOut, []);
    });

    it('keep an account that is added, and what is kept for it', async () => {
      const { one, other, meanwhile, everywhere, signedOut } = await openTwo(account('a', 'old'));
      meanwhile(() => one.accounts.add(account('b')));
      await other.accounts.replaceToken('a', { token: 'new' });
      assert.deepEqual(await everywhere(), ['a: new', 'b: token']);
      assert.deepEqual(signedOut, []);
    });

    it('keep an account that is added while the only other one is signed out', async () => {
      const { one, other, meanwhile, everywhere, signedOut } = await openTwo({ ...account('a'), ...isEarlier });
      meanwhile(() => one.accounts.add(account('b')));
      await other.accounts.remove('a');
      assert.deepEqual(await everywhere(), ['b: token']);
      assert.deepEqual([...new Set(signedOut)], ['a']);
    });

    it('keep the new token if the other window notes something about the account with the old one', async () => {
      const { one, other, meanwhile, everywhere } = await openTwo({ ...account('a', 'old'), ...isEarlier });
      meanwhile(() => one.accounts.replaceToken('a', { token: 'new' }));
      await other.accounts.agreeToPasswordsInUrl('a');
      assert.deepEqual(await everywhere(), ['a: new']);
      const old = { ...account('a', 'old'), ...isEarlier };
      await other.store.put(old);
      assert.deepEqual(await everywhere(), ['a: new']);
      await other.accounts.updateToken('a', { token: 'old', tokenTemplate: 'Custom' });
      assert.deepEqual(await everywhere(), ['a: new']);
    });

    it('keep no token of an account that is signed out', async () => {
      const { keychain, one, other, meanwhile, everywhere } = await openTwo(
        account('a', 'secret'),
        account('b', 'old'),
      );
      meanwhile(() => one.accounts.remove('a'));
      await other.accounts.replaceToken('b', { token: 'new' });
      assert.deepEqual(await everywhere(), ['b: new']);
      assert.ok(![...keychain.values.values()].join().includes('secret'));
    });

    it("don't contain an account again that one signs out while the other notes something about it", async () => {
      const { keychain, one, other, meanwhile, everywhere } = await openTwo(account('a', 'secret'));
      meanwhile(() => one.accounts.remove('a'));
      await other.accounts.agreeToPasswordsInUrl('a');
      assert.deepEqual(await everywhere(), []);
      assert.deepEqual([...keychain.values.values()], []);
    });

    it("don't contain an account again that the other window signs out right after it was added", async () => {
      const { one, other, everywhere, keychain } = await openTwo(account('a'));
      await other.accounts.remove('a');
      assert.deepEqual(await everywhere(), []);
      assert.equal(await one.accounts.replaceToken('a', { token: 'new' }), false);
      await one.accounts.add(account('b'));
      assert.deepEqual(await everywhere(), ['b: token']);
      assert.ok(![...keychain.values.values()].join().includes('"a"'));
    });
  });
});
