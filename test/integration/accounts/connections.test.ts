import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { FollowedSettings } from '../../../src/accounts/connections';
import { type Credentials } from '../../../src/accounts/signIn';
import { signIn } from '../support/signIn';
import { parseAddress, type PlatformAddress } from '../../../src/platform/address';
import { isPlatformError, type PlatformError } from '../../../src/platform/errors';
import { usualBehaviour } from '../../localPlatform/behaviour';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { PersonsAccounts } from '../support/personsAccounts';

const description = 'Gantry, VS Code on a machine';

describe('connections to platforms', () => {
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

  async function enter(credentials: Credentials): Promise<StoredAccount> {
    return signIn(await person.connections.reach(address), credentials, []);
  }

  const asked = () => platform.journal.entries.map(({ operation }) => operation);

  async function failure(credentials: Credentials): Promise<PlatformError> {
    const error: unknown = await enter(credentials).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(isPlatformError(error), String(error));
    return error;
  }

  it('detects how parameters are accepted before it sends a secret, and puts no password into a URL without consent', async () => {
    platform.behaviour.transport = 'query';
    const client = await person.connections.reach(address);
    assert.equal(client.transport, 'query');
    await assert.rejects(
      signIn(client, withPassword(), []),
      (error) => isPlatformError(error) && error.kind === 'invalid',
    );
    assert.deepEqual(
      asked().filter((operation) => operation !== 'GetTokenTemplates'),
      [],
    );
    const agreed = await person.connections.reach(address, { transport: 'query', passwordsInUrl: true });
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
      person.connections.reach(nobody.ok),
      (error) => isPlatformError(error) && error.obstacle === 'refusedConnection',
    );
  });

  it('sends nothing over plain HTTP to another computer unless the user allows it', async () => {
    const far = { baseUrl: 'http://app.hoster.example', host: 'app.hoster.example' };
    await assert.rejects(
      person.connections.reach(far),
      (error) => isPlatformError(error) && error.kind === 'invalid' && /[Pp]lain HTTP/.test(error.message),
    );
  });

  it("uses VS Code's own fetch if the settings say so", async () => {
    const other = new PersonsAccounts(undefined, { sender: 'vscode', transport: 'form' });
    try {
      const client = await other.connections.reach(address);
      assert.equal(asked().length, 0, 'a transport that is set is not probed');
      await signIn(client, withPassword(), []);
    } finally {
      other.dispose();
    }
  });

  it('applies changed settings while VS Code runs', async () => {
    const settings = new FollowedSettings();
    const gantrys = () => workspace.getConfiguration('gantry');
    try {
      assert.equal(settings.read().sender, 'own');
      await gantrys().update('sender', 'vscode', ConfigurationTarget.Global);
      await gantrys().update('deadlines', { accounts: 7 }, ConfigurationTarget.Global);
      assert.equal(settings.read().sender, 'vscode');
      assert.equal(settings.read().deadlines.accounts, 7_000);
    } finally {
      await gantrys().update('sender', undefined, ConfigurationTarget.Global);
      await gantrys().update('deadlines', undefined, ConfigurationTarget.Global);
      settings.dispose();
    }
  });

  it('gives up after the timeout in the settings', async () => {
    const isEnterPending = new PersonsAccounts(undefined, { deadlines: { accounts: 50 }, transport: 'form' });
    platform.faults.add({ operation: 'Signin', times: 'always', fault: { kind: 'hang' } });
    try {
      const client = await isEnterPending.connections.reach(address);
      await assert.rejects(
        signIn(client, withPassword(), []),
        (error) => isPlatformError(error) && error.kind === 'timeout' && error.isOutcomeUnknown,
      );
    } finally {
      isEnterPending.dispose();
    }
  });
});
