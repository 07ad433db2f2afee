import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { logTraffic } from '../../../src/ui/trafficLog';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import type { SenderPool, TrafficEntry } from '../../../src/platform/sending/sender';
import { clientFor, failureOf, openDirectPool } from './setUp';

const where = { envName: 'shop', nodeGroup: 'cp' } as const;

function logOf(traffic: readonly TrafficEntry[]): string {
  const lines: string[] = [];
  traffic.forEach(logTraffic({ debug: (line: string) => void lines.push(line) }, []));
  return lines.join('\n');
}

describe('container variables', () => {
  let platform: LocalPlatform;
  let pool: SenderPool;
  let session: string;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    pool = openDirectPool();
    session = await platform.createSession();
  });

  after(async () => {
    await pool.close();
    await platform.dispose();
  });

  it('never appear in a log line or an error, even if a response quotes them', async () => {
    const values = { SHORT: 'hunter2', SPACED: 'a b&c', QUOTED: 'say "ahoy"\n', LONG: 'x='.repeat(5_000) };
    const vars = JSON.stringify(values);
    const { client, traffic } = clientFor(platform.origin, { send: pool.send });
    const quotes = [vars, JSON.stringify(vars), encodeURIComponent(vars), ...Object.values(values)];
    for (const quote of quotes) {
      const error = `cannot set ${quote} here`;
      platform.faults.add({ operation: 'AddContainerEnvVars', fault: { kind: 'refuse', result: 4099, error } });
      const failure = await failureOf(client.callAs(session, 'AddContainerEnvVars', { ...where, vars }));
      const said = `${failure.stack ?? ''} ${JSON.stringify(failure)} ${logOf(traffic)}`;
      for (const secret of ['hunter2', 'a b&c', 'ahoy', 'x=x=x='])
        assert.ok(!said.includes(secret), `${secret}: ${said.slice(0, 500)}`);
    }
    assert.match(logOf(traffic), /^AddContainerEnvVars shop\/cp: platform, result 4099/);
  });

  it('are never part of a URL unless the person agreed to passwords there', async () => {
    const vars = JSON.stringify({ KEY: 'hunter2' });
    const inQuery = { send: pool.send, transport: 'query' } as const;
    const failure = await failureOf(
      clientFor(platform.origin, inQuery).client.callAs(session, 'AddContainerEnvVars', { ...where, vars }),
    );
    assert.deepEqual([failure.kind, failure.isOutcomeUnknown], ['invalid', false]);
    assert.doesNotMatch(failure.message, /hunter2/);
    const entries = platform.journal.entries.filter(({ operation }) => operation === 'AddContainerEnvVars');
    const agreed = clientFor(platform.origin, { ...inQuery, passwordsInUrl: true }).client;
    await agreed.callAs(session, 'AddContainerEnvVars', { ...where, vars });
    const after = platform.journal.entries.filter(({ operation }) => operation === 'AddContainerEnvVars');
    assert.equal(after.length, entries.length + 1);
  });

  it('of a response that cannot be read do not appear either', async () => {
    const { client, traffic } = clientFor(platform.origin, { send: pool.send });
    const [node] = platform.nodes('shop', 'cp');
    const read = () => client.callAs(session, 'GetContainerEnvVars', { envName: 'shop', nodeId: node?.id ?? 0 });
    for (const body of [
      '{"result":0,"object":{"A":{"B":"hunter2"}}}',
      '{"result":0,"object":["hunter2"]}',
      '{"result":0}',
    ]) {
      platform.faults.add({ operation: 'GetContainerEnvVars', fault: { kind: 'answer', body } });
      const failure = await failureOf(read());
      assert.equal(failure.kind, 'protocol');
      assert.doesNotMatch(`${failure.stack ?? ''} ${logOf(traffic)}`, /hunter2/);
    }
    const { object } = await read();
    assert.equal(object.get('APP_ENV'), 'production');
  });
});
