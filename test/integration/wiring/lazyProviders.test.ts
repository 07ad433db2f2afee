import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands } from 'vscode';
import { Feature } from '../../../src/wiring/feature';
import { registerFileNameSymbols } from '../../../src/wiring/lazyProviders';

describe('the names of files for Quick Open', () => {
  it('load no code in a window without a container folder, whatever is asked for', async () => {
    const feature = new Feature<never>(() => assert.fail('the code was loaded'));
    const registered = registerFileNameSymbols(feature, (loaded) => loaded);
    try {
      for (const query of ['', 'shop']) {
        assert.deepEqual(await commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query), []);
      }
    } finally {
      registered.dispose();
    }
  });
});
