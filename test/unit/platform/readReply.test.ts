import assert from 'node:assert/strict';
import type { PlatformErrorKind } from '../../../src/platform/errors';
import type { SenderPool } from '../../../src/platform/sending/sender';
import { type ScriptedServer, startScriptedServer } from './scriptedServer';
import { clientFor, failureOf, openDirectPool } from './setUp';

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
});
