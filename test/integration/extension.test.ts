import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { commands, extensions } from 'vscode';
import { startPlatform } from '../localPlatform/localPlatform';
import { gantry, signedIn } from './support/gantry';

/** Whether a file of the bundle has been loaded into the extension host. */
function isLoaded(file: string): boolean {
  const { extensionPath } = extensions.getExtension('gantry.gantry') ?? {};
  assert.ok(extensionPath !== undefined, 'VS Code knows the extension');
  return Object.keys(createRequire(__filename).cache).some(
    (path) => path.startsWith(extensionPath) && basename(path).startsWith(file),
  );
}

describe('the extension', () => {
  it('is active once its view is opened, sends nothing, and loads the HTTP client only for the first request', async () => {
    let requests = 0;
    const count = () => (requests += 1);
    subscribe('undici:request:create', count);
    try {
      await commands.executeCommand('gantry.environments.focus');
      const { environmentsView } = await gantry();
      assert.deepEqual(await environmentsView.getChildren(), []);
      assert.ok(isLoaded('extension.js'));
      assert.ok(!isLoaded('undiciPool'));
      assert.equal(requests, 0);
    } finally {
      unsubscribe('undici:request:create', count);
    }
    const platform = await startPlatform();
    const account = await signedIn(platform);
    assert.ok(isLoaded('undiciPool'));
    await (await gantry()).accounts.remove(account.slug);
    await platform.dispose();
  });
});
