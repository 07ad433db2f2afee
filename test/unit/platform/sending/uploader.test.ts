import assert from 'node:assert/strict';
import type { SenderPool } from '../../../../src/platform/sending/sender';
import { type ScriptedServer, startScriptedServer } from '../scriptedServer';
import { clientFor, openDirectPool } from '../setUp';

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
});
