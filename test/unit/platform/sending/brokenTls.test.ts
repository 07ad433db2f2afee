import assert from 'node:assert/strict';
import { openPool } from '../../../../src/platform/sending/undiciPool';
import type { SenderPool } from '../../../../src/platform/sending/sender';
import { limit } from '../../../host/limits';
import { startConnectProxy } from '../connectProxy';
import { type ScriptedServer, startScriptedServer, startTlsServer } from '../scriptedServer';
import { clientFor, failureOf } from '../setUp';
import { startTlsRelay, type TlsRelay } from '../tlsRelay';

const place = { envName: 'demo', session: 'a-very-secret-session', path: '/f' };
/** Longer than any step takes but shorter than the test timeout, so only a hanging call reaches it. */
const deadline = limit(1_500);

describe('an encrypted connection that breaks', () => {
  let server: ScriptedServer;
  let relay: TlsRelay;
  let pool: SenderPool;

  beforeEach(async () => {
    server = await startTlsServer();
    relay = await startTlsRelay(server.port);
    server.answer(() => relay.intercept('no encrypted record'));
  });

  afterEach(async () => {
    await pool.close();
    await relay.close();
    await server.close();
  });

  const open = (proxy?: string) => openPool({ proxyFor: () => proxy, checkCertificates: false });

  it('leaves the result of a sent write unknown, and is detected immediately', async () => {
    pool = open();
    const { client } = clientFor(`https://127.0.0.1:${relay.port}`, { send: pool.send });
    const error = await failureOf(client.call('Write', place, { deadline }));
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.obstacle, undefined);
    assert.equal(error.isOutcomeUnknown, true);
    assert.equal(server.arrived.length, 1);
  });

  it('is detected behind a proxy too', async () => {
    const proxy = await startConnectProxy(relay.port);
    pool = open(proxy.url);
    const { client } = clientFor('https://platform.test', { send: pool.send });
    const error = await failureOf(client.call('Write', place, { deadline }));
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.isOutcomeUnknown, true);
    await proxy.close();
  });

  it('is reopened for a read', async () => {
    pool = open();
    let requests = 0;
    server.answer((_, response) => {
      requests += 1;
      if (requests === 1) relay.intercept('no encrypted record');
      else response.end('{"result":0,"body":"text"}');
    });
    const { client } = clientFor(`https://127.0.0.1:${relay.port}`, { send: pool.send });
    assert.equal((await client.call('Read', place, { deadline })).body, 'text');
  });

  it('leaves no doubt if nothing was sent yet', async () => {
    const unencrypted = await startScriptedServer();
    pool = open();
    const { client } = clientFor(`https://127.0.0.1:${unencrypted.port}`, { send: pool.send });
    const error = await failureOf(client.call('Write', place, { deadline }));
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.isOutcomeUnknown, false);
    assert.equal(unencrypted.arrived.length, 0);
    await unencrypted.close();
  });
});
