import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { asksSecondFactor } from '../../../src/accounts/tokens';
import { Unlocking } from '../../../src/accounts/unlocking';
import { isPlatformError } from '../../../src/platform/errors';
import { accountScene, type PersonsAccounts } from '../support/personsAccounts';

describe('unlocking an account with its password', () => {
  const scene = accountScene();
  let person: PersonsAccounts;
  let unlocking: Unlocking;

  beforeEach(async () => {
    person = scene.open();
    await scene.signIn(person, { description: 'test', apiList: ['environment.file.GetList'] });
    unlocking = unlockingFor(5 * 60 * 1000);
  });

  afterEach(async () => {
    await unlocking.lockAll();
    unlocking.dispose();
  });

  function unlockingFor(lifetime: number): Unlocking {
    return new Unlocking({
      stored: (slug) => person.accounts.stored(slug),
      connect: (account) => person.connections.open(account),
      lifetime,
    });
  }

  const unlock = () => unlocking.unlock('a', scene.platform.sample.email, scene.platform.sample.password);
  const signedOut = () =>
    scene.platform.journal.next(({ operation, result }) => operation === 'Signout' && result === 0);
  const locked = (error: unknown) => isPlatformError(error) && error.kind === 'unauthenticated';

  it("permits what the token doesn't until it is locked again", async () => {
    const work = await unlock();
    const made = await work.createToken({ description: 'made', apiList: 'environment.file.Read' });
    assert.match(made.key, /^[0-9a-f]{40}$/);
    await work.editToken({ id: made.id, description: 'renamed' });
    const listed = await work.getTokens();
    assert.ok(listed.some(({ id, description }) => id === made.id && description === 'renamed'));
    await work.deleteTokens([made.id]);
    assert.equal((await work.getSessions()).filter(({ current }) => current).length, 1);

    const out = signedOut();
    await unlocking.lock('a');
    await out;
    assert.equal(unlocking.of('a'), undefined);
    const before = scene.requests().length;
    await assert.rejects(work.getTokens(), locked);
    assert.equal(scene.requests().length, before);
  });

  it('expires by itself', async () => {
    unlocking.dispose();
    unlocking = unlockingFor(30);
    const out = signedOut();
    await unlock();
    await out;
    assert.equal(unlocking.of('a'), undefined);
  });

  it('ends with the window, and leaves no session behind', async () => {
    await unlock();
    const out = signedOut();
    await unlocking.lockAll();
    await out;
    const session = await scene.platform.createSession();
    const { sessions } = await person.connections
      .open({ slug: 'b', label: 'B', address: scene.platform.origin, transport: 'form', token: session })
      .call('GetSessions', { session });
    assert.deepEqual(
      sessions.filter(({ userAgent }) => userAgent === 'Gantry').map(({ current }) => current),
      [],
    );
  });

  it('leaves no session behind if the account is signed out while it is opened', async () => {
    const opening = scene.hang('Signin');
    const unlocked = assert.rejects(unlock(), locked);
    await opening.reached;
    await person.accounts.remove('a');
    const out = signedOut();
    opening.release();
    await unlocked;
    await out;
    assert.equal(unlocking.of('a'), undefined);
  });

  it('ends when the platform ends the session', async () => {
    const work = await unlock();
    scene.fail('GetTokens', { kind: 'expireSession' });
    await assert.rejects(work.getTokens(), locked);
    assert.equal(unlocking.of('a'), undefined);
  });

  it('ends when the platform no longer accepts the password', async () => {
    for (const result of [701, 801]) {
      const work = await unlock();
      scene.fail('RegenerateToken', { kind: 'refuse', result, error: 'wrong password' });
      await assert.rejects(work.regenerateToken(1), locked);
      assert.equal(unlocking.of('a'), undefined);
    }
  });

  it('fails with a wrong password or if a second factor is needed', async () => {
    await assert.rejects(unlocking.unlock('a', scene.platform.sample.email, 'wrong'), locked);
    await scene.platform.addUser({ email: 'tfa@gantry.example', password: 'pw-of-tfa', authType: 'TFA' });
    await assert.rejects(unlocking.unlock('a', 'tfa@gantry.example', 'pw-of-tfa'), asksSecondFactor);
    assert.equal(unlocking.of('a'), undefined);
  });
});
