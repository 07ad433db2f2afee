import assert from 'node:assert/strict';
import type { SenderPool } from '../../../src/platform/sending/sender';
import { splitLongText } from '../../../src/platform/splitLongText';
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
  });
});
