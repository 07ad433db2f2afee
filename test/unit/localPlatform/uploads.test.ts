import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, isReply, rowsOf, textOf, type Reply } from './requests';

const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 0xc3]);

describe('local platform: uploads', () => {
  const asked = onStageEachTime(new AskedScene());
  const first = asked.disk('cp');
  const second = asked.disk('cp', 1);
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    const port = await listenOnLoopback(server);
    closing.push(() => new Promise((closed) => server.close(() => closed())));
    return `http://127.0.0.1:${port}`;
  };

  const upload = (sourcePath: string, more: Parameters<AskedScene['call']>[1] = {}): Promise<Reply> =>
    asked.call('Upload', { sourcePath, destPath: '/srv/file', ...more });

  const send = async (form: FormData): Promise<Reply> => {
    const response = await fetch(`${asked.platform.origin}/1.0/storage/uploader/rest/upload`, {
      method: 'POST',
      body: form,
    });
    const answer: unknown = await response.json();
    assert.ok(isReply(answer));
    return answer;
  };

  const formWith = (session: string, file?: Blob): FormData => {
    const form = new FormData();
    form.set('fid', '123');
    form.set('session', session);
    if (file !== undefined) form.set('file', file, 'x.jar');
    return form;
  };

  it('fetches a URL and stores its bytes on every node', async () => {
    const origin = await serve((_, response) => response.end(bytes));
    const answer = await upload(`${origin}/x`);
    assert.equal(answer.result, 0);
    assert.deepEqual(
      rowsOf(answer, 'responses').map(({ nodeid }) => nodeid),
      [first.id, second.id],
    );
    assert.deepEqual([await first.bytes('/srv/file'), await second.bytes('/srv/file')], [bytes, bytes]);
  });

  it('skips an existing file unless overwrite is true', async () => {
    const origin = await serve((_, response) => response.end('new'));
    await first.put('/srv/file', 'old');
    await upload(origin, { overwrite: false });
    assert.deepEqual([await first.text('/srv/file'), await second.text('/srv/file')], ['old', 'new']);
    await upload(origin);
    assert.equal(await first.text('/srv/file'), 'old');
    await upload(origin, { overwrite: true });
    assert.equal(await first.text('/srv/file'), 'new');
  });

  it("fails if it can't write or fetch", async () => {
    const origin = await serve((request, response) => response.writeHead(request.url === '/no' ? 404 : 200).end('x'));
    const closed = await serve(() => undefined);
    await closing.pop()?.();
    assert.equal((await upload(origin, { destPath: '/etc/file' })).result, 4037);
    assert.equal((await upload(origin, { destPath: '/srv/none/file' })).result, 4035);
    assert.equal((await upload(origin, { destPath: '/srv', overwrite: true })).result, 99);
    assert.equal((await upload(`${origin}/no`)).result, 99);
    assert.equal((await upload(closed)).result, 99);
  });

  it('fetches only from this computer, even after redirects', async () => {
    const away = await serve((_, response) => response.writeHead(302, { location: 'http://gantry.example/x' }).end());
    const round = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    const near = await serve((_, response) => response.end('near'));
    const hop = await serve((_, response) => response.writeHead(301, { location: `${near}/x` }).end());
    for (const address of [
      'http://gantry.example/x',
      'http://10.0.0.1/x',
      'http://127.0.0.1.gantry.example/x',
      'https://127.0.0.1/x',
      'file:///etc/passwd',
      'ftp://127.0.0.1/x',
      '/etc/passwd',
      away,
    ]) {
      assert.equal((await upload(address)).result, 3, address);
    }
    assert.equal((await upload(round)).result, 99);
    assert.equal((await upload(hop)).result, 0);
    assert.equal(await first.text('/srv/file'), 'near');
  });

  it('accepts a multipart file and serves it to Upload', async () => {
    const session = await asked.platform.createToken({ description: 'up', apiList: ['storage.uploader.Upload'] });
    const answer = await send(formWith(session, new Blob([bytes])));
    assert.deepEqual([answer.result, answer['name'], answer['size']], [0, 'x.jar', bytes.length]);
    assert.equal((await upload(textOf(answer, 'file'))).result, 0);
    assert.deepEqual(await first.bytes('/srv/file'), bytes);
  });

  it('rejects an upload without a session, file, or permission', async () => {
    const narrow = await asked.platform.createToken({ description: 'narrow', apiList: ['environment.file.Read'] });
    const file = new Blob(['x']);
    assert.equal((await send(formWith('', file))).result, 3);
    assert.equal((await send(formWith('x'.repeat(36), file))).result, 702);
    assert.equal((await send(formWith(narrow, file))).result, 8202);
    assert.equal((await send(formWith(await asked.platform.createSession()))).result, 3);
  });

  it('accepts a boundary only as the last parameter, and no incomplete body', async () => {
    const post = async (contentType: string, body: string): Promise<number> => {
      const headers = { 'content-type': contentType };
      return (
        await fetch(`${asked.platform.origin}/1.0/storage/uploader/rest/upload`, { method: 'POST', headers, body })
      ).status;
    };
    const part = '--b\r\nContent-Disposition: form-data; name="session"\r\n\r\nx\r\n';
    assert.equal(await post('multipart/form-data; boundary=b', `${part}--b--`), 200);
    assert.equal(await post('multipart/form-data; boundary=b; charset=UTF-8', `${part}--b--`), 400);
    assert.equal(await post('multipart/form-data; boundary=b', part), 400);
    assert.equal(await post('text/plain', 'x'), 400);
  });

  it('can simulate a platform without uploader and discovery', async () => {
    asked.platform.behaviour.extras = 'absent';
    const form = formWith(await asked.platform.createSession(), new Blob(['x']));
    const response = await fetch(`${asked.platform.origin}/1.0/storage/uploader/rest/upload`, {
      method: 'POST',
      body: form,
    });
    assert.equal(response.status, 404);
    await assert.rejects(asked.call('GetEnvs'));
  });

  it('serves only uploaded files', async () => {
    for (const path of ['', '..%2f..%2faccounts.json', '00000000-0000-0000-0000-000000000000']) {
      assert.equal((await fetch(`${asked.platform.origin}/xssu/rest/download/${path}`)).status, 404);
    }
  });
});
