import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'mocha';
import type { SenderPool } from '../../../src/platform/sending/sender';
import { UnintendedWrites } from '../../integration/support/unintendedWrites';
import { type ScriptedServer, startScriptedServer } from '../platform/scriptedServer';
import { clientFor, openDirectPool } from '../platform/setUp';

const place = { envName: 'demo', session: 'a-session', path: '/f' };
/** More than the pool's connections, so that some requests wait for one. */
const many = 25;

describe('unintended writes', () => {
  let server: ScriptedServer;
  let pool: SenderPool;
  let writes: UnintendedWrites;

  beforeEach(async () => {
    server = await startScriptedServer();
    pool = openDirectPool();
    writes = new UnintendedWrites();
  });

  afterEach(async () => {
    writes.dispose();
    await pool.close();
    await server.close();
  });

  /** Creates the functions that VS Code would call. `view` reads and `edit` writes, as they should. `viewAndWrite` has the defect to find. */
  function fileSystem() {
    const { client } = clientFor(server.url, { send: pool.send });
    const write = () => client.call('Write', place);
    const calls = {
      view: () => client.call('Read', place),
      edit: write,
      viewAndWrite: write,
      untracked: write,
    };
    writes.track(calls, 'viewing', ['view', 'viewAndWrite', 'missing']);
    writes.track(calls, 'action', ['edit']);
    return calls;
  }

  const causes = () => writes.takeAll().map((found) => found.split('\n', 1)[0]);

  it('are detected if their cause is viewing or unknown', async () => {
    const { view, edit, viewAndWrite, untracked } = fileSystem();
    await Promise.all([view(), edit()]);
    assert.deepEqual(causes(), []);
    await viewAndWrite();
    await untracked();
    assert.deepEqual(causes(), ['Write, cause: viewing', 'Write, cause: unknown']);
  });

  it('do not include writes by a test', async () => {
    const { untracked } = fileSystem();
    writes.beginAction();
    await untracked();
    assert.deepEqual(causes(), []);
  });

  it('do not include intended writes queued behind reads', async () => {
    const { view, edit } = fileSystem();
    await queueBehind(server, view, edit);
    assert.deepEqual(causes(), []);
  });

  it('include writes by viewing that are queued behind intended ones', async () => {
    const { edit, viewAndWrite } = fileSystem();
    await queueBehind(server, edit, viewAndWrite);
    assert.deepEqual(causes(), Array<string>(many).fill('Write, cause: viewing'));
  });
});

/** Occupies all connections of the pool with the first call, makes the second call many times, then responds to all of them. */
async function queueBehind(server: ScriptedServer, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const held: ServerResponse[] = [];
  const connections = 10;
  const occupied = new Promise<void>((resolve) => {
    server.answer((_, response) => {
      if (held.push(response) === connections) resolve();
    });
  });
  const calls: Promise<unknown>[] = Array.from({ length: connections }, first);
  await occupied;
  calls.push(...Array.from({ length: many }, second));
  server.answer('{"result":0}');
  for (const response of held) response.end('{"result":0}');
  await Promise.all(calls);
}
