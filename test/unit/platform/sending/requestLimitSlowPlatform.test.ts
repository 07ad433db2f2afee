import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type RequestEnd, RequestLimit } from '../../../../src/platform/sending/requestLimit';

/** Each request has a signal of its own. */
const patient = (): AbortSignal => new AbortController().signal;

/** Requests that end when the test says so, in order of their start. */
class Requests {
  readonly started: string[] = [];
  private readonly open: ((end: RequestEnd) => void)[] = [];
  private readonly limit = new RequestLimit(() => 32);

  send(kind: 'read' | 'write', count: number): void {
    for (let sent = 0; sent < count; sent += 1) {
      void this.limit.run({ kind, path: `/${kind}`, bytes: 1 }, patient(), async (ended) => {
        this.started.push(kind);
        ended(await new Promise<RequestEnd>((resolve) => this.open.push(resolve)));
      });
    }
  }

  /** Ends the oldest open requests, one after another. */
  async end(count: number, end: RequestEnd): Promise<void> {
    for (let ended = 0; ended < count; ended += 1) {
      this.open.shift()?.(end);
      await settled();
    }
  }

  /** Returns how many of many new requests start at once, and answers all of them. */
  async startedAtOnce(kind: 'read' | 'write', end: RequestEnd): Promise<number> {
    this.send(kind, 40);
    await settled();
    const count = this.open.length;
    await this.end(40, end);
    return count;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const answer = (milliseconds: number, status = 200): RequestEnd => ({ kind: 'answer', status, milliseconds });

/** Returns a queue of requests after three timeouts. */
async function afterTimeouts(): Promise<Requests> {
  const requests = new Requests();
  for (const end of [answer(20), ...Array.from({ length: 3 }, (): RequestEnd => ({ kind: 'timeout' }))]) {
    requests.send('read', 1);
    await settled();
    await requests.end(1, end);
  }
  return requests;
}

describe('the number of requests at once on a slow platform', () => {
  for (const queued of [10, 400]) {
    it(`lets a save go ahead of a download with ${queued} requests at a time`, async () => {
      const requests = await afterTimeouts();
      requests.send('read', queued);
      await settled();
      const next = async (end: RequestEnd) => {
        await requests.end(1, end);
        requests.send('read', 1);
      };
      for (let quick = 0; quick < 6; quick += 1) await next(answer(20));
      requests.send('write', 1);
      const before = requests.started.length;
      while (!requests.started.includes('write')) {
        await next(answer(5_000));
        assert.ok(requests.started.length < before + 10, 'the save waits for the download');
      }
    });
  }

  it('lets a read go ahead of an upload', async () => {
    const requests = new Requests();
    requests.send('write', 400);
    requests.send('read', 1);
    await settled();
    await requests.end(2, answer(20));
    assert.ok(requests.started.includes('read'));
  });

  it('grows again after timeouts, even if responses stay slower than before', async () => {
    const requests = await afterTimeouts();
    assert.equal(await requests.startedAtOnce('read', answer(200)), 2);
    for (let round = 0; round < 3; round += 1) await requests.startedAtOnce('read', answer(200));
    assert.ok((await requests.startedAtOnce('read', answer(200))) >= 10);
    assert.ok((await requests.startedAtOnce('write', answer(200))) >= 10);
  });

  it('takes the response times of the last requests as normal', async () => {
    const requests = new Requests();
    await requests.startedAtOnce('read', answer(20));
    for (let round = 0; round < 10; round += 1) await requests.startedAtOnce('read', answer(500));
    assert.equal(await requests.startedAtOnce('read', answer(500)), 32);
  });

  it("isn't raised by responses to requests sent before it was lowered", async () => {
    const requests = new Requests();
    requests.send('read', 10);
    await settled();
    await requests.end(1, answer(20, 429));
    await requests.end(9, answer(20));
    assert.equal(await requests.startedAtOnce('write', answer(20)), 5);
  });
});
