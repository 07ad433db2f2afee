import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createFetchSender } from '../../../../src/platform/sending/fetchSender';
import type { SenderPool } from '../../../../src/platform/sending/sender';
import { openPool } from '../../../../src/platform/sending/undiciPool';
import { limit } from '../../../host/limits';
import { type ConnectProxy, startConnectProxy } from '../connectProxy';
import { type ScriptedServer, startScriptedServer, startTlsServer } from '../scriptedServer';
import { clientFor, failureOf, openDirectPool } from '../setUp';

const place = { envName: 'demo', session: 'a-session', path: '/f' };

const senders: Readonly<Record<string, () => SenderPool>> = {
  'the pool': openDirectPool,
  "the environment's own fetch": () => ({ send: createFetchSender(fetch), close: () => Promise.resolve() }),
};

for (const [name, open] of Object.entries(senders)) {
  describe(`sending with ${name}`, () => {
    let server: ScriptedServer;
    let pool: SenderPool;

    beforeEach(async () => {
      server = await startScriptedServer();
      pool = open();
    });

    afterEach(async () => {
      await pool.close();
      await server.close();
    });

    it('posts a form and reads the response, with any characters', async () => {
      const text = 'line 1\r\nline 2 ä€😀 & = + % \u0000 \uFEFF\t"\\';
      server.answer(JSON.stringify({ result: 0, body: text }));
      const { client } = clientFor(server.url, { send: pool.send });
      assert.deepEqual(await client.call('Read', place), { body: text });
      await client.call('Write', { ...place, body: text });
      const [read, write] = server.arrived;
      assert.equal(read?.method, 'POST');
      assert.equal(read.url, '/1.0/environment/file/rest/read');
      assert.equal(read.headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8');
      assert.equal(new URLSearchParams(write?.body).get('body'), text);
    });

    it('never follows a redirect, which could send a secret elsewhere', async () => {
      const elsewhere = await startScriptedServer();
      for (const status of [301, 302, 303, 307, 308]) {
        server.answer((_, response) => response.writeHead(status, { location: `${elsewhere.url}/x?y=1` }).end());
        const { client } = clientFor(server.url, { send: pool.send });
        const error = await failureOf(client.call('Read', place));
        assert.equal(error.kind, 'protocol');
        assert.equal(error.status, status);
        assert(error.message.includes(new URL(elsewhere.url).host));
      }
      assert.equal(elsewhere.arrived.length, 0);
      await elsewhere.close();
    });

    it('stops reading a response that is too large', async () => {
      server.answer((_, response) => {
        response.on('error', () => undefined);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        };
        response.on('drain', more);
        more();
      });
      const { client } = clientFor(server.url, { send: pool.send, maximumBytes: 50_000 });
      const error = await failureOf(client.call('Read', place));
      assert.equal(error.kind, 'tooLarge');
    });

    it('accepts a compressed response and counts its uncompressed size', async () => {
      const body = 'x'.repeat(100_000);
      server.answer((arrived, response) => {
        assert.match(arrived.headers['accept-encoding'] ?? '', /gzip/);
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify({ result: 0, body })));
      });
      const { client } = clientFor(server.url, { send: pool.send });
      assert.equal((await client.call('Read', place)).body, body);
      const narrow = clientFor(server.url, { send: pool.send, maximumBytes: 10_000 });
      assert.equal((await failureOf(narrow.client.call('Read', place))).kind, 'tooLarge');
    });

    it('decodes a compressed response however its content encoding is spelled', async () => {
      for (const spelling of ['GZIP', 'x-gzip', 'X-GZip', ' gzip ']) {
        server.answer((_, response) => {
          const packed = gzipSync('{"result":0,"body":"text"}');
          response.writeHead(200, { 'content-encoding': spelling }).end(packed);
        });
        const { client } = clientFor(server.url, { send: pool.send });
        assert.equal((await client.call('Read', place)).body, 'text', spelling);
      }
    });

    it('stops immediately when it is canceled, and the server sees the connection end', async () => {
      const controller = new AbortController();
      const gone = new Promise<void>((resolve) => {
        server.answer((_, response) => {
          response.on('close', () => resolve());
          controller.abort();
        });
      });
      const { client } = clientFor(server.url, { send: pool.send });
      await assert.rejects(client.call('Read', place, { signal: controller.signal }), { name: 'AbortError' });
      await gone;
    });

    it('a connection that breaks in the middle of the response fails', async () => {
      server.answer((_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"result":0,"body":"half', () => response.destroy());
      });
      const { client, traffic } = clientFor(server.url, { send: pool.send });
      const error = await failureOf(client.call('Read', place));
      assert.equal(error.kind, 'unreachable');
      assert.equal(traffic.length, 3);
    });

    /** Sends a text in parts of a size, one after each pause, until the client closes the connection. */
    const drip = (text: string, { size, pause }: { readonly size: number; readonly pause: number }) =>
      server.answer((_, response) => {
        response.writeHead(200, { 'content-length': text.length });
        let sent = 0;
        const timer = setInterval(() => {
          response.write(text.slice(sent, sent + size));
          sent += size;
          if (sent >= text.length) response.end();
        }, pause);
        response.on('close', () => clearInterval(timer));
      });

    it('gives up on a response that drips, and says of a change that it may have been made', async () => {
      drip(JSON.stringify({ result: 0, body: 'x'.repeat(1_000) }), { size: 1, pause: 20 });
      const { client, traffic } = clientFor(server.url, { send: pool.send });
      const read = await failureOf(client.call('Read', place, { deadline: 400 }));
      assert.deepEqual([read.kind, read.obstacle, read.isOutcomeUnknown], ['timeout', 'slowResponse', false]);
      assert.match(
        read.message,
        /the platform's response arrived too slowly: the first \d+ bytes arrived\. Try again\.$/,
      );
      const write = await failureOf(client.call('Write', place, { deadline: 400 }));
      assert.deepEqual([write.kind, write.obstacle, write.isOutcomeUnknown], ['timeout', 'slowResponse', true]);
      assert.match(write.message, /too slowly: .*\. Before you try again, check whether the change was made\.$/);
      const file = { session: 's', name: 'f', bytes: Buffer.from('text') };
      assert.equal((await failureOf(client.upload(file, { deadline: 400 }))).obstacle, 'slowResponse');
      assert.deepEqual(
        traffic.map(({ outcome }) => outcome),
        ['timeout', 'timeout', 'timeout'],
      );
    });

    it('gives up on a response whose rest never arrives, however fast the first part was', async () => {
      server.answer((_, response) => {
        response.writeHead(200, { 'content-length': 1_000_000 });
        response.write('x'.repeat(500_000));
      });
      const { client } = clientFor(server.url, { send: pool.send });
      assert.equal((await failureOf(client.call('Read', place, { deadline: 200 }))).obstacle, 'slowResponse');
    });

    it('reads a long response over a slow connection, however long it takes', async () => {
      // At most 800 bytes in every 50 ms, which are 16 kB in a second.
      const body = 'x'.repeat(15_000);
      drip(JSON.stringify({ result: 0, body }), { size: 800, pause: limit(50) });
      const { client } = clientFor(server.url, { send: pool.send });
      assert.equal((await client.call('Read', place, { deadline: limit(300) })).body, body);
    });

    it("a response that isn't HTTP is a protocol error", async () => {
      server.answer((_, response) => {
        response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
      });
      const { client } = clientFor(server.url, { send: pool.send });
      assert.equal((await failureOf(client.call('Read', place))).kind, 'protocol');
    });

    it('reports that nothing is listening', async () => {
      const nobody = await startScriptedServer();
      await nobody.close();
      const { client } = clientFor(nobody.url, { send: pool.send });
      const error = await failureOf(client.call('Write', place));
      assert.equal(error.kind, 'unreachable');
      assert.equal(error.isOutcomeUnknown, false);
    });
  });
}

