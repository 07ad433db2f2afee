import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { StoredAccount } from '../../../../src/accounts/storedAccount';
import { neededMethods } from '../../../../src/accounts/tokenRights';
import { asksSecondFactor } from '../../../../src/accounts/passwordOperations';
import { CannotCreateTokens, type Credentials } from '../../../../src/features/signIn/credentials';
import { signIn } from '../../support/signIn';
import { parseAddress, type PlatformAddress } from '../../../../src/platform/address';
import { isPlatformError, type PlatformError } from '../../../../src/platform/errors';
import { behaviourSchema, usualBehaviour } from '../../../localPlatform/behaviour';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { PersonsAccounts } from '../../support/personsAccounts';

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
    return signIn(await person.connections.connect(address), credentials, []);
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

  it('turns a password into a token with the template for editors, and keeps no session', async () => {
    const expiresAt = new Date(Date.now() + 90 * 24 * 60 * 60 * 1000);
    const stored = await enter(withPassword(expiresAt));
    const probing = ['GetTokenTemplates', 'GetTokenTemplates'];
    assert.deepEqual(asked(), [...probing, 'Signin', 'GetTokenTemplates', 'CreateToken', 'Signout']);
    const made = platform.journal.entries.find(({ operation }) => operation === 'CreateToken');
    assert.equal(made?.parameters['tokenTemplate'], 'IDE Plugins');
    assert.equal(made.parameters['description'], description);
    assert.equal(made.parameters['expiresAt'], expiresAt.toISOString().slice(0, 19).replace('T', ' '));
    assert.equal(stored.expiresAt, expiresAt.getTime());
    assert.equal(stored.login, platform.sample.email);
    assert.match(stored.token, /^[0-9a-f]{40}$/);
    assert.equal(openSessions(), 0);
    assert.equal(JSON.stringify(stored).includes(platform.sample.password), false);
  });

  it('creates a token with exactly the methods that Gantry needs if the template lacks one', async () => {
    const templates = [{ name: 'IDE Plugins', id: 3, apiList: ['environment.file.Read'] }];
    platform.faults.add({
      operation: 'GetTokenTemplates',
      nth: 3,
      fault: { kind: 'answer', body: JSON.stringify({ result: 0, templates }) },
    });
    await enter(withPassword());
    const made = platform.journal.entries.find(({ operation }) => operation === 'CreateToken');
    assert.equal(made?.parameters['tokenTemplate'], 'Custom');
    const { documentedMethods, undocumentedMethods, optionalMethods } = neededMethods;
    const needed = [...documentedMethods, ...undocumentedMethods, ...optionalMethods];
    assert.deepEqual(made.parameters['apiList']?.split(','), needed);
  });

  it("requests no methods that the platform doesn't have", async () => {
    const templates = [{ name: 'IDE Plugins', id: 3, apiList: [] }];
    const answer = (body: object) => ({ kind: 'answer', body: JSON.stringify({ result: 0, ...body }) }) as const;
    platform.faults.add({ operation: 'GetTokenTemplates', nth: 3, fault: answer({ templates }) });
    platform.faults.add({ operation: 'GetTokenApiList', fault: answer({ apiList: neededMethods.documentedMethods }) });
    await enter(withPassword());
    const made = platform.journal.entries.find(({ operation }) => operation === 'CreateToken');
    assert.deepEqual(made?.parameters['apiList']?.split(','), neededMethods.documentedMethods);
  });

  it("signs out the session even if the token couldn't be created", async () => {
    platform.faults.add({ operation: 'CreateToken', fault: { kind: 'gatewayError', status: 502 } });
    assert.equal((await failure(withPassword())).kind, 'unreachable');
    assert.equal(openSessions(), 0);
    platform.faults.add({ operation: 'GetTokenTemplates', nth: 3, fault: { kind: 'refuse', result: 99, error: 'no' } });
    await failure(withPassword());
    assert.equal(openSessions(), 0);
  });

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

  for (const methodLists of behaviourSchema.entries.methodLists.options) {
    it(`creates a token that can list environments even if the platform hides those methods (${methodLists})`, async () => {
      Object.assign(platform.behaviour, { methodLists, privateMethods: 'extras' });
      const templates = [{ name: 'IDE Plugins', id: 3, apiList: [] }];
      const fault = { kind: 'answer', body: JSON.stringify({ result: 0, templates }) } as const;
      platform.faults.add({ operation: 'GetTokenTemplates', nth: 3, fault });
      const { token } = await enter(withPassword());
      const environments = await person.connections.connect(address);
      assert.equal((await environments.callAs(token, 'GetEnvs', {})).environments.length, 2);
    });
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

  it('detects how parameters are accepted before it sends a secret, and puts no password into a URL without consent', async () => {
    platform.behaviour.transport = 'query';
    const client = await person.connections.connect(address);
    assert.equal(client.transport, 'query');
    await assert.rejects(
      signIn(client, withPassword(), []),
      (error) => isPlatformError(error) && error.kind === 'invalid',
    );
    assert.deepEqual(
      asked().filter((operation) => operation !== 'GetTokenTemplates'),
      [],
    );
    const agreed = await person.connections.connect(address, { transport: 'query', passwordsInUrl: true });
    const stored = await signIn(agreed, withPassword(), []);
    assert.equal(stored.transport, 'query');
    const signedIn = platform.journal.entries.find(({ operation }) => operation === 'Signin');
    assert.ok(signedIn?.inUrl.includes('password'));
  });

  it('identifies each problem with the connection', async () => {
    const page = { kind: 'answer', contentType: 'text/html', body: '<html><title>Dashboard</title></html>' } as const;
    platform.faults.add({ operation: '*', times: 'always', fault: page });
    assert.equal((await failure(withPassword())).obstacle, 'webPage');
    const nobody = parseAddress('http://127.0.0.1:9');
    assert.ok('ok' in nobody);
    await assert.rejects(
      person.connections.connect(nobody.ok),
      (error) => isPlatformError(error) && error.obstacle === 'refusedConnection',
    );
  });
});
