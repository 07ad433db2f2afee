import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { limit } from '../../host/limits';
import { isPlatformError } from '../../../src/platform/errors';
import type { Transport } from '../../../src/platform/sending/request';
import type { SenderPool } from '../../../src/platform/sending/sender';
import { callWithEverything, operationNames, secretValues } from './sampleCalls';
import { type Arrived, type ScriptedServer, startScriptedServer } from './scriptedServer';
import { clientFor, openDirectPool } from './setUp';

type Answer = (echoed: string, response: ServerResponse) => void;

/** Servers that repeat the request, in every way and place. */
const answers: Readonly<Record<string, Answer>> = {
  'a success': (_, response) => response.end('{"result":0}'),
  'a rejection that quotes the request': (echoed, response) =>
    response.end(JSON.stringify({ result: 99, error: echoed, source: echoed, log: echoed })),
  'a rejection by a node that quotes the request': (echoed, response) =>
    response.end(
      JSON.stringify({ result: 0, responses: [{ result: 99, error: echoed, name: echoed, errOut: echoed }] }),
    ),
  'a session that ended': (echoed, response) => response.end(JSON.stringify({ result: 702, error: echoed })),
  'a page that quotes it': (echoed, response) =>
    response.end(
      `<html><title>Bad request: ${echoed.replace(/[<&]/g, (it) => (it === '<' ? '&lt;' : '&amp;'))}</title></html>`,
    ),
  'a gateway that quotes it': (echoed, response) => response.writeHead(502).end(`<title>${echoed}</title>${echoed}`),
  'plain text that quotes it': (echoed, response) => response.end(echoed),
  'incomplete JSON': (echoed, response) => response.end(JSON.stringify({ result: 0, body: echoed }).slice(0, -3)),
  'fields of wrong types': (echoed, response) =>
    response.end(
      JSON.stringify({ result: 0, body: [echoed], keywords: echoed, token: echoed, tokens: echoed, array: echoed }),
    ),
  'a redirect': (echoed, response) =>
    response.writeHead(302, { location: `https://elsewhere.example/?${encodeURIComponent(echoed)}` }).end(),
  'a broken connection': (_, response) => response.destroy(),
};

describe('no secret and no text is logged or shown', () => {
  let server: ScriptedServer;
  let pool: SenderPool;
  before(async () => {
    server = await startScriptedServer();
    pool = openDirectPool();
  });
  after(async () => {
    await pool.close();
    await server.close();
  });

  for (const [what, answer] of Object.entries(answers)) {
    for (const transport of ['form', 'query'] as const) {
      it(`given ${what}, in ${transport} mode`, async () => {
        server.answer((arrived, response) => answer(wordsOf(arrived), response));
        await Promise.all(operationNames.map((name) => checkOne(name, transport)));
      }).timeout(limit(30_000));
    }
  }

  async function checkOne(name: (typeof operationNames)[number], transport: Transport): Promise<void> {
    const { client, traffic } = clientFor(server.url, { send: pool.send, transport, passwordsInUrl: true });
    const ended = await callWithEverything(client, name).then(
      () => 'success',
      (error: unknown) => error,
    );
    assert(traffic.length > 0, name);
    if (ended !== 'success') assert(isPlatformError(ended), `${name}: ${inspect(ended)}`);
    const written = [JSON.stringify(traffic), inspect(ended, { depth: 20, showHidden: true }), ...everyText(ended)];
    for (const text of written) assertClean(name, text);
  }

  it('nor put in a URL if there is a choice', async () => {
    const form = await startScriptedServer();
    const { client } = clientFor(form.url, { send: pool.send });
    for (const name of operationNames) await callWithEverything(client, name).catch(() => undefined);
    await client
      .upload({ session: secretValues.session, name: 'x', bytes: Buffer.from(secretValues.text) })
      .catch(() => undefined);
    assert.equal(new Set(form.arrived.map(({ url }) => url)).size, operationNames.length + 1);
    for (const { url, headers } of form.arrived) {
      assert(!url.includes('?'), url);
      assertClean(url, url + JSON.stringify(headers));
    }
    await form.close();
  });

  it('nor shown by the uploader', async () => {
    for (const answer of Object.values(answers)) {
      server.answer((arrived, response) => answer(arrived.body, response));
      const { client, traffic } = clientFor(server.url, { send: pool.send });
      const call = client.upload({ session: secretValues.session, name: 'x', bytes: Buffer.from('bytes') });
      const error: unknown = await call.catch((caught: unknown) => caught);
      for (const text of [JSON.stringify(traffic), ...everyText(error)]) assertClean('Uploader', text);
    }
  });
});

/** Returns the parameters of a request, both decoded and encoded. */
function wordsOf({ url, body }: Arrived): string {
  const encoded = body === '' ? url.slice(url.indexOf('?') + 1) : body;
  const values = [...new URLSearchParams(encoded).values()].join(' | ');
  return `${values} || ${encoded}`;
}

/** Returns the message, the stack, and every other text of an error and its causes. */
function everyText(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  return [error.message, error.stack ?? '', JSON.stringify(error), String(error), ...everyText(error.cause)];
}

/** Searches for whole secrets in every common encoding, and for parts of the text and the secrets. */
function assertClean(where: string, written: string): void {
  const { text, ...secrets } = secretValues;
  const parts = [...text.split(/\s+/).filter((part) => part.length >= 12), 'DB_PASSWORD', 'hunter2'];
  for (const secret of [...Object.values(secrets), ...parts]) {
    const spellings = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ x: secret }).toString().slice(2),
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      Buffer.from(secret).toString('base64'),
    ];
    for (const spelling of spellings) assert(!written.includes(spelling), `${where} shows ${spelling} in: ${written}`);
  }
}