describe('a change on a connection that was used before and then breaks', () => {
  const breaks: Readonly<Record<string, (socket: Socket) => void>> = {
    closes: (socket) => socket.destroy(),
    'is reset': (socket) => (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy()),
    'ends normally': (socket) => socket.end(),
  };
  const openings: typeof senders = {
    ...senders,
    'a proxy': () => openPool({ proxyFor: () => proxy.url, checkCertificates: false }),
  };
  let proxy: ConnectProxy;

  for (const [name, open] of Object.entries(openings)) {
    for (const [how, end] of Object.entries(breaks)) {
      it(`is sent only once by ${name} if it ${how}`, async () => {
        const server = name === 'a proxy' ? await startTlsServer() : await startScriptedServer();
        proxy = await startConnectProxy(server.port);
        const pool = open();
        const { client } = clientFor(name === 'a proxy' ? 'https://platform.test' : server.url, { send: pool.send });
        const used = new Set<Socket>();
        let writes = 0;
        const change = () => client.call('Write', { ...place, body: `text ${(writes += 1)}` });
        server.answer((_, response) => {
          const { socket } = response;
          assert(socket !== null);
          // A request that breaks has arrived as a whole, and may have been carried out.
          if (used.has(socket)) end(socket);
          else response.end('{"result":0}');
          used.add(socket);
        });
        // A sender may open several connections before it uses one again.
        const lost = await failureOf(
          (async () => {
            while (writes < 20) await change();
          })(),
        );
        assert.equal(lost.isOutcomeUnknown, true);
        const bodies = server.arrived.map(({ body }) => new URLSearchParams(body).get('body'));
        assert.deepEqual(
          bodies,
          Array.from({ length: writes }, (_, index) => `text ${index + 1}`),
        );
        await pool.close();
        await proxy.close();
        await server.close();
      });
    }
  }

  it("never gets to Electron's own fetch, which sends it again: VS Code keeps manual redirects from it", async () => {
    const asked: (string | undefined)[] = [];
    const send = createFetchSender((_, { redirect }) => {
      asked.push(redirect);
      return Promise.resolve(new Response('{"result":0}'));
    });
    await clientFor('https://platform.test', { send }).client.call('Write', { ...place, body: 'text' });
    assert.deepEqual(asked, ['manual']);
  });
});

describe('the pool', () => {
  it('reuses its connection for the next request without waiting for others', async () => {
    const server = await startScriptedServer();
    const pool = openDirectPool();
    const sockets = new Set<unknown>();
    server.answer((_, response) => {
      sockets.add(response.socket);
      response.end('{"result":0}');
    });
    const { client } = clientFor(server.url, { send: pool.send });
    for (let call = 0; call < 5; call += 1) await client.call('Write', place);
    assert.equal(sockets.size, 1);

    let waiting = 0;
    server.answer((_, response) => {
      waiting += 1;
      if (waiting === 4) response.end('{"result":0}');
    });
    const calls = Array.from({ length: 4 }, () => client.call('Read', place, { deadline: limit(2_000) }));
    await Promise.any(calls);
    assert.equal(waiting, 4);
    await pool.close();
    await Promise.allSettled(calls);
    await server.close();
  });

  it('reconnects after it was closed', async () => {
    const server = await startScriptedServer();
    const pool = openDirectPool();
    const { client } = clientFor(server.url, { send: pool.send });
    await client.call('Write', place);
    await pool.close();
    await client.call('Write', place);
    await pool.close();
    await server.close();
    assert.equal(server.arrived.length, 2);
  });
});
