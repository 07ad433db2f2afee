import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { renewToken } from '../../../src/accounts/passwordOperations';
import { Unlocking } from '../../../src/accounts/unlocking';
import { isPlatformError } from '../../../src/platform/errors';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { PersonsAccounts } from '../support/personsAccounts';

const day = 24 * 60 * 60 * 1000;

describe('renewing a token', () => {
  let platform: LocalPlatform;
  let person: PersonsAccounts;
  let unlocking: Unlocking;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
  });

  beforeEach(async () => {
    person = new PersonsAccounts();
    const token = await platform.createToken({ description: 'test', apiList: ['environment.file.GetList'] });
    await person.accounts.add({ slug: 'a', label: 'A', address: platform.origin, transport: 'form', token });
    unlocking = new Unlocking({
      stored: (slug) => person.accounts.stored(slug),
      connect: (account) => person.connections.open(account),
    });
  });

  afterEach(async () => {
    await unlocking.lockAll();
    unlocking.dispose();
    person.dispose();
  });

  after(() => platform.dispose());

  const locked = (error: unknown) => isPlatformError(error) && error.kind === 'unauthenticated';

  it('gives it a new expiration date and a new value, and keeps its permissions', async () => {
    const work = await unlocking.unlock('a', platform.sample.email, platform.sample.password);
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
