import assert from 'node:assert/strict';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene } from './requests';

describe('local platform: journal', () => {
  const asked = onStageEachTime(new AskedScene());
  it('records each request with its size, time, and result', async () => {
    const before = Date.now();
    await asked.call('Write', { path: '/srv/a', body: 'text' });
    const [entry] = asked.platform.journal.entries;
    assert.ok(entry !== undefined);
    const { operation, httpMethod, path, result, status, inUrl, faults } = entry;
    assert.deepEqual(
      { operation, httpMethod, path, result, status, inUrl, faults },
      {
        operation: 'Write',
        httpMethod: 'POST',
        path: '/1.0/environment/file/rest/write',
        result: 0,
        status: 200,
        inUrl: [],
        faults: [],
      },
    );
    assert.deepEqual(entry.parameters, { session: '***', envName: 'demo', path: '/srv/a', body: 'text' });
    assert.ok(entry.requestBytes > 'session=&envName=demo'.length && entry.answerBytes > 10);
    assert.ok(entry.start >= before && entry.end >= entry.start && entry.end <= Date.now());
  });

  it('stores no secret, no long text, and no query', async () => {
    const { email, password } = asked.platform.sample;
    const session = await asked.platform.createSession();
    await asked.call('Signin', { login: email, password });
    await asked.call('Write', { path: '/srv/a', body: 'x'.repeat(5000) });
    await fetch(`${asked.platform.origin}/1.0/environment/control/rest/getenvs?session=${session}`);
    const kept = JSON.stringify([asked.platform.journal.entries, asked.platform.journal.arrivals]);
    assert.ok(kept.includes(email));
    assert.ok(!kept.includes(password) && !kept.includes(session));
    assert.ok(kept.length < 8000);
    assert.deepEqual(asked.platform.journal.entries.at(-1)?.inUrl, ['session']);
  });

  it('can be awaited, counted, and reset', async () => {
    const { journal } = asked.platform;
    const arrived = journal.nextArrival(({ operation }) => operation === 'GetTokens');
    const answered = journal.next(({ result }) => result === 3);
    await asked.call('GetEnvs');
    await asked.call('GetTokens');
    await asked.call('Read');
    assert.equal((await arrived).operation, 'GetTokens');
    assert.equal((await answered).operation, 'Read');
    assert.equal(
      journal.count(({ operation }) => operation.startsWith('Get')),
      2,
    );
    journal.reset();
    assert.deepEqual([journal.entries, journal.arrivals], [[], []]);
    await asked.call('GetEnvs');
    assert.equal(
      journal.count(() => true),
      1,
    );
  });

  it('distinguishes pending requests from answered ones', async () => {
    const { journal, faults } = asked.platform;
    const hanging = faults.add({ operation: 'GetEnvs', fault: { kind: 'hang' } });
    const answer = asked.call('GetEnvs');
    await hanging.reached;
    assert.deepEqual([journal.arrivals.length, journal.entries.length], [1, 0]);
    hanging.release();
    await answer;
    assert.deepEqual(
      journal.entries.map(({ id }) => id),
      journal.arrivals.map(({ id }) => id),
    );
  });
});
