import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import { FollowedSettings } from '../../../src/accounts/connections';
import type { Credentials } from '../../../src/features/signIn/credentials';
import { parseAddress, type PlatformAddress } from '../../../src/platform/address';
import { isPlatformError } from '../../../src/platform/errors';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { PersonsAccounts } from '../support/personsAccounts';
import { signIn } from '../support/signIn';

describe('connections', () => {
  let platform: LocalPlatform;
  let person: PersonsAccounts;
  let address: PlatformAddress;
  let credentials: Credentials;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    const parsed = parseAddress(platform.origin);
    assert.ok('ok' in parsed);
    address = parsed.ok;
    const { email: login, password } = platform.sample;
    credentials = { kind: 'password', login, password, wanted: { description: 'test', expiresAt: undefined } };
  });

  beforeEach(() => {
    platform.journal.reset();
    person = new PersonsAccounts();
  });

  afterEach(() => {
    platform.faults.clear();
    person.dispose();
  });

  after(() => platform.dispose());

  it('sends nothing over plain HTTP to another computer unless the user allows it', async () => {
    const far = { baseUrl: 'http://app.hoster.example', host: 'app.hoster.example' };
    await assert.rejects(
      person.connections.connect(far),
      (error) => isPlatformError(error) && error.kind === 'invalid' && /[Pp]lain HTTP/.test(error.message),
    );
  });

  it("uses VS Code's own fetch if the settings say so", async () => {
    const other = new PersonsAccounts(undefined, { networkStack: 'vscode', transport: 'form' });
    try {
      const client = await other.connections.connect(address);
      assert.equal(platform.journal.entries.length, 0, 'a transport that is set is not probed');
      await signIn(client, credentials, []);
    } finally {
      other.dispose();
    }
  });

  it('applies changed settings while VS Code runs', async () => {
    const settings = new FollowedSettings();
    const gantrys = () => workspace.getConfiguration('gantry');
    try {
      assert.equal(settings.read().networkStack, 'own');
      await gantrys().update('networkStack', 'vscode', ConfigurationTarget.Global);
      await gantrys().update('requestTimeouts', { accounts: 7 }, ConfigurationTarget.Global);
      assert.equal(settings.read().networkStack, 'vscode');
      assert.equal(settings.read().requestTimeouts.accounts, 7_000);
    } finally {
      await gantrys().update('networkStack', undefined, ConfigurationTarget.Global);
      await gantrys().update('requestTimeouts', undefined, ConfigurationTarget.Global);
      settings.dispose();
    }
  });

  for (const networkStack of ['own', 'vscode'] as const) {
    it(`sends a change only once if a connection that was used before breaks: ${networkStack}`, async () => {
      const http = () => workspace.getConfiguration('http');
      // Only a desktop has Electron's fetch, which would send it again.
      await http().update('electronFetch', true, ConfigurationTarget.Global);
      const other = new PersonsAccounts(undefined, { networkStack, transport: 'form' });
      const used = new Set<Socket>();
      const arrived: string[] = [];
      const server = createServer((request, response) => {
        void text(request).then((body) => {
          arrived.push(new URLSearchParams(body).get('body') ?? '');
          // A request that breaks has arrived as a whole, and may have been carried out.
          if (used.has(request.socket)) request.socket.destroy();
          else response.end('{"result":0}');
          used.add(request.socket);
        });
      });
      try {
        const parsed = parseAddress(`http://127.0.0.1:${await listenOnLoopback(server)}`);
        assert.ok('ok' in parsed);
        const client = await other.connections.connect(parsed.ok);
        let writes = 0;
        const change = () =>
          client.call('Write', { envName: 'shop', session: 's', path: '/f', body: `text ${(writes += 1)}` });
        // A network stack may open several connections before it uses one again. VS Code's may never use one again.
        let failure: unknown;
        while (failure === undefined && writes < 20) {
          await change().catch((error: unknown) => {
            failure = error;
          });
        }
        assert.deepEqual(
          arrived,
          Array.from({ length: writes }, (_, index) => `text ${index + 1}`),
        );
        if (networkStack === 'own' || writes < 20) {
          assert.ok(isPlatformError(failure) && failure.isOutcomeUnknown, String(failure));
        } else {
          assert.equal(used.size, writes, 'a connection for each');
        }
      } finally {
        await http().update('electronFetch', undefined, ConfigurationTarget.Global);
        other.dispose();
        server.close();
        server.closeAllConnections();
      }
    });
  }

  it('gives up after the timeout in the settings', async () => {
    const other = new PersonsAccounts(undefined, { requestTimeouts: { accounts: 50 }, transport: 'form' });
    platform.faults.add({ operation: 'Signin', times: 'always', fault: { kind: 'hang' } });
    try {
      const client = await other.connections.connect(address);
      await assert.rejects(
        signIn(client, credentials, []),
        (error) => isPlatformError(error) && error.kind === 'timeout' && error.isOutcomeUnknown,
      );
    } finally {
      other.dispose();
    }
  });
});
