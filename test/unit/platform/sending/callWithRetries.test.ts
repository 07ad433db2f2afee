import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { OperationName } from '../../../../src/platform/contract';
import type { Sender, SenderPool } from '../../../../src/platform/sending/sender';
import { limit } from '../../../host/limits';
import { type ScriptedServer, startScriptedServer } from '../scriptedServer';
import { cancellationOf, clientFor, failureOf, openDirectPool } from '../setUp';

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
      const { client } = clientOf({ requestTimeouts: { accounts: 20, files: 21, long: 22 } });
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
      const { client } = clientOf({ requestTimeouts: { files: 1 } });
      const began = performance.now();
      const error = await failureOf(client.call('Write', { ...place, body: 'x'.repeat(10_000) }));
      assert.equal(error.kind, 'timeout');
      assert.ok(performance.now() - began >= 200);
    });

    it('only if no part of the response has arrived for that long', async () => {
      server.answer((_, response) => {
        const answer = JSON.stringify({ result: 0, body: 'x'.repeat(1_000) });
        let sent = 0;
        const timer = setInterval(() => {
          response.write(answer.slice(sent, sent + 100));
          sent += 100;
          if (sent >= answer.length) {
            clearInterval(timer);
            response.end();
          }
        }, limit(40));
      });
      const { client } = clientOf();
      assert.equal((await client.call('Read', place, { deadline: limit(300) })).body, 'x'.repeat(1_000));
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
});
