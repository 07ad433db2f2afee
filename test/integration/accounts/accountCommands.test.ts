import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { renewToken } from '../../../src/accounts/tokens';
import { Unlocking } from '../../../src/accounts/unlocking';
import { isPlatformError } from '../../../src/platform/errors';
import { accountScene, type PersonsAccounts } from '../support/personsAccounts';

const day = 24 * 60 * 60 * 1000;

describe('renewing a token', () => {
  const scene = accountScene();
  let person: PersonsAccounts;
  let unlocking: Unlocking;

  beforeEach(async () => {
    person = scene.open();
    await scene.signIn(person, { description: 'test', apiList: ['environment.file.GetList'] });
    unlocking = new Unlocking({
      stored: (slug) => person.accounts.stored(slug),
      connect: (account) => person.connections.open(account),
    });
  });

  afterEach(async () => {
    await unlocking.lockAll();
    unlocking.dispose();
  });

  const locked = (error: unknown) => isPlatformError(error) && error.kind === 'unauthenticated';

  it('gives it a new expiration date and a new value, and keeps its permissions', async () => {
    const work = await unlocking.unlock('a', scene.platform.sample.email, scene.platform.sample.password);
    const made = await work.createToken({ description: 'Gantry', apiList: 'environment.file.GetList' });
    await person.accounts.replaceToken('a', { token: made.key, tokenId: made.id, tokenTemplate: 'Custom' });
    const stored = await person.accounts.stored('a');
    assert.ok(stored);

    const end = new Date(Date.now() + 30 * day);
    await person.accounts.replaceToken('a', await renewToken(work, stored, end));
    const account = person.accounts.find('a');
    assert.ok(Math.abs((account?.expiresAt?.getTime() ?? 0) - end.getTime()) < 1000);
    assert.ok(await account?.call('GetList', { envName: 'shop', nodeGroup: 'cp', path: '/' }));
    const listed = (await work.getTokens()).find(({ id }) => id === made.id);
    assert.deepEqual(listed?.apiList, ['environment.file.GetList']);
    await assert.rejects(person.connections.open(stored).callAs(stored.token, 'GetList', { envName: 'shop' }), locked);
  });
});
