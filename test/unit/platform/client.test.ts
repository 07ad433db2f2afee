import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limit } from '../../host/limits';
import type { PlatformErrorKind } from '../../../src/platform/errors';
import type { SenderPool } from '../../../src/platform/sending/sender';
import { splitLongText } from '../../../src/platform/parameters';
import { type ScriptedServer, startScriptedServer } from './scriptedServer';
import { addressOf, clientFor, failureOf, openDirectPool } from './setUp';
import { operations } from '../../../src/platform/contract';
import { composeRequest, encodedLength, encodeQuery } from '../../../src/platform/sending/request';

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
      [801, 'unauthenticated'],
      [702, 'unauthenticated'],
      [8202, 'tokenLacksMethod'],
      [8, 'forbidden'],
      [4037, 'forbidden'],
      [3, 'invalid'],
      [5, 'notFound'],
      [11, 'notFound'],
      [901, 'notFound'],
      [2050, 'notFound'],
      [4052, 'notFound'],
      [704, 'platform'],
      [2007, 'invalid'],
      [2212, 'platform'],
      [4110, 'notRunning'],
      [4060, 'deployFailed'],
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

    it('names the archive that should have been unpacked, and never a source that must stay secret', async () => {
      server.answer(JSON.stringify({ result: 99, error: 'the words' }));
      const { client } = clientOf();
      const { envName, session } = place;
      const [sourcePath, destPath] = ['/var/site.zip', '/var'];
      const unpack = client.call('UnpackById', { envName, session, nodeId: 7, sourcePath, destPath });
      assert.deepEqual((await failureOf(unpack)).object?.path, sourcePath);
      const url = 'https://files.example.com/secret/site.zip';
      const upload = client.call('Upload', { envName, session, sourcePath: url, destPath: '/var/site.zip' });
      const { object, message } = await failureOf(upload);
      assert.equal(object?.path, undefined);
      assert.ok(!message.includes(url));
    });

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

    it('names an environment that sleeps or is stopped, and quotes the platform about other states', async () => {
      const states = { SLEEP: 'notRunning', DOWN: 'notRunning', UPDATE: 'platform', BROKEN: 'platform' };
      for (const [state, kind] of Object.entries(states)) {
        const words = `Not allowed for current Environment status [ENV_STATUS_TYPE_${state}]`;
        const error = `${words}. Required statuses [ENV_STATUS_TYPE_RUNNING, ENV_STATUS_TYPE_SLEEP]`;
        for (const body of [
          { result: 2212, responses: [], error },
          { result: 0, responses: [{ result: 2212, nodeid: 1, error }] },
        ]) {
          server.answer(JSON.stringify(body));
          const failure = await failureOf(clientOf().client.call('Delete', place));
          assert.deepEqual([failure.kind, failure.result], [kind, 2212], state);
          assert.ok(failure.words?.startsWith(words), failure.words);
        }
      }
    });

    it("doesn't explain by a container that isn't running what failed on another node", async () => {
      const stopped = { result: 4110, nodeid: 1 };
      const kindOf = async (result: number, ...responses: readonly object[]) => {
        server.answer(JSON.stringify({ result, responses }));
        return (await failureOf(clientOf().client.call('Delete', place))).kind;
      };
      assert.equal(await kindOf(0, stopped, { result: 0, nodeid: 2 }), 'notRunning');
      assert.equal(await kindOf(99, stopped), 'notRunning');
      assert.equal(await kindOf(0, stopped, { result: 4182, nodeid: 2 }), 'platform');
      assert.equal(await kindOf(0, { result: 4182, nodeid: 2 }, stopped), 'platform');
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
      ['a gateway that stopped waiting', 408, '', 'timeout', true],
      ['a body that is too large', 413, '', 'tooLarge', false],
      ['an address that is too long', 414, '', 'tooLarge', false],
      ['a server error', 500, '<html><title>Apache Tomcat</title></html>', 'platform', true],
      ['a bad gateway', 502, '<html><title>502 Bad Gateway</title></html>', 'unreachable', true],
      ['an unavailable server', 503, '', 'unreachable', true],
      ['a gateway timeout', 504, '<html><title>504 Gateway Time-out</title></html>', 'timeout', true],
      ['success in the body of an error', 502, '{"result":0}', 'unreachable', true],
      ["a bad gateway in the platform's form", 200, '{"result":502,"error":"Bad Gateway"}', 'unreachable', true],
      ["an unavailable server in the platform's form", 200, '{"result":"503","source":"server"}', 'unreachable', true],
      [
        "a gateway timeout in the platform's form",
        200,
        '{"result":504,"source":"server","error":"HTTP transport error","statusText":"Gateway Time-out"}',
        'timeout',
        true,
      ],
      ['a gateway timeout within a success', 200, '{"result":0,"response":{"result":504}}', 'timeout', true],
      ["a gateway timeout with a code that isn't the platform's", 504, '{"result":1,"error":"x"}', 'timeout', true],
      ["a refusal of the platform's own, with the status of a proxy", 503, '{"result":4037}', 'forbidden', false],
      ['an expired session as that of a guest', 200, '{"result":0,"login":"__GUEST__"}', 'unauthenticated', false],
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

    it('from one of several nodes may still be executed there', async () => {
      for (const slow of [17, 502, 504]) {
        for (const result of [4037, slow]) {
          const responses = [
            { result: 4037, nodeId: 1 },
            { result: slow, nodeId: 2 },
          ];
          server.answer(JSON.stringify({ result, responses }));
          const error = await failureOf(clientOf().client.call('Delete', place));
          assert.equal(error.isOutcomeUnknown, true, `${result} with ${slow}`);
          assert.equal(error.kind, result === 4037 ? 'forbidden' : slow === 502 ? 'unreachable' : 'timeout');
          assert.equal(error.nodes.length, 2);
        }
      }
    });

    it('shows the title of a page, and nothing of a text', async () => {
      server.answer('<html><title>Maintenance\n tonight</title><body>the rest');
      assert.match((await failureOf(clientOf().client.call('Write', place))).message, /“Maintenance tonight”/);
      server.answer('{"result":0,"body":"<title>the text of a file</title>');
      assert.doesNotMatch((await failureOf(clientOf().client.call('Read', place))).message, /the text/);
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
});

const at = {
  address: { baseUrl: 'https://app.hoster.example/1.0', host: 'app.hoster.example' },
  transport: 'query',
} as const;
const target = { session: 'x'.repeat(40), envName: 'shop', nodeGroup: 'cp', path: '/srv/site.conf' };
const lengthOf = (text: string) => encodeQuery([['', text]]).length - '='.length;

/** Returns the processor time of the shortest of a few attempts in milliseconds, because other work on the machine makes it longer. */
function shortest(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const begin = process.cpuUsage();
    work();
    return process.cpuUsage(begin).user / 1_000;
  });
  return Math.min(...times);
}

