import assert from 'node:assert/strict';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, pathOf } from './requests';

describe('local platform: defenses', () => {
  const asked = onStageEachTime(new AskedScene());
  /** Sends Node's own request, because fetch can't set these headers. */
  const status = (
    path: string,
    headers: OutgoingHttpHeaders,
    method = 'POST',
  ): Promise<[number, OutgoingHttpHeaders]> =>
    new Promise((resolve, reject) => {
      request(asked.platform.origin + path, { method, headers, agent: false }, (response) => {
        response.resume();
        resolve([response.statusCode ?? 0, response.headers]);
      })
        .on('error', reject)
        .end();
    });
  const port = (): string => new URL(asked.platform.origin).port;

  const paths = [pathOf('GetEnvs'), pathOf('Update'), '/control/journal', '/1.0/storage/uploader/rest/upload'];

  it('listens on the loopback address', () => {
    assert.equal(new URL(asked.platform.origin).hostname, '127.0.0.1');
  });

  it('accepts its own loopback names', async () => {
    const own = port();
    for (const host of [`127.0.0.1:${own}`, `localhost:${own}`, `[::1]:${own}`]) {
      assert.equal((await status(pathOf('GetEnvs'), { host }))[0], 200, host);
    }
  });

  it('rejects every request with a foreign Host', async () => {
    const own = port();
    for (const host of [
      'gantry.example',
      `gantry.example:${own}`,
      `127.0.0.1.gantry.example:${own}`,
      '127.0.0.1',
      'localhost:1',
      `10.0.0.1:${own}`,
    ]) {
      for (const path of paths) assert.equal((await status(path, { host }))[0], 403, `${host} ${path}`);
    }
    assert.deepEqual(asked.platform.journal.arrivals, []);
  });

  it('rejects a foreign Origin and pages of other sites', async () => {
    const own = port();
    for (const origin of [
      'http://gantry.example',
      'null',
      `https://127.0.0.1:${own}`,
      'http://127.0.0.1:1',
      `http://localhost.gantry.example:${own}`,
    ]) {
      for (const path of paths) assert.equal((await status(path, { origin }))[0], 403, `${origin} ${path}`);
    }
    for (const site of ['cross-site', 'same-site']) {
      assert.equal((await status('/control/journal', { 'sec-fetch-site': site }, 'GET'))[0], 403, site);
    }
    assert.equal(
      (await status(pathOf('GetEnvs'), { origin: `http://localhost:${own}`, 'sec-fetch-site': 'same-origin' }))[0],
      200,
    );
  });

  it('sends no CORS headers, even in preflight responses', async () => {
    const own = port();
    const [answered, headers] = await status(pathOf('GetEnvs'), { origin: `http://localhost:${own}` }, 'OPTIONS');
    assert.equal(answered, 405);
    for (const headersOf of [headers, (await status(pathOf('GetEnvs'), {}))[1]]) {
      assert.deepEqual(
        Object.keys(headersOf).filter((name) => name.startsWith('access-control')),
        [],
      );
    }
  });

  it('has a fresh sample password at each start', async () => {
    const other = new AskedScene();
    await other.start();
    try {
      assert.notEqual(other.platform.sample.password, asked.platform.sample.password);
      assert.ok(asked.platform.sample.password.length >= 12);
    } finally {
      await other.end();
    }
  });
});
