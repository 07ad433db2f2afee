import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createFetchSender } from '../../../../src/platform/sending/fetchSender';
import { limitRequests, openPool } from '../../../../src/platform/sending/undiciPool';
import type { PlatformClient } from '../../../../src/platform/client';
import type { SenderPool } from '../../../../src/platform/sending/sender';
import { limit } from '../../../host/limits';
import { type ScriptedServer, startScriptedServer } from '../scriptedServer';
import { cancellationOf, clientFor } from '../setUp';

const place = { envName: 'demo', session: 'a-session', path: '/f' };
const yes = '{"result":0}';

describe('the number of requests at once', () => {
  let server: ScriptedServer;
  let pool: SenderPool;
  let client: PlatformClient;
  let most: number;
  /** Requests without a response yet. */
  let open: ServerResponse[];
  let arrived: () => void;

  beforeEach(async () => {
    server = await startScriptedServer();
    most = 100;
    pool = openPool({ proxyFor: () => undefined, checkCertificates: true, maxRequests: () => most });
    ({ client } = clientFor(server.url, { send: pool.send }));
    open = [];
    arrived = () => undefined;
    server.answer((_, response) => {
      open.push(response);
      arrived();
    });
  });

  afterEach(async () => {
    await pool.close();
    await server.close();
  });

  /** Settles when this many requests wait for a response. */
  const waiting = async (count: number) => {
    while (open.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    assert.equal(open.length, count);
  };
  const answerAll = (status = 200) => open.splice(0).forEach((response) => response.writeHead(status).end(yes));
  const calls = (operation: 'Read' | 'Write', count: number) =>
    Array.from({ length: count }, () => client.call(operation, place).catch((error: unknown) => error));
  /** Answers everything immediately from now on. */
  const serve = async (all: readonly Promise<unknown>[]) => {
    server.answer(yes);
    answerAll();
    await Promise.all(all);
  };

  it('grows while responses are fast, up to the configured maximum', async () => {
    const first = calls('Read', 60);
    await waiting(10);
    answerAll();
    await waiting(20);
    answerAll();
    await waiting(30);
    answerAll();
    await Promise.all(first);
    most = 15;
    const second = calls('Read', 20);
    await waiting(15);
    await serve(second);
  });

  it("has the same maximum through VS Code's fetch, which has none itself", async () => {
    let [underway, peak] = [0, 0];
    const counting: Parameters<typeof createFetchSender>[0] = (url, options) => {
      underway += 1;
      peak = Math.max(peak, underway);
      return fetch(url, options).finally(() => (underway -= 1));
    };
    most = 4;
    ({ client } = clientFor(server.url, { send: limitRequests(createFetchSender(counting), () => most) }));
    const all = calls('Read', 12);
    await waiting(4);
    await serve(all);
    assert.equal(peak, 4);
  });

  it("is never raised by a write, which couldn't be repeated", async () => {
    const writes = calls('Write', 40);
    await waiting(10);
    answerAll();
    await waiting(10);
    const reads = calls('Read', 10);
    await waiting(20);
    assert.equal(open.filter(({ req: { url = '' } }) => url.endsWith('/write')).length, 10);
    answerAll();
    await waiting(20);
    await serve([...writes, ...reads]);
  });

  for (const status of [429, 503]) {
    it(`is halved only once by any number of responses with status ${status}`, async () => {
      const refused = calls('Write', 10);
      await waiting(10);
      answerAll(status);
      if (status === 429) {
        // The writes were rejected unread, so they are sent again.
        await waiting(5);
        await serve(refused);
        return;
      }
      await Promise.all(refused);
      const next = calls('Read', 30);
      await waiting(5);
      await serve(next);
    });
  }

  it('is halved by a request that times out', async () => {
    const late = client.call('Write', place, { deadline: 20 });
    await assert.rejects(late, { kind: 'timeout', isOutcomeUnknown: true });
    open.length = 0;
    const next = calls('Read', 30);
    await waiting(5);
    await serve(next);
  });

  it("doesn't count requests that take minutes", async () => {
    const long = Array.from({ length: 12 }, () => client.call('Delete', place));
    const read = client.call('Read', place);
    await waiting(13);
    answerAll();
    await Promise.all([...long, read]);
  });

  it('lets a queued request be canceled, and starts its timeout when it is sent', async () => {
    const before = calls('Read', 9);
    // Handled at once, because it may be late before the others wait.
    const late = assert.rejects(client.call('Read', place, { deadline: limit(400) }), { kind: 'timeout' });
    await waiting(10);
    const controller = new AbortController();
    const given = client.call('Write', place, { signal: controller.signal });
    // It waits longer than it may take.
    const patient = client.call('Write', place, { deadline: limit(200) });
    controller.abort();
    const { isOutcomeUnknown } = await cancellationOf(given);
    assert.equal(isOutcomeUnknown, false);
    await late;
    answerAll();
    await waiting(1);
    answerAll();
    await patient;
    await Promise.all(before);
    assert.equal(server.arrived.length, 11);
  });
});
