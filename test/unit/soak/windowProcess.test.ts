import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { bundleWindow, startWindow } from '../../soak/startWindow';
import { causesOf } from '../../soak/windowTask';
import { TestContainer } from '../files/container';

describe('a simulated window', () => {
  it('reports why a save failed, so that the failure of a soak test can be explained', async () => {
    const folder = scratchFolder('window');
    const container = await TestContainer.start();
    const [path, other] = ['/srv/a/f', '/srv/b/f'] as const;
    await Promise.all([path, other].map((one) => container.putLongAgo(one, 'base\n')));
    container.platform.faults.add({
      operation: 'Write',
      parameters: { path },
      times: 'always',
      fault: { kind: 'refuse', result: 99, error: 'The disk is full.' },
    });
    const window = startWindow(await bundleWindow(folder), {
      role: 'save',
      origin: container.platform.origin,
      token: container.token,
      folder: join(folder, 'kept'),
      nodeIds: container.platform.nodes('shop', 'cp').map(({ id }) => id),
      files: [path, other].map((one) => ({ place: container.place(one, 0), scope: 'place', text: 'new\n' })),
    });
    try {
      await window.waitFor('ready');
      window.startSaving();
      await window.waitFor('done');
      assert.match(causesOf(window.events), /^\n\/srv\/a\/f: failed, because of \w+: .*The disk is full/);
      assert.match(causesOf(window.events, path), /^\n\/srv\/a\/f: failed/);
      assert.equal(causesOf(window.events, other), '');
    } finally {
      await window.dispose();
      await container.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  }).timeout(limit(30_000));
});
