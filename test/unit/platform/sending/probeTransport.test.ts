import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { SenderPool } from '../../../../src/platform/sending/sender';
import { probeTransport } from '../../../../src/platform/client';
import { type Arrived, type ScriptedServer, startScriptedServer } from '../scriptedServer';
import { addressOf, cancellationOf, failureOf, openDirectPool } from '../setUp';

/** Where a platform reads parameters, and its responses to an unknown and a missing session. */
interface PlatformManners {
  readonly looksIn: 'body' | 'url' | 'both';
  readonly unknownSession: string;
  readonly noSession: string;
}

const invalid = (text: string): string => JSON.stringify({ result: 3, error: text, debug: { time: Math.random() } });
const expired = '{"result":702,"error":"session [x***] expired"}';
const missing = invalid('parameter [session] is missing');

function platform({ looksIn, unknownSession, noSession }: PlatformManners) {
  return ({ url, body }: Arrived, response: ServerResponse): void => {
    const inUrl = looksIn !== 'body' && new URL(url, 'http://x').searchParams.has('session');
    const inBody = looksIn !== 'url' && new URLSearchParams(body).has('session');
    response.end(inUrl || inBody ? unknownSession : noSession);
  };
}

describe('how a platform accepts parameters', () => {
  let server: ScriptedServer;
  let pool: SenderPool;

  beforeEach(async () => {
    server = await startScriptedServer();
    pool = openDirectPool();
  });
  afterEach(async () => {
    await pool.close();
    await server.close();
  });

  const probe = (signal?: AbortSignal) => probeTransport({ address: addressOf(server.url), send: pool.send, signal });

  const known: readonly [given: string, manners: PlatformManners, transport: 'form' | 'query'][] = [
    ['one that reads both', { looksIn: 'both', unknownSession: expired, noSession: missing }, 'form'],
    ['one that reads the body', { looksIn: 'body', unknownSession: expired, noSession: missing }, 'form'],
    ['one that reads the URL', { looksIn: 'url', unknownSession: expired, noSession: missing }, 'query'],
    [
      'one that reads the URL and considers the invented session malformed',
      { looksIn: 'url', unknownSession: invalid('invalid parameter [session]'), noSession: missing },
      'query',
    ],
    [
      'one that reads the body and considers the invented session malformed',
      { looksIn: 'body', unknownSession: invalid('invalid parameter [session]'), noSession: missing },
      'form',
    ],
    ['one that always returns the same', { looksIn: 'both', unknownSession: missing, noSession: missing }, 'form'],
  ];
  for (const [given, manners, transport] of known) {
    it(`given ${given}: ${transport}`, async () => {
      server.answer(platform(manners));
      assert.equal(await probe(), transport);
    });
  }

  it('given a gateway that rejects forms: query', async () => {
    server.answer(({ headers }, response) => {
      if (headers['content-type'] === undefined) response.end(expired);
      else response.writeHead(415).end('<html>Unsupported</html>');
    });
    assert.equal(await probe(), 'query');
  });

  it('given a gateway that rejects queries: form', async () => {
    server.answer(({ url }, response) => {
      if (url.includes('?')) response.writeHead(400).end();
      else response.end(expired);
    });
    assert.equal(await probe(), 'form');
  });

  it('given no platform at all, reports it', async () => {
    server.answer('<html><title>Welcome</title></html>');
    const error = await failureOf(probe());
    assert.equal(error.kind, 'protocol');
    assert.equal(error.obstacle, 'webPage');
  });

  it('given nothing that listens, reports it', async () => {
    await server.close();
    assert.equal((await failureOf(probe())).kind, 'unreachable');
    server = await startScriptedServer();
  });

  it('can be canceled', async () => {
    const controller = new AbortController();
    server.answer(() => controller.abort());
    await cancellationOf(probe(controller.signal));
  });

  it('uses an invented session of the usual length, a new one each time', async () => {
    server.answer(platform({ looksIn: 'both', unknownSession: expired, noSession: missing }));
    await probe();
    await probe();
    const invented = server.arrived
      .map(
        ({ url, body }) =>
          new URLSearchParams(body).get('session') ?? new URL(url, 'http://x').searchParams.get('session'),
      )
      .map((session) => session ?? '');
    assert.equal(invented.length, 4);
    assert.equal(new Set(invented).size, 2);
    for (const session of invented) assert.match(session, /^[0-9a-f]{36}$/);
  });
});
