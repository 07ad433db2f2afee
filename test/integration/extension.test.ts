import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { commands, extensions, tasks } from 'vscode';
import { startPlatform } from '../localPlatform/localPlatform';
import { gantry, signedIn } from './support/gantry';

/** The features whose code is in the extension host, by the names of their files. */
function loadedFiles(): readonly string[] {
  const { extensionPath } = extensions.getExtension('gantry.gantry') ?? {};
  assert.ok(extensionPath !== undefined, 'VS Code knows the extension');
  const paths = Object.keys(createRequire(__filename).cache).filter((path) =>
    path.startsWith(join(extensionPath, 'dist')),
  );
  const names = paths.map((path) => basename(path, '.js').replace(/-[A-Z0-9]{8}$/, ''));
  return names.filter((name) => name !== 'chunk').sort();
}

describe('the extension', () => {
  it('loads a feature when it is first used, the HTTP client for the first request, and sends nothing unasked', async () => {
    let requests = 0;
    const count = () => (requests += 1);
    subscribe('undici:request:create', count);
    try {
      await extensions.getExtension('gantry.gantry')?.activate();
      // As VS Code does by itself some time after a window opened.
      assert.deepEqual(await tasks.fetchTasks({ type: 'gantry' }), []);
      assert.deepEqual(loadedFiles(), ['extension']);
      await commands.executeCommand('gantry.access.refresh');
      assert.deepEqual(loadedFiles(), ['access', 'accounts', 'extension']);
      await commands.executeCommand('gantry.environments.refresh');
      assert.deepEqual(loadedFiles(), ['access', 'accounts', 'extension', 'files', 'tree']);
      await commands.executeCommand('gantry.account.lock');
      assert.ok(loadedFiles().includes('signIn'));
      const { environmentsView } = await gantry();
      assert.deepEqual(await environmentsView.getChildren(), []);
      assert.ok(!loadedFiles().includes('undiciPool'));
      assert.equal(requests, 0);
    } finally {
      unsubscribe('undici:request:create', count);
    }
    const platform = await startPlatform();
    const account = await signedIn(platform);
    assert.ok(loadedFiles().includes('undiciPool'));
    await (await gantry()).accounts.remove(account.slug);
    await platform.dispose();
  });
});
