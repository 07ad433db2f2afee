import assert from 'node:assert/strict';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene } from './requests';

describe('local platform: control over HTTP', () => {
  const asked = onStageEachTime(new AskedScene());
  const control = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; answer: unknown }> => {
    const response = await fetch(`${asked.platform.origin}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, answer: text.startsWith('{') ? JSON.parse(text) : text };
  };

  it("reads and resets the journal, and doesn't appear in it", async () => {
    await asked.call('GetEnvs');
    const { answer } = await control('GET', 'journal');
    assert.match(JSON.stringify(answer), /"operation":"GetEnvs"/u);
    await control('DELETE', 'journal');
    assert.deepEqual((await control('GET', 'journal')).answer, { entries: [], arrivals: 0 });
  });

  it('waits for the next request of an operation, or returns an earlier one', async () => {
    await asked.call('GetTokens');
    const next = control('GET', 'journal/next?operation=GetEnvs&after=1');
    await asked.call('GetTokens');
    await asked.call('GetEnvs');
    assert.match(JSON.stringify((await next).answer), /"operation":"GetEnvs"/u);
    const found = await control('GET', 'journal/next?after=0');
    assert.match(JSON.stringify(found.answer), /"operation":"GetTokens"/u);
  });

  it('adds, counts, releases, and removes faults', async () => {
    const rule = { operation: 'GetEnvs', times: 'always', fault: { kind: 'refuse', result: 8, error: 'no' } };
    assert.deepEqual((await control('POST', 'faults', rule)).answer, { id: 1 });
    assert.equal((await asked.call('GetEnvs')).result, 8);
    assert.deepEqual((await control('GET', 'faults')).answer, { faults: [{ id: 1, hits: 1 }] });
    assert.equal((await control('DELETE', 'faults/1')).status, 200);
    assert.equal((await control('DELETE', 'faults/1')).status, 404);
    assert.equal((await asked.call('GetEnvs')).result, 0);
    await control('POST', 'faults', { operation: 'GetEnvs', fault: { kind: 'hang' } });
    const answer = asked.call('GetEnvs');
    await asked.platform.faults.find(2)?.reached;
    assert.equal((await control('POST', 'faults/2/release')).status, 200);
    assert.equal((await answer).result, 0);
    await control('DELETE', 'faults');
    assert.deepEqual((await control('GET', 'faults')).answer, { faults: [] });
  });

  it('changes switches', async () => {
    assert.equal((await control('PATCH', 'behaviour', { deleteTokens: 'number' })).status, 200);
    assert.equal(asked.platform.behaviour.deleteTokens, 'number');
    assert.match(JSON.stringify((await control('GET', 'behaviour')).answer), /"deleteTokens":"number"/u);
  });

  it('rejects invalid requests', async () => {
    assert.equal(
      (await control('POST', 'faults', { operation: 'GetEnvs', fault: { kind: 'earthquake' } })).status,
      400,
    );
    assert.equal((await control('POST', 'faults', '{')).status, 400);
    assert.equal((await control('PATCH', 'behaviour', { transport: 'pigeon' })).status, 400);
    assert.equal((await control('PATCH', 'behaviour', { unheard: 1 })).status, 400);
    assert.equal((await control('POST', 'faults/9/release')).status, 404);
    assert.equal((await control('GET', 'nothing')).status, 404);
    assert.equal((await fetch(`${asked.platform.origin}/1.0/control/journal`)).status, 404);
  });
});
