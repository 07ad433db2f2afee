import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import type { NodeDisk } from '../../scene/nodeDisk';
import { AskedScene } from './requests';

const folder = '/var/log/nginx';
const access = `${folder}/access.log`;
const rotateAt = 2000;
const line =
  /^\S+ - - \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "(?:GET|POST) \/\S* HTTP\/1\.1" \d{3} \d+ "-" ".+"$/u;

describe('local platform: logs that grow', () => {
  let asked: AskedScene;
  let node: NodeDisk;

  const start = async (logRotation: 'create' | 'copytruncate' = 'create'): Promise<void> => {
    asked = new AskedScene({ growingLogs: { interval: 1, rotateAt }, behaviour: { logRotation } });
    await asked.start();
    node = asked.disk('cp');
    await node.folder(folder);
  };
  afterEach(() => asked.end());

  const until = async (holds: (text: string) => boolean) => {
    while (!holds(await node.text(access).catch(() => '')));
  };
  /** Tries again while a rotation has moved the file. */
  const existing = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      const found = await read().catch(() => undefined);
      if (found !== undefined) return found;
    }
  };

  it('get requests of visitors', async () => {
    await start();
    let lines: readonly string[] = [];
    await until((text) => (lines = text.split('\n').slice(0, -1)).length > 5);
    for (const one of lines) assert.match(one, line);
  });

  for (const how of ['create', 'copytruncate'] as const) {
    it(`are rotated, and the oldest dropped (${how})`, async () => {
      await start(how);
      // While it's open, no other file gets its number.
      const first = await existing(() => open(node.path(access)));
      const oldest = await existing(() => node.text(`${access}.3`));
      const latest = await existing(() => open(node.path(access)));
      assert.equal((await latest.stat()).ino === (await first.stat()).ino, how === 'copytruncate');
      await Promise.all([first.close(), latest.close()]);
      assert.ok(oldest.length >= rotateAt && oldest.length < rotateAt + 300);
      while ((await existing(() => node.text(`${access}.3`))) === oldest);
      // One of them may be missing for a moment, because the next rotation has begun.
      const names = ['access.log', 'access.log.1', 'access.log.2', 'access.log.3'];
      assert.deepEqual([...new Set([...names, ...(await node.names(folder))])], names);
    });
  }

  it('stay as they are while the service does not run', async () => {
    await start();
    const other = asked.disk('cp', 1);
    await other.folder(folder);
    const untilOtherGrows = async () => {
      const before = await other.text(access).catch(() => '');
      while ((await other.text(access).catch(() => '')) === before);
    };
    await untilOtherGrows();
    await node.put('/etc/nginx/conf.d/site.conf', 'server {\n');
    await asked.call('RestartServices', { nodeId: node.id });
    // A round that began before may still add a line.
    await untilOtherGrows();
    await untilOtherGrows();
    const stopped = await node.text(access);
    await untilOtherGrows();
    await untilOtherGrows();
    assert.equal(await node.text(access), stopped);
  });

  it('do not grow unless asked', async () => {
    asked = new AskedScene();
    await asked.start();
    node = asked.disk('cp');
    await assert.rejects(node.text(access));
  });
});
