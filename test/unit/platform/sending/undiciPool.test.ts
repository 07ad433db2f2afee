import assert from 'node:assert/strict';
import { chooseProxy, openPool } from '../../../../src/platform/sending/undiciPool';
import { type ConnectProxy, startConnectProxy } from '../connectProxy';
import { type ScriptedServer, startTlsServer } from '../scriptedServer';
import { clientFor, failureOf } from '../setUp';

const place = { envName: 'demo', session: 'a-very-secret-session', path: '/f' };

describe('an untrusted certificate', () => {
  let server: ScriptedServer;
  before(async () => {
    server = await startTlsServer();
  });
  after(() => server.close());

  it('is rejected before anything is sent', async () => {
    const pool = openPool({ proxyFor: () => undefined, checkCertificates: true });
    const { client } = clientFor(server.url, { send: pool.send });
    const error = await failureOf(client.call('Write', place));
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.obstacle, 'certificate');
    assert.equal(error.isOutcomeUnknown, false);
    assert.equal(server.arrived.length, 0);
    await pool.close();
  });

  it('is accepted if the user turned off the check', async () => {
    const pool = openPool({ proxyFor: () => undefined, checkCertificates: false });
    const { client } = clientFor(server.url, { send: pool.send });
    await client.call('Write', place);
    assert.equal(server.arrived.length, 1);
    await pool.close();
  });
});

describe('a proxy', () => {
  const platform = 'https://platform.test';
  let server: ScriptedServer;
  let proxy: ConnectProxy;

  beforeEach(async () => {
    server = await startTlsServer();
  });

  afterEach(async () => {
    await proxy.close();
    await server.close();
  });

  const throughProxy = (settings: { proxyAuthorization?: string; environment?: Record<string, string> } = {}) =>
    openPool({
      proxyFor: chooseProxy({
        proxy: settings.environment === undefined ? proxy.url : '',
        environment: {},
        ...settings,
      }),
      checkCertificates: false,
      proxyAuthorization: settings.proxyAuthorization,
    });

  it('from the settings carries everything through an encrypted tunnel', async () => {
    proxy = await startConnectProxy(server.port);
    const pool = throughProxy();
    const { client } = clientFor(platform, { send: pool.send });
    await client.call('Write', { ...place, body: 'text' });
    await client.call('Write', { ...place, body: 'more' });
    assert.deepEqual(proxy.tunnels, [{ target: 'platform.test:443', authorization: undefined }]);
    assert.equal(server.arrived.length, 2);
    assert.equal(server.arrived[0]?.headers.host, 'platform.test');
    assert.equal(server.arrived[0].headers['proxy-authorization'], undefined);
    await pool.close();
  });

  it('from the environment does too', async () => {
    proxy = await startConnectProxy(server.port);
    const pool = throughProxy({ environment: { HTTPS_PROXY: proxy.url } });
    const { client } = clientFor(platform, { send: pool.send });
    await client.call('Write', place);
    assert.equal(proxy.tunnels.length, 1);
    await pool.close();
  });

  it('that requires credentials gets the authorization from the settings', async () => {
    proxy = await startConnectProxy(server.port, { requires: 'Basic bWU6cHc=' });
    const pool = throughProxy({ proxyAuthorization: 'Basic bWU6cHc=' });
    const { client } = clientFor(platform, { send: pool.send });
    await client.call('Write', place);
    assert.equal(server.arrived.length, 1);
    assert.equal(server.arrived[0]?.headers['proxy-authorization'], undefined);
    await pool.close();
  });

  it('that denies access makes the platform unreachable', async () => {
    proxy = await startConnectProxy(server.port, { requires: 'Basic bWU6cHc=' });
    const pool = throughProxy();
    const { client } = clientFor(platform, { send: pool.send });
    const error = await failureOf(client.call('Write', place));
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.isOutcomeUnknown, false);
    assert.equal(server.arrived.length, 0);
    await pool.close();
  });

  it('that speaks SOCKS gets no request, so that none goes past it', async () => {
    const pool = openPool({ proxyFor: () => proxy.url.replace('http:', 'socks5:'), checkCertificates: false });
    const { client } = clientFor(server.url, { send: pool.send });
    const error = await failureOf(client.call('Write', place));
    assert.equal(error.kind, 'unreachable');
    assert.equal(error.isOutcomeUnknown, false);
    assert.equal(server.arrived.length, 0);
    await pool.close();
  });

  it("doesn't replace the check of the platform's certificate", async () => {
    proxy = await startConnectProxy(server.port);
    const pool = openPool({ proxyFor: () => proxy.url, checkCertificates: true });
    const { client } = clientFor(platform, { send: pool.send });
    const error = await failureOf(client.call('Write', place));
    assert.equal(error.obstacle, 'certificate');
    assert.equal(server.arrived.length, 0);
    await pool.close();
  });

  it("isn't used for an exception", async () => {
    proxy = await startConnectProxy(server.port);
    const pool = openPool({
      proxyFor: chooseProxy({ proxy: proxy.url, noProxy: ['127.0.0.1'], environment: {} }),
      checkCertificates: false,
    });
    const { client } = clientFor(server.url, { send: pool.send });
    await client.call('Write', place);
    assert.equal(proxy.tunnels.length, 0);
    await pool.close();
  });
});
