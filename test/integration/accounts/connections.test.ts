import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import { FollowedSettings } from '../../../src/accounts/connections';
import type { Credentials } from '../../../src/features/signIn/credentials';
import { parseAddress } from '../../../src/platform/address';
import { isPlatformError } from '../../../src/platform/errors';
import type { createFetchSender } from '../../../src/platform/sending/fetchSender';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { accountScene } from '../support/personsAccounts';
import { signIn } from '../support/signIn';

describe('connections', () => {
  const scene = accountScene();
  let credentials: Credentials;

  before(() => {
    const { email: login, password } = scene.platform.sample;
    credentials = { kind: 'password', login, password, wanted: { description: 'test', expiresAt: undefined } };
  });

  beforeEach(() => scene.platform.journal.reset());

  it('sends nothing over plain HTTP to another computer unless the user allows it', async () => {
    const far = { baseUrl: 'http://app.hoster.example', host: 'app.hoster.example' };
    await assert.rejects(
      scene.open().connections.connect(far),
      (error) => isPlatformError(error) && error.kind === 'invalid' && /[Pp]lain HTTP/.test(error.message),
    );
  });

  it('detects how parameters are accepted before it sends a secret, and puts no password into a URL without consent', async () => {
    scene.platform.behaviour.transport = 'query';
    const { connections } = scene.open();
    const client = await connections.connect(scene.address);
    assert.equal(client.transport, 'query');
    await assert.rejects(
      signIn(client, credentials, []),
      (error) => isPlatformError(error) && error.kind === 'invalid',
    );
    assert.deepEqual(
      scene.requests().filter((operation) => operation !== 'GetTokenTemplates'),
      [],
    );
    const agreed = await connections.connect(scene.address, { transport: 'query', passwordsInUrl: true });
    const stored = await signIn(agreed, credentials, []);
    assert.equal(stored.transport, 'query');
    const signedIn = scene.platform.journal.entries.find(({ operation }) => operation === 'Signin');
    assert.ok(signedIn?.inUrl.includes('password'));
  });

  it('tells an address where nobody listens from other problems', async () => {
    const nobody = parseAddress('http://127.0.0.1:9');
    assert.ok('ok' in nobody);
    await assert.rejects(
      scene.open().connections.connect(nobody.ok),
      (error) => isPlatformError(error) && error.obstacle === 'refusedConnection',
    );
  });

  it("uses VS Code's own fetch if the settings say so", async () => {
    const { connections } = scene.open(undefined, { networkStack: 'vscode', transport: 'form' });
    const client = await connections.connect(scene.address);
    assert.deepEqual(scene.requests(), [], 'a transport that is set is not probed');
    await signIn(client, credentials, []);
  });

  it("sends no more requests at once than the settings say, through VS Code's own fetch, too", async () => {
    const { fetch: usual } = globalThis;
    let [underway, peak] = [0, 0];
    const counting: Parameters<typeof createFetchSender>[0] = (url, options) => {
      underway += 1;
      peak = Math.max(peak, underway);
      return usual(url, options).finally(() => (underway -= 1));
    };
    Object.assign(globalThis, { fetch: counting });
    try {
      const account = await scene.signIn(scene.open(undefined, { networkStack: 'vscode', maxConnections: 2 }));
      await Promise.all(Array.from({ length: 8 }, () => account.call('GetEnvs', {})));
    } finally {
      Object.assign(globalThis, { fetch: usual });
    }
    assert.equal(peak, 2);
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
      const { connections } = scene.open(undefined, { networkStack, transport: 'form' });
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
        const client = await connections.connect(parsed.ok);
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
        server.close();
        server.closeAllConnections();
      }
    });
  }

  it('gives up after the timeout in the settings', async () => {
    const { connections } = scene.open(undefined, { requestTimeouts: { accounts: 50 }, transport: 'form' });
    scene.hang('Signin', { times: 'always' });
    const client = await connections.connect(scene.address);
    await assert.rejects(
      signIn(client, credentials, []),
      (error) => isPlatformError(error) && error.kind === 'timeout' && error.isOutcomeUnknown,
    );
  });
});
