import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { type Credentials, asksSecondFactor } from '../../../src/accounts/signIn';
import { signIn } from '../support/signIn';
import { CannotCreateTokens } from '../../../src/accounts/createToken';
import { parseAddress, type PlatformAddress } from '../../../src/platform/address';
import { isPlatformError, type PlatformError } from '../../../src/platform/errors';
import { behaviourSchema, usualBehaviour } from '../../localPlatform/behaviour';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { PersonsAccounts } from '../support/personsAccounts';

const description = 'Gantry, VS Code on a machine';

describe('signing in', () => {
  let platform: LocalPlatform;
  let person: PersonsAccounts;
  let address: PlatformAddress;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    const parsed = parseAddress(platform.origin);
    assert.ok('ok' in parsed);
    address = parsed.ok;
  });

  beforeEach(() => {
    platform.journal.reset();
    Object.assign(platform.behaviour, usualBehaviour);
    person = new PersonsAccounts();
  });

  afterEach(() => {
    platform.faults.clear();
    person.dispose();
  });

  after(() => platform.dispose());

  const withPassword = (expiresAt?: Date, login = platform.sample.email, password = platform.sample.password) =>
    ({ kind: 'password', login, password, wanted: { description, expiresAt } }) as const satisfies Credentials;
  const withToken = (token: string) => ({ kind: 'token', token, name: '' }) as const;

  async function enter(credentials: Credentials): Promise<StoredAccount> {
    return signIn(await person.connections.reach(address), credentials, []);
  }

  const asked = () => platform.journal.entries.map(({ operation }) => operation);
  /** Checks the session that Signin opened one last time: 702 says that it has ended. */
  const openSessions = () => platform.journal.count(({ operation }) => operation === 'Signin') - ended();
  const ended = () => platform.journal.entries.filter((e) => e.operation === 'Signout' && e.result === 0).length;

  async function failure(credentials: Credentials): Promise<PlatformError> {
    const error: unknown = await enter(credentials).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(isPlatformError(error), String(error));
    return error;
  }

  it("distinguishes an account with a second factor, and one that can't create tokens, from a wrong password", async () => {
    const twoFactor = { email: 'two@factors.example', password: 'pw-of-two-factors' };
    await platform.addUser({ ...twoFactor, authType: 'TFA' });
    const second = await failure(withPassword(undefined, twoFactor.email, twoFactor.password));
    assert.ok(asksSecondFactor(second));

    platform.faults.add({ operation: 'CreateToken', fault: { kind: 'refuse', result: 8, error: 'permission denied' } });
    assert.ok((await failure(withPassword())) instanceof CannotCreateTokens);
    assert.equal(openSessions() - 1, 0, 'the sign-in with a second factor opened none');

    const wrong = await failure(withPassword(undefined, platform.sample.email, 'wrong-password'));
    assert.equal(wrong.result, 701);
    assert.equal(wrong.message.includes('wrong-password'), false);
  });

  for (const secondFactor of behaviourSchema.entries.secondFactor.options) {
    for (const enums of behaviourSchema.entries.enums.options) {
      it(`says that the account uses two-factor authentication, with or without a session (${secondFactor}, ${enums})`, async () => {
        Object.assign(platform.behaviour, { secondFactor, enums });
        const login = `two-${secondFactor}-${enums}@factors.example`;
        await platform.addUser({ email: login, password: 'pw-of-two-factors', authType: 'TFA' });
        assert.ok(asksSecondFactor(await failure(withPassword(undefined, login, 'pw-of-two-factors'))));
        assert.ok(!asked().includes('CreateToken'));
      });
    }
  }

  it('accepts any token that the platform knows, whatever it permits', async () => {
    const token = await platform.createToken({ description: 'narrow', apiList: ['environment.file.Read'] });
    assert.equal((await enter(withToken(token))).token, token);
    assert.equal((await failure(withToken('0'.repeat(40)))).result, 702);
    platform.faults.add({
      operation: 'GetTokenTemplates',
      nth: 3,
      fault: { kind: 'refuse', result: 3, error: 'invalid parameter [session]' },
    });
    assert.equal((await failure(withToken('too short'))).kind, 'invalid');
  });
});
