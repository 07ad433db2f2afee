import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Account } from '../../../src/accounts/accounts';
import { accountsKey } from '../../../src/storage/storageKeys';
import { isCanceled, isPlatformError } from '../../../src/platform/errors';
import { nextEvent } from '../support/event';
import { accountScene, Keychain, type PersonsAccounts } from '../support/personsAccounts';

const root = { envName: 'shop', nodeGroup: 'cp', path: '/' } as const;

describe('a token that the platform rejects', () => {
  const scene = accountScene();
  let keychain: Keychain;
  let person: PersonsAccounts;
  let account: Account;

  beforeEach(async () => {
    keychain = new Keychain();
    person = scene.open(keychain);
    account = await scene.signIn(person);
  });

  /** Ends the session when the first request of this operation arrives. */
  const revoke = (operation = 'GetList') => scene.fail(operation, { kind: 'expireSession' });
  const signInElsewhere = async (at = person) => at.accounts.replaceToken('a', { token: await newToken() });
  const unauthenticated = (error: unknown) => isPlatformError(error) && error.kind === 'unauthenticated';
  const newToken = () => scene.platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });

  it('leads to one question for any number of pending calls, and loses none of them', async () => {
    const held = scene.hang('*', { times: 20 });
    scene.fail('Write', { kind: 'expireSession' });
    const texts = Array.from({ length: 10 }, (_, n) => `text ${n}`);
    const places = texts.map((body, n) => ({ envName: 'shop', nodeGroup: 'cp', path: `/tmp/file-${n}`, body }));
    // There are ten connections per platform, so the other ten calls wait for one of them.
    const arrivals = arrived(10);
    const writes = places.map((place) => account.call('Write', { ...place, isAppendMode: false }));
    const reads = Array.from({ length: 10 }, () => account.call('GetList', root));
    person.answer = async () => {
      await signInElsewhere();
      return 'signedIn';
    };
    await arrivals;
    held.release();
    await Promise.all(writes);
    const listings = await Promise.all(reads);

    assert.equal(person.questions.length, 1);
    assert.ok(listings.every(({ entries }) => entries.length > 0));
    for (const [n, text] of texts.entries()) {
      const { body } = await account.call('Read', { envName: 'shop', nodeGroup: 'cp', path: `/tmp/file-${n}` });
      assert.equal(body, text);
    }
    assert.equal(account.isSignedOut, false);
  });

  const arrived = (count: number) => scene.platform.journal.nextArrival(() => scene.requests().length >= count);

  it('stays quiet after the question is dismissed: it sends and asks nothing until the user asks for it', async () => {
    revoke();
    person.answer = () => Promise.resolve('dismissed');
    await assert.rejects(account.call('GetList', root), unauthenticated);
    assert.equal(account.isSignedOut, true);
    const before = scene.requests().length;
    await Promise.all(Array.from({ length: 5 }, () => assert.rejects(account.call('GetList', root), unauthenticated)));
    assert.equal(scene.requests().length, before);
    assert.equal(person.questions.length, 1);

    person.answer = async () => {
      await signInElsewhere();
      return 'signedIn';
    };
    await person.accounts.signInAgain('a');
    assert.deepEqual(
      person.questions.map(({ occasion }) => occasion),
      ['notice', 'direct'],
    );
    assert.ok((await account.call('GetList', root)).entries.length > 0);
  });

  it('is reported to everything that shows the account', async () => {
    revoke();
    const signedOut = nextEvent(person.accounts.onDidChange, () => account.isSignedOut);
    const listing = account.call('GetList', root);
    await signedOut;
    const back = nextEvent(person.accounts.onDidChange, () => !account.isSignedOut);
    await signInElsewhere();
    await back;
    assert.ok((await listing).entries.length > 0);
  });

  it('causes no question for unattended work', async () => {
    revoke();
    await assert.rejects(account.call('GetList', root, { unattended: true }), unauthenticated);
    assert.equal(person.questions.length, 0);
  });

  it('lets a caller cancel while the question is open', async () => {
    revoke();
    const giving = new AbortController();
    const asked = nextEvent(person.accounts.onDidChange, () => account.isSignedOut);
    const listing = account.call('GetList', root, { signal: giving.signal });
    await asked;
    giving.abort();
    await assert.rejects(listing, isCanceled);
  });

  it("lets a caller cancel a change only until it is sent, so that it isn't sent after a later sign-in", async () => {
    revoke('Write');
    const canceling = new AbortController();
    const asked = nextEvent(person.accounts.onDidChange, () => account.isSignedOut);
    const file = { envName: 'shop', nodeGroup: 'cp', path: '/tmp/until-sent', body: 'one', isAppendMode: false };
    const waiting = account.call('Write', file, { untilSent: canceling.signal });
    const rejected = assert.rejects(waiting, (error) => isCanceled(error) && !error.isOutcomeUnknown);
    await asked;
    canceling.abort();
    await rejected;
    const writes = () => scene.requests().filter((operation) => operation === 'Write').length;
    const before = writes();
    await signInElsewhere();
    await assert.rejects(account.call('Write', file, { untilSent: canceling.signal }), isCanceled);
    assert.equal(writes(), before);

    const held = scene.hang('Write');
    const sending = new AbortController();
    const sent = account.call('Write', file, { untilSent: sending.signal });
    await held.reached;
    sending.abort();
    held.release();
    await sent;
  });

  it('is replaced when another window signs in, and the open question is closed', async () => {
    const other = scene.open(keychain);
    await other.accounts.firstRead;
    revoke();
    const asked = nextEvent(person.accounts.onDidChange, () => account.isSignedOut);
    const listing = account.call('GetList', root);
    await asked;
    await signInElsewhere(other);
    assert.ok((await listing).entries.length > 0);
    assert.equal(person.questions[0]?.signal.aborted, true);
  });

  it('causes no question if another token is stored while it is checked, as by a renewal', async () => {
    revoke();
    const checking = scene.hang('GetTokenTemplates');
    const listing = account.call('GetList', root);
    await checking.reached;
    await signInElsewhere();
    checking.release();
    assert.ok((await listing).entries.length > 0);
    assert.equal(person.questions.length, 0);
  });

  it('follows a sign-out in another window: pending calls fail and the account is removed', async () => {
    const other = scene.open(keychain);
    await other.accounts.firstRead;
    revoke();
    const asked = nextEvent(person.accounts.onDidChange, () => account.isSignedOut);
    const listing = account.call('GetList', root);
    await asked;
    const gone = nextEvent(person.accounts.onDidSignOut);
    await other.accounts.remove('a');
    assert.equal((await gone).slug, 'a');
    await assert.rejects(listing, unauthenticated);
    assert.deepEqual(person.accounts.list, []);
    assert.deepEqual([...keychain.values], [], 'the token is gone from the keychain');
  });

  it("is distinguished from an environment that isn't shared with the account", async () => {
    const user = { email: 'guest@gantry.example', password: 'guests-password', environments: ['blog-staging'] };
    await scene.platform.addUser(user);
    const token = await scene.platform.createToken({ description: 'guest', tokenTemplate: 'IDE Plugins' }, user.email);
    await person.accounts.replaceToken('a', { token });
    await assert.rejects(
      account.call('GetList', root),
      (error) => isPlatformError(error) && error.kind === 'forbidden' && error.result === 702,
    );
    assert.equal(person.questions.length, 0);
    assert.equal(account.isSignedOut, false);
  });

  it('is recognized by an answer as for a guest, also where guests may do what the check does', async () => {
    const guest = JSON.stringify({ result: 0, uid: 0, email: '__GUEST__' });
    scene.fail('GetUserInfo', { kind: 'answer', body: guest });
    person.answer = () => Promise.resolve('dismissed');
    await assert.rejects(account.call('GetUserInfo', {}), unauthenticated);
    assert.ok(scene.count('GetTokenTemplates') > 0);
    assert.equal(person.questions.length, 1);
    assert.equal(account.isSignedOut, true);
  });

  it('no longer counts as rejected by an answer as for a guest once a later request has succeeded', async () => {
    const guest = JSON.stringify({ result: 0, uid: 0, email: '__GUEST__' });
    scene.fail('GetUserInfo', { kind: 'answer', body: guest });
    await assert.rejects(account.call('GetUserInfo', {}, { unattended: true }), unauthenticated);
    await account.call('GetList', root);
    scene.fail('GetList', { kind: 'refuse', result: 702, error: 'not shared' }, { times: 2 });
    await assert.rejects(
      account.call('GetList', root),
      (error) => isPlatformError(error) && error.kind === 'forbidden',
    );
    assert.equal(person.questions.length, 0);
  });

  it("causes no question if the platform can't be reached for a check", async () => {
    revoke();
    scene.fail('GetTokenTemplates', { kind: 'reset' }, { times: 'always' });
    await assert.rejects(
      account.call('GetList', root),
      (error) => isPlatformError(error) && error.kind === 'unreachable',
    );
    assert.equal(person.questions.length, 0);
  });

  it("is reported once if its record can't be read, and counts as missing", async () => {
    keychain.values.set(accountsKey, '{"a":{"slug":"a"}}');
    await person.accounts.remove('none');
    await person.accounts.remove('none');
    assert.deepEqual(person.accounts.list, []);
    assert.equal(person.failures.length, 1);
  });

  it('remembers the permissions it lacks until it is replaced or checked again', async () => {
    const token = await scene.platform.createToken({ description: 'narrow', apiList: ['environment.file.GetList'] });
    await person.accounts.replaceToken('a', { token });
    const told = nextEvent(person.accounts.onDidChangeRights);
    await assert.rejects(
      account.call('Read', { ...root, path: '/etc/hostname' }),
      (error) => isPlatformError(error) && error.kind === 'tokenLacksMethod',
    );
    assert.equal((await told).lacks('Read'), true);
    assert.equal(account.lacks('GetList'), false);
    await signInElsewhere();
    assert.equal(account.lacks('Read'), false);
  });
});
