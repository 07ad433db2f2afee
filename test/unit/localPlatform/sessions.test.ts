import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, partOf, post, rowsOf, textOf } from './requests';

describe('local platform: sessions', () => {
  const asked = onStageEachTime(new AskedScene());
  const signin = (login: string | number, password: string) => asked.call('Signin', { login, password });

  it('opens a session for the email address or the user id, with what the contract says about the account', async () => {
    const { email, password, uid } = asked.platform.sample;
    for (const login of [email, email.toUpperCase(), uid]) {
      const answer = await signin(login, password);
      assert.equal(answer.result, 0);
      assert.equal(textOf(answer, 'session').length, 36);
      assert.deepEqual([answer['uid'], answer['email'], answer['accessType'], answer['status']], [uid, email, 0, 0]);
      assert.deepEqual([answer['data'], answer['authConfig']], [{ lang: 'en' }, { type: 'PASSWORD' }]);
    }
  });

  it('rejects a wrong password and an unknown user in the same way, with debug', async () => {
    const wrong = await signin(asked.platform.sample.email, 'wrong');
    const unknown = await signin('nobody@gantry.example', 'wrong');
    for (const answer of [wrong, unknown]) {
      assert.deepEqual([answer.result, answer['error']], [701, 'authentication failed']);
      assert.deepEqual(Object.keys(partOf(answer, 'debug')), ['cpu', 'time']);
      assert.ok(!('session' in answer));
    }
  });

  it('opens no session for an account with a second factor', async () => {
    await asked.platform.addUser({ email: 'tfa@gantry.example', password: 'right', authType: 'TFA' });
    const answer = await signin('tfa@gantry.example', 'right');
    assert.deepEqual([answer.result, answer['authType'], answer['session']], [0, 1, undefined]);
    assert.equal((await signin('tfa@gantry.example', 'wrong')).result, 701);
    asked.platform.behaviour.secondFactor = 'uselessSession';
    const { session } = await signin('tfa@gantry.example', 'right');
    assert.equal((await asked.call('GetTokens', { session: String(session) })).result, 702);
    asked.platform.behaviour.secondFactor = 'refused';
    const refused = await signin('tfa@gantry.example', 'right');
    assert.deepEqual([refused.result, refused['authType'], refused['attemptsLeft']], [701, 1, 4]);
  });

  it('says that an account is suspended', async () => {
    await asked.platform.addUser({ email: 'owes@gantry.example', password: 'right', status: 'SUSPENDED' });
    assert.equal((await signin('owes@gantry.example', 'right'))['status'], 1);
  });

  it('lists the sessions of the account, with the current one marked', async () => {
    await signin(asked.platform.sample.email, asked.platform.sample.password);
    await asked.platform.addUser({ email: 'other@gantry.example', password: 'x' });
    await signin('other@gantry.example', 'x');
    const sessions = rowsOf(await asked.call('GetSessions'), 'sessions');
    assert.deepEqual(
      sessions.map(({ current }) => current),
      [true, false],
    );
    const [, signedIn] = sessions;
    assert.deepEqual([signedIn?.['host'], signedIn?.['uid']], ['127.0.0.1', asked.platform.sample.uid]);
    assert.match(textOf(signedIn ?? {}, 'userAgent'), /\w/u);
    assert.match(textOf(signedIn ?? {}, 'lastAccess'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
  });

  it('returns times in milliseconds if the switch says so', async () => {
    asked.platform.behaviour.accountTimes = 'milliseconds';
    const [session] = rowsOf(await asked.call('GetSessions'), 'sessions');
    assert.ok(Math.abs(Number(session?.['createdOn']) - Date.now()) < 60_000);
  });

  it('ends the session that signs out, and no other', async () => {
    const [first, second] = [await asked.platform.createSession(), await asked.platform.createSession()];
    assert.equal((await asked.call('Signout', { session: first })).result, 0);
    assert.equal((await asked.call('GetSessions', { session: first })).result, 702);
    assert.equal((await asked.call('GetSessions', { session: second })).result, 0);
  });

  it('lets an unused session expire, and masks it in the error', async () => {
    asked.platform.behaviour.sessionSeconds = 60;
    const session = await asked.platform.createSession();
    asked.platform.clock.advance(59_000);
    assert.equal((await asked.call('GetSessions', { session })).result, 0);
    asked.platform.clock.advance(61_000);
    const answer = await asked.call('GetSessions', { session });
    assert.equal(answer.result, 702);
    assert.ok(!textOf(answer, 'error').includes(session));
    assert.ok(textOf(answer, 'error').includes(`${session.slice(0, 2)}***`));
  });

  it('checks for the session before anything else', async () => {
    const answer = await post(asked.platform.origin, 'GetSessions', {});
    assert.deepEqual([answer.result, answer['error']], [3, 'invalid parameter [session]']);
  });

  it('stores neither password nor session in readable form on disk', async () => {
    const { email, password } = asked.platform.sample;
    const session = textOf(await signin(email, password), 'session');
    const kept = await readFile(join(asked.platform.dataFolder, 'accounts.json'), 'utf8');
    assert.ok(kept.includes(email));
    assert.ok(!kept.includes(password) && !kept.includes(session));
  });
});