describe('pieces of a text', () => {
  it('are measured by their encoded length', () => {
    const some = Array.from({ length: 0x300 }, (_, n) => [n, n * 1_399]).flat();
    for (const point of [...some, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff]) {
      const character = String.fromCodePoint(point);
      if (point < 0xd800 || point > 0xdfff)
        assert.equal(encodedLength(point), lengthOf(character), `U+${point.toString(16)}`);
    }
  });

  it('make up the whole text, each as long as a URL allows and no longer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1_500, maxLength: 6_000 }), (body) => {
        const pieces = splitLongText(at, { ...target, body });
        assert.equal(pieces.join(''), body);
        const room = Math.max(...pieces.map(lengthOf));
        for (const body of pieces) {
          const pairs = Object.entries({ ...target, body, isAppendMode: 'false' });
          assert.ok('ok' in composeRequest(operations.Write, pairs, at), 'no URL is too long');
        }
        for (const piece of pieces.slice(0, -1)) {
          assert.ok(lengthOf(piece) > room - lengthOf('😀'), 'the next character would not have fitted');
        }
      }),
      { numRuns: 50, seed: 7 },
    );
  });

  it('of five megabytes are split about as fast as they are encoded', () => {
    const body = 'grüße 🏗️ & more\n'.repeat(300_000);
    const encoding = shortest(() => encodeQuery([['body', body]]));
    const cutting = shortest(() => splitLongText(at, { ...target, body }));
    assert.ok(cutting < encoding * 10, `${cutting} ms to cut what is encoded in ${encoding} ms`);
  }).timeout(limit(30_000));
});
