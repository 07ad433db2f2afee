import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands } from 'vscode';
import { Lazy } from '../../../../src/lazy';
import { registerFileNameSymbols } from '../../../../src/wiring/loading/lazyProviders';

describe('the names of files for Quick Open', () => {
  it('load no code in a window without a container folder, whatever is asked for', async () => {
    let loads = 0;
    const feature = new Lazy<never>(() => {
      loads += 1;
      return Promise.reject(new Error('not loaded'));
    });
    const registered = registerFileNameSymbols(feature, (loaded) => loaded);
    try {
      for (const query of ['', 'shop']) {
        assert.deepEqual(await commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query), []);
      }
      assert.equal(loads, 0);
    } finally {
      registered.dispose();
    }
  });
});
