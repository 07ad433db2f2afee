import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { bundleWindow, startWindow } from '../../soak/startWindow';
import { causesOf } from '../../soak/windowTask';
import { startLayer } from '../../scene/connectedScene';

describe('a simulated window', () => {
  it('reports why a save failed, so that the failure of a soak test can be explained', async () => {
    const folder = scratchFolder('window');
    const cp = await startLayer({ nodes: 2 });
    const { scene } = cp;
    const [path, other] = ['/srv/a/f', '/srv/b/f'] as const;
    await Promise.all([path, other].map((one) => cp.putLongAgo(one, 'base\n')));
    scene.platform.faults.add({
      operation: 'Write',
      parameters: { path },
      times: 'always',
      fault: { kind: 'refuse', result: 99, error: 'The disk is full.' },
    });
    const window = startWindow(await bundleWindow(folder, 'windowProcess'), {
      role: 'save',
      origin: scene.platform.origin,
      token: scene.token,
      folder: join(folder, 'kept'),
      nodeIds: cp.nodes,
      files: [path, other].map((one) => ({ place: cp.place(one), scope: 'place', by: 'editor', text: 'new\n' })),
    });
    try {
      await window.waitFor('ready');
      window.begin();
      await window.waitFor('done');
      assert.match(causesOf(window.events), /^\n\/srv\/a\/f: failed, because of \w+: .*The disk is full/);
      assert.match(causesOf(window.events, path), /^\n\/srv\/a\/f: failed/);
      assert.equal(causesOf(window.events, other), '');
    } finally {
      await window.dispose();
      await scene.end();
      await rm(folder, { recursive: true, force: true });
    }
  }).timeout(limit(30_000));
});
