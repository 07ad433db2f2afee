import assert from 'node:assert/strict';
import type { Fault, FaultRule } from '../../localPlatform/faults/fault';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, pathOf, rowsOf, type Reply } from './requests';

type FaultInput = FaultRule['fault'];

describe('local platform: faults', () => {
  const asked = onStageEachTime(new AskedScene());
  const disk = asked.disk('cp');
  beforeEach(async () => {
    await disk.put('/srv/a', 'old');
  });
  const write = (body = 'new'): Promise<Reply> => asked.call('Write', { path: '/srv/a', body, nodeid: disk.id });
  const on = (operation: string, fault: FaultInput, more: Partial<FaultRule> = {}) =>
    asked.platform.faults.add({ operation, fault, ...more });
  const raw = async (operation: string, values: Record<string, string> = {}): Promise<Response> =>
    fetch(asked.platform.origin + pathOf(operation), {
      method: 'POST',
      body: new URLSearchParams({ session: await asked.platform.createSession(), ...values }),
    });
  const rawWrite = (): Promise<Response> =>
    raw('Write', { envName: 'demo', path: '/srv/a', body: 'new', nodeid: String(disk.id) });

  it('affect the requests they were set for: operation, parameters, nth, times', async () => {
    const refuse: FaultInput = { kind: 'refuse', result: 8, error: 'no' };
    const second = on('Read', refuse, { nth: 2, parameters: { path: '/srv/a' } });
    const read = async (path = '/srv/a'): Promise<unknown> => (await asked.call('Read', { path })).result;
    assert.deepEqual([await read(), await read('/srv/b'), await read(), await read()], [0, 4035, 8, 0]);
    assert.equal(second.hits, 1);
    const always = on('*', refuse, { times: 'always' });
    assert.deepEqual([await read(), (await write()).result, await read()], [8, 8, 8]);
    always.remove();
    assert.equal(await read(), 0);
    on('Read', refuse, { times: 2 });
    assert.deepEqual([await read(), await read(), await read()], [8, 8, 0]);
    on('Read', refuse, { times: 'always' });
    asked.platform.faults.clear();
    assert.equal(await read(), 0);
  });

  it('are named in the journal', async () => {
    on('Write', { kind: 'textResult' });
    await write();
    assert.deepEqual(asked.platform.journal.entries[0]?.faults, ['textResult']);
  });

  it('delay a request', async () => {
    on('Write', { kind: 'delay', milliseconds: 80 });
    await write();
    const [entry] = asked.platform.journal.entries;
    assert.ok(entry !== undefined && entry.end - entry.start >= 79);
  });

  it('let the gateway give up while an operation goes on, which the platform lists until it ends', async () => {
    const lost = on('RestartServices', { kind: 'gatewayError', status: 504, when: 'during' });
    const actions = async () => rowsOf(await asked.call('GetCurrentActions'), 'array').map(({ text }) => text);
    assert.deepEqual(await actions(), []);
    assert.equal((await raw('RestartServices', { envName: 'demo', nodeId: String(disk.id) })).status, 504);
    assert.deepEqual(await actions(), [{ env: 'demo', action: 'RestartServices' }]);
    lost.release();
    while ((await actions()).length > 0);
  });

  it('make a request hang until it is released', async () => {
    const hanging = on('Write', { kind: 'hang' });
    const answer = write();
    await hanging.reached;
    assert.equal(await disk.text('/srv/a'), 'old');
    hanging.release();
    assert.equal((await answer).result, 0);
    assert.equal(await disk.text('/srv/a'), 'new');
  });

  it('send the bytes slowly, and record when the last one was sent', async () => {
    await disk.put('/srv/big', 'x'.repeat(5000));
    on('Read', { kind: 'bandwidth', bytesPerSecond: 50_000 });
    const answer = await asked.call('Read', { path: '/srv/big' });
    assert.equal(String(answer['body']).length, 5000);
    const [entry] = asked.platform.journal.entries;
    assert.ok(entry !== undefined && entry.end - entry.start >= 50);
  });

  it('send the response one byte at a time', async () => {
    on('Write', { kind: 'drip', milliseconds: 2 });
    const response = await rawWrite();
    const began = performance.now();
    const text = await response.text();
    assert.ok(text.includes('"result":0'));
    assert.ok(performance.now() - began >= text.length);
  });

  it('cut the connection before or after the operation', async () => {
    on('Write', { kind: 'reset' });
    await assert.rejects(rawWrite());
    assert.equal(await disk.text('/srv/a'), 'old');
    on('Write', { kind: 'reset', when: 'after' });
    await assert.rejects(rawWrite());
    assert.equal(await disk.text('/srv/a'), 'new');
  });

  it('cut the body short of its announced length', async () => {
    on('Write', { kind: 'truncate', bytes: 5 });
    const response = await rawWrite();
    assert.ok(Number(response.headers.get('content-length')) > 5);
    await assert.rejects(response.text());
  });

  for (const status of [502, 504] as const) {
    it(`return an HTML page with ${status} before or after the operation`, async () => {
      on('Write', { kind: 'gatewayError', status });
      const before = await rawWrite();
      assert.deepEqual([before.status, before.headers.get('content-type')], [status, 'text/html']);
      assert.match(await before.text(), /<html>/u);
      assert.equal(await disk.text('/srv/a'), 'old');
      on('Write', { kind: 'gatewayError', status, when: 'after' });
      assert.equal((await rawWrite()).status, status);
      assert.equal(await disk.text('/srv/a'), 'new');
    });
  }

  it('store a different text than was sent', async () => {
    on('Write', { kind: 'wrongText', text: 'other' });
    assert.equal((await write()).result, 0);
    assert.equal(await disk.text('/srv/a'), 'other');
  });

  it('return the result as a string', async () => {
    on('Write', { kind: 'textResult' });
    assert.equal((await write()).result, '0');
  });

  it('hide a failure under an outer 0, in either place', async () => {
    on('Write', { kind: 'nestedFailure', shape: 'response', result: 4099, error: 'no' });
    assert.deepEqual(await write(), { result: 0, response: { result: 4099, error: 'no' } });
    assert.equal(await disk.text('/srv/a'), 'old');
    on('Write', { kind: 'nestedFailure', shape: 'responses', nodeId: 66008, when: 'after' });
    const answer = await write();
    assert.equal(answer.result, 0);
    assert.deepEqual(rowsOf(answer, 'responses'), [{ result: 4099, error: 'the operation failed', nodeid: 66008 }]);
    assert.equal(await disk.text('/srv/a'), 'new');
  });

  it('end a session or a token just before a request', async () => {
    on('GetEnvs', { kind: 'expireSession' });
    const session = await asked.platform.createSession();
    assert.equal((await asked.call('GetEnvs', { session })).result, 702);
    assert.equal((await asked.call('GetEnvs', { session })).result, 702);
    assert.equal((await asked.call('GetEnvs')).result, 0);
    const token = await asked.platform.createToken({ description: 't', tokenTemplate: 'Extended Access' });
    on('GetEnvs', { kind: 'expireSession' });
    assert.equal((await asked.call('GetEnvs', { session: token })).result, 702);
  });

  it('let one node of a layer fail', async () => {
    const second = asked.disk('cp', 1);
    on('Write', { kind: 'failNode', nodeId: second.id });
    const answer = await asked.call('Write', { path: '/srv/a', body: 'new' });
    assert.deepEqual([answer.result, answer['error']], [99, `the node does not answer on node ${second.id}`]);
    assert.equal(await disk.text('/srv/a'), 'new');
    on('Delete', { kind: 'failNode', nodeId: second.id, result: 17, error: 'time-out' });
    const rows = rowsOf(await asked.call('Delete', { path: '/srv/a' }), 'responses');
    assert.deepEqual(
      rows.map(({ result }) => result),
      [0, 17],
    );
  });

  it('simulate a full disk, and what a write leaves', async () => {
    for (const [leaves, left] of [
      ['untouched', 'old'],
      ['partial', 'ne'],
      ['empty', ''],
    ] as const) {
      await disk.put('/srv/a', 'old');
      on('Write', { kind: 'diskFull', leaves });
      assert.equal((await write('newt')).result, 4075);
      assert.equal(await disk.text('/srv/a'), left);
    }
    for (const [operation, values] of [
      ['Create', { path: '/srv/f' }],
      ['Create', { path: '/srv/d', isdir: true }],
      ['Copy', { src: '/srv/a', dest: '/srv/c' }],
      ['Append', { path: '/srv/a', body: 'x' }],
    ] as const) {
      on(operation, { kind: 'diskFull' });
      assert.equal((await asked.call(operation, { ...values, nodeid: disk.id })).result, 4075, operation);
    }
    assert.deepEqual(await disk.names('/srv'), ['a']);
  });

  it('return any body', async () => {
    const fault: Fault = { kind: 'answer', body: '[1', status: 201, contentType: 'text/plain', when: 'before' };
    on('Write', fault);
    const response = await rawWrite();
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), await response.text()],
      [201, 'text/plain', '[1'],
    );
  });

  it('are all released when the platform ends', async () => {
    const other = new AskedScene();
    await other.start();
    const hanging = other.platform.faults.add({ operation: 'GetEnvs', fault: { kind: 'hang' } });
    const slow = other.platform.faults.add({ operation: 'GetTokens', fault: { kind: 'delay', milliseconds: 60_000 } });
    const answers = Promise.allSettled([other.call('GetEnvs'), other.call('GetTokens')]);
    await Promise.all([hanging.reached, slow.reached]);
    await other.end();
    await answers;
  });
});
