import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { SenderPool } from '../../../../src/platform/sending/sender';
import { type ScriptedServer, startScriptedServer } from '../scriptedServer';
import { limit } from '../../../host/limits';
import { listenOnLoopback } from '../../../localPlatform/server/loopback';
import { clientFor, failureOf, openDirectPool } from '../setUp';

describe('an upload', () => {
  let server: ScriptedServer;
  let pool: SenderPool;

  before(() => {
    pool = openDirectPool();
  });
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  after(() => pool.close());

  it("sends bytes in the format of the platform's uploader", async () => {
    server.answer('{"result":0,"file":"http://h/xssu/rest/download/1","name":"x.jar","size":5}');
    const bytes = new Uint8Array([0, 255, 13, 10, 128]);
    const { client, traffic } = clientFor(server.url, { send: pool.send });
    const uploaded = await client.upload({ session: 's-1', name: 'x "1"\r\n.jar', bytes });
    assert.deepEqual(uploaded, { file: 'http://h/xssu/rest/download/1', name: 'x.jar', size: 5 });
    const { url, headers, body } = server.arrived[0] ?? {};
    assert.equal(url, '/1.0/storage/uploader/rest/upload');
    assert.match(headers?.['content-type'] ?? '', /^multipart\/form-data; boundary=[\w-]+$/);
    assert.match(body ?? '', /name="session"\r\n\r\ns-1\r\n/);
    assert.match(body ?? '', /filename="x %221%22%0D%0A.jar"/);
    assert.equal(traffic[0]?.operation, 'Uploader');
  });

  /** Longer than what the system takes before a server reads any of it. */
  const large = new Uint8Array(48 * 1024 * 1024);

  /** Reads some of a body again and again, until the end or for as often as given. */
  async function startSlowReader(most: number): Promise<{ readonly url: string; close(): void }> {
    const slow = createServer((request, response) => {
      let [times, bytes] = [0, 0];
      request.on('data', (part: Buffer) => {
        bytes += part.byteLength;
        if (bytes > 512 * 1024) request.pause();
      });
      const timer = setInterval(() => {
        times += 1;
        bytes = 0;
        if (times < most) request.resume();
      }, limit(40));
      request.on('close', () => clearInterval(timer));
      request.on('end', () => response.end('{"result":0,"file":"http://h/1"}'));
    });
    const port = await listenOnLoopback(slow);
    return {
      url: `http://127.0.0.1:${port}`,
      close: () => {
        slow.closeAllConnections();
        slow.close();
      },
    };
  }

  it('may take longer than its timeout as long as more of it is sent', async () => {
    const slow = await startSlowReader(Number.POSITIVE_INFINITY);
    const { client } = clientFor(slow.url, { send: pool.send });
    const parameters = { session: 's-1', name: 'x', bytes: large };
    // Long enough for a pause of this process between two parts, and shorter than all of them take.
    const deadline = limit(2_000);
    const began = performance.now();
    try {
      assert.equal((await client.upload(parameters, { deadline })).file, 'http://h/1');
      assert.ok(performance.now() - began > deadline, 'it was too fast');
    } finally {
      slow.close();
    }
  }).timeout(limit(30_000));

  it('ends if nothing more of it is sent', async () => {
    const slow = await startSlowReader(3);
    const { client } = clientFor(slow.url, { send: pool.send });
    const parameters = { session: 's-1', name: 'x', bytes: large };
    try {
      assert.equal((await failureOf(client.upload(parameters, { deadline: limit(400) }))).kind, 'timeout');
    } finally {
      slow.close();
    }
  }).timeout(limit(20_000));
});
