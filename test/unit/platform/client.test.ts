import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { OperationName } from '../../../src/platform/contract';
import type { PlatformErrorKind } from '../../../src/platform/errors';
import type { Sender, SenderPool } from '../../../src/platform/sending/sender';
import { splitLongText } from '../../../src/platform/splitLongText';
import { type ScriptedServer, startScriptedServer } from './scriptedServer';
import { addressOf, cancellationOf, clientFor, failureOf, openDirectPool } from './setUp';

const place = { envName: 'demo', session: 'a-session-value', path: '/var/f.txt' };

describe('a call', () => {
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

  const clientOf = (settings: Partial<Parameters<typeof clientFor>[1]> = {}) =>
    clientFor(server.url, { send: pool.send, ...settings });

  describe('is checked before anything is sent', () => {
    const refused: readonly [why: string, call: () => Promise<unknown>][] = [
      ['a filter that is too long', () => clientOf().client.call('GetList', { ...place, filter: 'x'.repeat(256) })],
      ['a required value that is empty', () => clientOf().client.call('Read', { ...place, path: '' })],
      [
        'an invalid time',
        () =>
          clientOf().client.call('CreateToken', {
            session: place.session,
            description: 'x',
            expiresAt: '2030-02-31 00:00:00',
          }),
      ],
      ['half a character', () => clientOf().client.call('Write', { ...place, body: 'half \uD83D' })],
      ['an invalid number', () => clientOf().client.call('Read', { ...place, nodeid: NaN })],
      ['a number with a fraction', () => clientOf().client.call('Read', { ...place, nodeid: 1.5 })],
    ];
    for (const [why, call] of refused) {
      it(`${why} is rejected`, async () => {
        const error = await failureOf(call());
        assert.equal(error.kind, 'invalid');
        assert.equal(error.isOutcomeUnknown, false);
        assert.equal(server.arrived.length, 0);
      });
    }

    it("a misspelled parameter that the compiler couldn't see is rejected", async () => {
      const misspelt: typeof place = Object.assign({ nodeId: 7 }, place);
      const error = await failureOf(clientOf().client.call('Read', misspelt));
      assert.equal(error.kind, 'invalid');
      assert.match(error.message, /nodeId/);
      assert.equal(server.arrived.length, 0);
    });

    it('a filter of 255 characters and an empty replacement are accepted', async () => {
      server.answer('{"result":0,"keywords":{}}');
      const { client } = clientOf();
      await client.call('GetList', { ...place, filter: 'x'.repeat(255) });
      await client.call('ReplaceInBody', { ...place, pattern: 'x', replacement: '' });
      assert.match(server.arrived[1]?.body ?? '', /replacement=(&|$)/);
    });
  });

  describe('that the platform rejects', () => {
    const codes: readonly [code: number, kind: PlatformErrorKind][] = [
      [701, 'unauthenticated'],
      [702, 'unauthenticated'],
      [8202, 'tokenLacksMethod'],
      [8, 'forbidden'],
      [4037, 'forbidden'],
      [3, 'invalid'],
      [5, 'notFound'],
      [11, 'notFound'],
      [2500, 'notFound'],
      [2002, 'notFound'],
      [4035, 'notFound'],
      [4036, 'exists'],
      [4041, 'exists'],
      [4047, 'exists'],
      [4075, 'diskFull'],
      [4076, 'diskFull'],
      [4000, 'deployFailed'],
      [4128, 'deployFailed'],
      [17, 'timeout'],
      [99, 'platform'],
      [424242, 'platform'],
      [-1, 'platform'],
    ];
    for (const [code, kind] of codes) {
      it(`with code ${code} fails with ${kind}`, async () => {
        server.answer(JSON.stringify({ result: code, error: 'the words', source: 'JEL' }));
        const error = await failureOf(clientOf().client.call('Write', place));
        assert.equal(error.kind, kind);
        assert.equal(error.result, code);
        assert.equal(error.source, 'JEL');
        assert.equal(error.method, 'environment.file.Write');
        assert.equal(error.isOutcomeUnknown, kind === 'timeout');
        assert.match(error.message, /^Write \(demo \/var\/f.txt\): .+\[code -?\d+\].*\. [A-Z].+\.$/);
      });
    }

    it('reports the result of each node', async () => {
      server.answer('{"result":0,"responses":[{"result":0,"nodeId":1},{"result":4037,"error":"no right","nodeid":2}]}');
      const error = await failureOf(clientOf().client.call('Delete', place));
      assert.equal(error.kind, 'forbidden');
      assert.deepEqual(
        error.nodes.map(({ nodeId, result, error: words }) => ({ nodeId, result, words })),
        [
          { nodeId: 1, result: 0, words: undefined },
          { nodeId: 2, result: 4037, words: 'no right' },
        ],
      );
    });

    it('takes precedence over the HTTP status', async () => {
      server.answer((_, response) => response.writeHead(500).end('{"result":4035,"error":"gone"}'));
      const error = await failureOf(clientOf().client.call('Read', place));
      assert.equal(error.kind, 'notFound');
      assert.equal(error.status, 500);
    });

    it('accepts a boolean only from DeleteTokens', async () => {
      const tokens = { session: place.session, ids: '*' };
      server.answer('{"result":true}');
      await clientOf().client.call('DeleteTokens', tokens);
      assert.equal((await failureOf(clientOf().client.call('Write', place))).kind, 'protocol');
      server.answer('{"result":false}');
      assert.equal((await failureOf(clientOf().client.call('DeleteTokens', tokens))).kind, 'platform');
    });
  });

  describe('that gets no response from the platform', () => {
    const answers: readonly [
      what: string,
      status: number,
      body: string,
      kind: PlatformErrorKind,
      lostWrite: boolean,
    ][] = [
      ['a web page', 200, '<html><title>Welcome to nginx</title></html>', 'protocol', true],
      ['an empty body', 200, '', 'protocol', true],
      ['no content', 204, '', 'protocol', true],
      ['incomplete JSON', 200, '{"result":0,"body":"the start of', 'protocol', true],
      ['JSON without a result', 200, '{"message":"ok"}', 'protocol', true],
      ['JSON with an error that is an object', 200, '{"error":{"code":500}}', 'protocol', true],
      ['a list', 200, '[{"result":0}]', 'protocol', true],
      ['a plain text', 200, 'OK', 'protocol', true],
      ['a missing page', 404, '<html><title>404</title></html>', 'protocol', false],
      ['a gateway that denies access', 403, 'Forbidden', 'protocol', false],
      ['a body that is too large', 413, '', 'tooLarge', false],
      ['an address that is too long', 414, '', 'tooLarge', false],
      ['a server error', 500, '<html><title>Apache Tomcat</title></html>', 'platform', true],
      ['a bad gateway', 502, '<html><title>502 Bad Gateway</title></html>', 'unreachable', true],
      ['an unavailable server', 503, '', 'unreachable', true],
      ['a gateway timeout', 504, '<html><title>504 Gateway Time-out</title></html>', 'timeout', true],
      ['success in the body of an error', 502, '{"result":0}', 'unreachable', true],
    ];
    for (const [what, status, body, kind, lostWrite] of answers) {
      it(`but ${what} (${status}) fails with ${kind}`, async () => {
        server.answer((_, response) => response.writeHead(status).end(status === 204 ? undefined : body));
        const write = await failureOf(clientOf().client.call('Write', place));
        assert.equal(write.kind, kind);
        assert.equal(write.isOutcomeUnknown, lostWrite);
        assert.equal(server.arrived.length, 1);
        const read = await failureOf(clientOf().client.call('Read', place));
        assert.equal(read.kind, kind);
        assert.equal(read.isOutcomeUnknown, false);
      });
    }

    it('shows the title of a page, and nothing of a text', async () => {
      server.answer('<html><title>Maintenance\n tonight</title><body>the rest');
      assert.match((await failureOf(clientOf().client.call('Write', place))).message, /“Maintenance tonight”/);
      server.answer('{"result":0,"body":"<title>the text of a file</title>');
      assert.doesNotMatch((await failureOf(clientOf().client.call('Read', place))).message, /the text/);
    });
  });

  describe('is repeated', () => {
    const failOnce = (fail: (response: ServerResponse) => void): void =>
      server.answer((_, response) =>
        server.arrived.length === 1 ? fail(response) : response.end('{"result":0,"body":"x"}'),
      );

    it('for a write only if the platform rejected it because it was busy', async () => {
      const { client } = clientOf();
      failOnce((response) => response.writeHead(429).end());
      await client.call('Write', { ...place, body: 'text' });
      assert.equal(server.arrived.length, 2);
      server.answer((_, response) => response.writeHead(503).end());
      await failureOf(client.call('Write', { ...place, body: 'text' }));
      assert.equal(server.arrived.length, 3);
    });

    it('after a read got a bad gateway, with a log entry for each attempt', async () => {
      failOnce((response) => response.writeHead(502).end());
      const { client, traffic } = clientOf();
      assert.equal((await client.call('Read', place)).body, 'x');
      assert.deepEqual(
        traffic.map(({ attempt, outcome, status }) => [attempt, outcome, status]),
        [
          [1, 'unreachable', 502],
          [2, 'success', 200],
        ],
      );
    });

    it('after the connection of a read broke', async () => {
      failOnce((response) => response.destroy());
      assert.equal((await clientOf().client.call('Read', place)).body, 'x');
    });

    it('after the default pause if no other pause is set', async () => {
      const came: number[] = [];
      failOnce((response) => {
        came.push(performance.now());
        response.writeHead(502).end();
      });
      await clientOf({ retryPause: undefined, log: () => came.push(performance.now()) }).client.call('Read', place);
      const [failed = 0, , succeeded = 0] = came;
      // A timer may fire a millisecond early.
      assert.ok(succeeded - failed >= 99);
    });

    it('at most three times', async () => {
      server.answer((_, response) => response.writeHead(503).end());
      await failureOf(clientOf().client.call('Read', place));
      assert.equal(server.arrived.length, 3);
    });

    it('never for a write', async () => {
      failOnce((response) => response.destroy());
      const error = await failureOf(clientOf().client.call('Write', place));
      assert.equal(error.kind, 'unreachable');
      assert.equal(error.isOutcomeUnknown, true);
      assert.equal(server.arrived.length, 1);
    });

    it('never if the platform has responded', async () => {
      server.answer('{"result":4035}');
      await failureOf(clientOf().client.call('Read', place));
      assert.equal(server.arrived.length, 1);
    });

    it('never beyond its timeout, however often it fails', async () => {
      server.answer((_, response) => {
        if (server.arrived.length === 1) response.writeHead(503).end();
      });
      const error = await failureOf(clientOf().client.call('Read', place, { deadline: 150 }));
      assert.equal(error.kind, 'timeout');
    });
  });

  describe('ends in time', () => {
    beforeEach(() => server.answer(() => undefined));

    it('after its timeout: a read without, and a write with an unknown result', async () => {
      const { client } = clientOf();
      const read = await failureOf(client.call('Read', place, { deadline: 20 }));
      assert.equal(read.kind, 'timeout');
      assert.equal(read.isOutcomeUnknown, false);
      const write = await failureOf(client.call('Write', place, { deadline: 20 }));
      assert.equal(write.kind, 'timeout');
      assert.equal(write.isOutcomeUnknown, true);
    });

    it('after the timeout set for its kind of operation', async () => {
      const { client } = clientOf({ deadlines: { accounts: 20, files: 21, long: 22 } });
      for (const operation of ['Read', 'Copy', 'Signout'] satisfies OperationName[]) {
        const call = {
          Read: () => client.call('Read', place),
          Copy: () => client.call('Copy', { envName: 'demo', session: 's', src: '/a', dest: '/b' }),
          Signout: () => client.call('Signout', { session: 's' }),
        }[operation];
        assert.equal((await failureOf(call())).kind, 'timeout');
      }
    });

    it('even if a sender ignores the signal', async () => {
      const send: Sender = ({ onStart }) => {
        onStart();
        return new Promise(() => undefined);
      };
      const { client } = clientOf({ send });
      assert.equal((await failureOf(client.call('Read', place, { deadline: 10 }))).kind, 'timeout');
    });

    it('later for a long text, which takes time to send', async () => {
      server.answer(() => undefined);
      const { client } = clientOf({ deadlines: { files: 1 } });
      const began = performance.now();
      const error = await failureOf(client.call('Write', { ...place, body: 'x'.repeat(10_000) }));
      assert.equal(error.kind, 'timeout');
      assert.ok(performance.now() - began >= 200);
    });

    it('only if no part of the response has arrived for that long', async () => {
      server.answer((_, response) => {
        const answer = JSON.stringify({ result: 0, body: 'x'.repeat(10) });
        let sent = 0;
        const timer = setInterval(() => {
          response.write(answer.slice(sent, sent + 3));
          sent += 3;
          if (sent >= answer.length) {
            clearInterval(timer);
            response.end();
          }
        }, 40);
      });
      const { client } = clientOf();
      assert.equal((await client.call('Read', place, { deadline: 300 })).body, 'x'.repeat(10));
    });

    it('when the caller cancels, before or after it was sent', async () => {
      const { client, traffic } = clientOf();
      const before = await cancellationOf(client.call('Write', place, { signal: AbortSignal.abort() }));
      assert.equal(server.arrived.length, 0);
      assert.equal(before.isOutcomeUnknown, false);
      const controller = new AbortController();
      server.answer(() => controller.abort());
      const during = await cancellationOf(client.call('Write', place, { signal: controller.signal }));
      assert.equal(during.name, 'AbortError');
      assert.equal(during.isOutcomeUnknown, true);
      assert.deepEqual(
        traffic.map(({ outcome }) => outcome),
        ['cancelled', 'cancelled'],
      );
    });
  });

  describe('to a platform that accepts parameters only in the URL', () => {
    const inQuery = (settings: Partial<Parameters<typeof clientFor>[1]> = {}) =>
      clientOf({ transport: 'query', ...settings });

    it('puts them there, and nothing in the body', async () => {
      await inQuery().client.call('Write', { ...place, body: 'a b&c=ä😀\n' });
      const { url = '', body } = server.arrived[0] ?? {};
      assert.equal(body, '');
      assert.equal(new URL(url, 'http://x').searchParams.get('body'), 'a b&c=ä😀\n');
    });

    it('sends a password only after the user agreed', async () => {
      const credentials = { login: 'me@example.org', password: 'the password' };
      const error = await failureOf(inQuery().client.call('Signin', credentials));
      assert.equal(error.kind, 'invalid');
      assert.equal(server.arrived.length, 0);
      server.answer('{"result":0,"session":"x"}');
      await inQuery({ passwordsInUrl: true }).client.call('Signin', credentials);
      assert.equal(server.arrived.length, 1);
    });

    it('rejects parameters too long for a URL, and splits a text into pieces that fit', async () => {
      const body = `${'ä😀 &'.repeat(900)}\r\nend`;
      const error = await failureOf(inQuery().client.call('Write', { ...place, body }));
      assert.equal(error.kind, 'tooLarge');
      assert.equal(server.arrived.length, 0);
      const { client } = inQuery();
      const pieces = splitLongText(client, { ...place, body });
      assert(pieces.length > 1);
      for (const [index, piece] of pieces.entries()) {
        if (index === 0) await client.call('Write', { ...place, body: piece, isAppendMode: false });
        else await client.call('Append', { ...place, body: piece });
      }
      const sent = server.arrived.map(({ url }) => new URL(url, 'http://x').searchParams.get('body'));
      assert.equal(sent.join(''), body);
    });

    it('has one piece if it fits, and none if the path alone is too long', () => {
      const at = { address: addressOf(server.url), transport: 'query' as const };
      assert.deepEqual(splitLongText(at, { ...place, body: 'short' }), ['short']);
      assert.deepEqual(splitLongText(at, place), ['']);
      assert.deepEqual(splitLongText(at, { ...place, path: `/${'x'.repeat(2000)}`, body: 'short' }), []);
      assert.equal(splitLongText({ ...at, transport: 'form' }, { ...place, body: 'x'.repeat(10_000) }).length, 1);
    });
  });

  it("uploads bytes in the format of the platform's uploader", async () => {
    server.answer('{"result":0,"file":"http://h/xssu/rest/download/1","name":"x.jar","size":5}');
    const bytes = new Uint8Array([0, 255, 13, 10, 128]);
    const { client, traffic } = clientOf();
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
